import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { hasSshd, startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';

// With a home folder of its own, so that nobody's known_hosts plays a part.
const started = startForFile({ hasDemo: false, hasOwnHome: true });

test.skip(!hasSshd, 'no OpenSSH server on this machine');

interface Scene {
  readonly sshd: TestSshd;
  readonly page: Page;
  /** What the next connections meet in the person's ~/.ssh/known_hosts. */
  writeKnownHosts(text: string): void;
  /** A machine with another key, at the same address. */
  recreate(): Promise<TestSshd>;
}

/** A box in the app, and a real sshd behind it. */
async function withBox(
  play: (scene: Scene) => Promise<void>,
  knownHosts: (sshd: TestSshd) => string = () => '',
): Promise<void> {
  const { page, folder } = await started();
  const ssh = join(folder, 'home/.ssh');
  const keyFile = join(ssh, 'rented');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile]);
  const machines = [await startSshd({ keyFile })];
  const sshd = machines[0]!;
  const writeKnownHosts = (text: string): void => writeFileSync(join(ssh, 'known_hosts'), text);
  try {
    writeKnownHosts(knownHosts(sshd));
    await addBox(page, sshd);
    await play({
      sshd,
      page,
      writeKnownHosts,
      recreate: async () => {
        await machines.at(-1)!.stop();
        const next = await startSshd({ port: sshd.port, keyFile });
        machines.push(next);
        return next;
      },
    });
  } finally {
    for (const machine of machines) await machine.stop();
    for (const file of [keyFile, `${keyFile}.pub`]) rmSync(file);
  }
}

