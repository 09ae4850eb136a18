import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Box, LinkState } from '../src/shared/boxes/box.ts';
import { hasSshd, startSshd, type TestSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';

test.use({ hasDemo: false });

const servers: TestSshd[] = [];
let home: string;

test.beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  mkdirSync(join(home, '.ssh'));
});
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Since when that box is connected; null: it is not. */
async function connectedSinceMs(page: Page, name: string): Promise<number | null> {
  const opened = await page.evaluate(() =>
    window.leasehold.call('stream:open', { stream: 'fleet', key: '' }),
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const { entries } = opened.value.state as { entries: { box: Box; link: LinkState }[] };
  const link = entries.find(({ box }) => box.name === name)?.link;
  return link?.kind === 'up' ? link.sinceMs : null;
}

function writeConfig(text: string): void {
  writeFileSync(join(home, '.ssh', 'config'), text);
}

test('a host behind a jump host is imported, asked about machine by machine, and changes are offered', async ({
  apps,
}) => {
  test.skip(!hasSshd, 'no OpenSSH server on this machine');
  const target = await startSshd();
  const gate = await startSshd({ keyFile: target.keyFile });
  servers.push(gate, target);
  const config = (name: string): string => `Host ${name}
  HostName 127.0.0.1
  Port ${String(target.port)}
  User ${target.user}
  IdentityFile ${target.keyFile}
  ProxyJump gate
Match exec "touch ${home}/ran"
  Port 1
Host gate
  HostName 127.0.0.1
  Port ${String(gate.port)}
  User ${gate.user}
  IdentityFile ${gate.keyFile}
`;
  writeConfig(config('behind'));
  const { page, log } = await apps.start({ env: { HOME: home } });
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('From SSH config').click();
  await dialog.getByRole('checkbox', { name: /^behind/ }).check();
  await expect(dialog.getByText(/through .*:\d+/).first()).toBeVisible();
  await expectAccessible(page, 'import from the SSH config');
  await dialog.getByRole('button', { name: 'Add 1 box' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'behind' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
  await expect(page.getByText(gate.fingerprint)).toBeVisible();
  await expect(page.getByText(/the jump host 127.0.0.1 on the way to behind/)).toBeVisible();
  await page.getByRole('button', { name: /fingerprint matches/ }).click();
  await expect(page.getByText(target.fingerprint)).toBeVisible();
  await page.getByRole('button', { name: /fingerprint matches/ }).click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  const beforeMs = await connectedSinceMs(page, 'behind');

  writeConfig(config('behind').replace('ProxyJump gate', 'ProxyJump gate\n  IdentitiesOnly yes'));
  await expect(
    page.getByText('1 box changed in your SSH config. Nothing was taken over.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'See what changed' }).click();
  await expect(dialog.getByText('Only these keys')).toBeVisible();
  await expectAccessible(page, 'changes in the SSH config');
  await dialog.getByRole('button', { name: /Take over/ }).click();
  await expect(dialog.getByRole('region', { name: /Changes/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  // In the new way, and not in the old one still: the jump host goes away below.
  await expect
    .poll(async () => [null, beforeMs].includes(await connectedSinceMs(page, 'behind')))
    .toBe(false);
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  expect(log()).not.toContain('PRIVATE KEY');
  expect(existsSync(join(home, 'ran'))).toBe(false);

  // The jump host is made anew: the alarm names it, not the box, and so does its way out.
  await page.getByRole('tab', { name: 'Facts' }).click();
  const identity = page.getByRole('region', { name: 'Identity' });
  await expect(identity.getByRole('heading', { name: /Jump host 127\.0\.0\.1/ })).toBeVisible();
  await expect(identity.getByText(gate.fingerprint)).toBeVisible();
  await gate.stop();
  const anew = await startSshd({ port: gate.port, keyFile: target.keyFile });
  servers.push(anew);
  // The process of a connection outlives the listener.
  await page.getByRole('button', { name: 'Disconnect' }).first().click();
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
  const alarm = page.getByRole('alert', {
    name: 'The host key of the jump host 127.0.0.1 on the way to behind has changed',
  });
  await expect(alarm).toContainText(gate.fingerprint);
  await expect(alarm).toContainText(anew.fingerprint);
  await expectAccessible(page, 'a jump host with another key');
  await alarm.getByRole('button', { name: 'This is a new machine…' }).click();
  await expect(dialog).toContainText('jump host');
  await dialog.getByRole('textbox').fill('behind');
  await expect(dialog.getByRole('button', { name: 'Replace the identity' })).toBeDisabled();
  await dialog.getByRole('textbox').fill('127.0.0.1');
  await dialog.getByRole('button', { name: 'Replace the identity' }).click();
  await expect(page.getByText(/Connected/).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Facts' }).click();
  await expect(identity.getByText(anew.fingerprint)).toBeVisible();
  await expect(identity.getByText(/replaced because/)).toBeVisible();
});

test('three thousand hosts are listed, searched and chosen', async ({ apps }) => {
  const hosts = Array.from(
    { length: 3000 },
    (_none, i) =>
      `Host gpu-${String(i)}\n  HostName 10.0.${String(i >> 8)}.${String(i & 255)}\n  User root\n`,
  );
  writeConfig(`${hosts.join('')}Host *\n  ServerAliveInterval 5\n`);
  const { page } = await apps.start({ env: { HOME: home } });
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('From SSH config').click();
  await expect(dialog.getByText(/First 200 of 3,000 shown/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Search 3,000 hosts' }).fill('gpu-299');
  await expect(dialog.getByText('11 shown, 0 chosen')).toBeVisible();
  await dialog.getByRole('button', { name: 'Choose all of these' }).click();
  await dialog.getByRole('button', { name: 'Add 11 boxes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByRole('navigation', { name: 'Boxes' }).getByRole('button', { name: /gpu-2999/ }),
  ).toBeVisible();
});