async function addBox(page: Page, sshd: TestSshd): Promise<void> {
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const command = `ssh -p ${String(sshd.port)} ${sshd.user}@127.0.0.1 -i ${sshd.keyFile}`;
  await page.getByRole('dialog').getByRole('textbox').first().fill(command);
  await page.getByLabel('Name in Leasehold').fill('train-a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'train-a' })).toBeVisible();
}

const unknown = (page: Page) => page.getByRole('heading', { name: 'Is this really train-a?' });
const changed = (page: Page) =>
  page.getByRole('heading', { name: /host key of train-a has changed/ });
const trust = (page: Page) => page.getByRole('button', { name: /fingerprint matches/ });

test('an unknown key is compared letter by letter, and Enter accepts nothing', async () => {
  await withBox(async ({ page, sshd }) => {
    await expect(unknown(page)).toBeVisible();
    const field = page.getByRole('textbox', { name: /expected fingerprint/ });
    await field.fill(`SHA256:${'A'.repeat(43)}`);
    await expect(page.getByText(/Not the same key/)).toBeVisible();
    await expect(trust(page)).toBeDisabled();
    await expectAccessible(page, 'unknown host key, compared and different');
    await field.fill(sshd.fingerprintMd5);
    await expect(page.getByText(/MD5 is weak/)).toBeVisible();
    await field.fill(sshd.fingerprint);
    await expect(page.getByText(/^The same key/)).toBeVisible();
    await field.press('Enter');
    await expect(unknown(page)).toBeVisible();
    await expectAccessible(page, 'unknown host key, compared and the same');
    await trust(page).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Facts' }).click();
    const identity = page.getByRole('region', { name: 'Identity' });
    await expect(identity).toContainText(sshd.fingerprint);
    await expect(identity).toContainText('the fingerprint you pasted was the same');
    await expectAccessible(page, 'identity');
  });
});

test('a re-created machine is refused, gets a new identity on purpose, and the old one stays', async () => {
  await withBox(async ({ page, sshd, recreate }) => {
    await trust(page).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    // sshd leaves open connections alone when it is stopped.
    await page.getByRole('button', { name: 'Disconnect' }).first().click();
    const next = await recreate();
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    await expect(changed(page)).toBeVisible();
    await expect(page.getByText(sshd.fingerprint)).toBeVisible();
    await expect(page.getByText(next.fingerprint)).toBeVisible();
    await expect(page.getByText(/last seen/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Do not connect', exact: true })).toBeFocused();
    await expectAccessible(page, 'changed host key');

    // Main does not take the window's word for it.
    const forced = await page.evaluate(
      async ([fingerprint]) => {
        const boxes = await window.leasehold.call('stream:open', { stream: 'fleet', key: '' });
        if (!boxes.ok) return null;
        const { entries } = boxes.value.state as {
          entries: {
            box: { id: string; name: string };
            link: { plan?: { id: string; digest: string } };
          }[];
        };
        const entry = entries.find(({ box }) => box.name === 'train-a');
        const boxId = entry?.box.id ?? '';
        const { id = '', digest = '' } = entry?.link.plan ?? {};
        const input = { boxId, plan: { id, digest }, phrase: 'yes' };
        return [
          await window.leasehold.call('link:replace-host-key', input),
          await window.leasehold.call('link:trust-host-key', { boxId, fingerprint, expected: '' }),
        ].map((answer) => answer.ok);
      },
      [next.fingerprint] as const,
    );
    expect(forced).toEqual([false, false]);
    await expect(changed(page)).toBeVisible();

    await page.getByRole('button', { name: /This is a new machine/ }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Keep the old identity' })).toBeFocused();
    const replace = dialog.getByRole('button', { name: 'Replace the identity' });
    await expect(replace).toBeDisabled();
    await dialog.getByRole('textbox').fill(sshd.fingerprint);
    await expect(dialog.getByText(/fingerprint of another key/)).toBeVisible();
    await expectAccessible(page, 'new machine');
    await dialog.getByRole('textbox').fill(next.fingerprint);
    await replace.click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Facts' }).click();
    const identity = page.getByRole('region', { name: 'Identity' });
    await expect(identity.getByRole('row')).toHaveCount(3);
    await expect(identity).toContainText('new machine, the fingerprint you pasted was the same');
    await expect(identity).toContainText('replaced because: this is a new machine');

    const file = join((await started()).folder, 'known_hosts');
    const written = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await expect.poll(written).toContain(next.hostKeys[0]!);
    expect(written()).not.toContain(sshd.hostKeys[0]!);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Remove from Leasehold/ }).click();
    await page.getByRole('button', { name: 'Remove from Leasehold' }).click();
    await expect.poll(written).not.toContain(next.hostKeys[0]!);
  });
});

test('what ssh on this machine trusts is trusted, and what it revokes is not', async () => {
  await withBox(
    async ({ page, sshd, writeKnownHosts }) => {
      await expect(page.getByText(/Connected/).first()).toBeVisible();
      await page.getByRole('tab', { name: 'Facts' }).click();
      await expect(page.getByRole('region', { name: 'Identity' })).toContainText(
        'you already trusted it on this machine (~/.ssh/known_hosts, line 2)',
      );
      writeKnownHosts(`@revoked * ${sshd.hostKeys[0]!}\n`);
      await page.getByRole('button', { name: 'Disconnect' }).first().click();
      await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
      await expect(page.getByRole('heading', { name: /is revoked/ })).toBeVisible();
      await expect(page.getByText('~/.ssh/known_hosts, line 1').first()).toBeVisible();
      await expectAccessible(page, 'revoked host key');
    },
    (sshd) => `# mine\n[127.0.0.1]:${sshd.port} ${sshd.hostKeys[0]!}\n`,
  );
});

test('a host that only a certificate authority vouches for is not silently taken for less', async () => {
  await withBox(
    async ({ page, sshd }) => {
      await expect(page.getByText(/cannot check host certificates/)).toBeVisible();
      await expect(trust(page)).toBeDisabled();
      await expectAccessible(page, 'certificate expected');
      await page.getByRole('textbox', { name: /expected fingerprint/ }).fill(sshd.fingerprint);
      await trust(page).click();
      await expect(page.getByText(/Connected/).first()).toBeVisible();
    },
    (sshd) => `@cert-authority * ${sshd.hostKeys[0]!}\n`,
  );
});

test('the demo box can get a new identity too', async ({ apps }) => {
  const { page } = await apps.start({ hasDemo: true });
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'host-key-change', isOn: true }),
  );
  await page.getByRole('button', { name: /This is a new machine/ }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('demo');
  await page.getByRole('button', { name: 'Replace the identity' }).click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
});
