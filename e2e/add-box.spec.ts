import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSshd, startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test } from './fixtures/app.ts';
import { writeOneCard } from './fixtures/one-card.ts';

test.use({ hasDemo: false });
const started = startForFile({ hasDemo: false });

test('a pasted command becomes a box, its key is asked about, and it survives a restart', async ({
  apps,
}) => {
  test.skip(!hasSshd, 'no OpenSSH server on this machine');
  const sshd = await startSshd();
  try {
    const folder = apps.makeFolder();
    const first = await apps.start({ folder });
    const { page } = first;
    await page.getByRole('button', { name: 'Add box' }).first().click();
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .first()
      .fill(
        `ssh -p ${String(sshd.port)} ${sshd.user}@127.0.0.1 -i ${sshd.keyFile} -L 8080:localhost:8080`,
      );
    await expect(page.getByRole('checkbox', { name: /8080 here → 8080 on the box/ })).toBeChecked();
    await page.getByLabel('Price per hour').fill('2.49');
    await page.getByLabel('Name in Leasehold').fill('real-box');
    await page.keyboard.press('Enter');

    // What was added is connected to at once: from the command to the question about its key in two presses.
    await expect(page.getByRole('heading', { level: 1, name: 'real-box' })).toBeVisible();
    await expect(page.getByText(sshd.fingerprint)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Do not connect' })).toBeFocused();
    await expectAccessible(page, 'unknown host key');
    await page.getByRole('button', { name: /fingerprint matches/ }).click();
    await expect(page.getByText(/Connected/).first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Cost meter' })).toContainText('$2.49/h');
    await page.getByRole('tab', { name: 'Tunnels' }).click();
    await expect(page.getByRole('row', { name: /Port 8080 of the box/ })).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'provider', exact: true }).click();
    const root = page.getByRole('row', { name: /root\/home disk/ });
    await expect(root.getByText(/GiB used/).first()).toBeVisible();
    await page.getByLabel('Rented from').selectOption('autodl');
    await expect(page.getByRole('row', { name: /data disk.*not on this box/ })).toBeVisible();
    await page
      .getByRole('region', { name: 'Before you start on AutoDL' })
      .getByText('Got it')
      .click();
    await expectAccessible(page, 'facts of a real box');
    await page.getByRole('tab', { name: 'Overview' }).click();
    // This machine has no GPU, and the box page says so instead of showing zeros.
    await expect(
      page.getByText(/nvidia-smi is not installed|was given no GPU/).first(),
    ).toBeVisible();
    await first.app.close();

    const second = await apps.start({ folder });
    await second.page
      .getByRole('navigation', { name: 'Boxes' })
      .getByRole('button', { name: /real-box/ })
      .click();
    await expect(second.page.getByText(/Connected/).first()).toBeVisible();
    expect(second.log()).not.toContain('PRIVATE KEY');
  } finally {
    await sshd.stop();
  }
});

test('from a pasted command to the charts of a real box it takes three clicks', async () => {
  test.skip(!hasSshd, 'no OpenSSH server on this machine');
  const home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  writeOneCard(home);
  const sshd = await startSshd({ home, path: `${home}:/usr/bin:/bin` });
  try {
    const { page } = await started();
    // By the window itself, so that no click is left out of the count.
    await page.evaluate(() => {
      const counted = { clicks: 0, keys: 0 };
      addEventListener('click', ({ isTrusted }) => (counted.clicks += Number(isTrusted)), true);
      addEventListener('keydown', () => (counted.keys += 1), true);
      Object.assign(globalThis, { counted });
    });
    await page.getByRole('button', { name: 'Add box' }).first().click();
    // Its first field has the focus, which a paste goes to.
    await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused();
    await page.keyboard.insertText(
      `ssh -p ${String(sshd.port)} ${sshd.user}@127.0.0.1 -i ${sshd.keyFile}`,
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Add box' }).click();
    await expect(page.getByText(sshd.fingerprint)).toBeVisible();
    await page.getByRole('button', { name: /fingerprint matches/ }).click();

    const sm = page.getByRole('region', { name: 'SM', exact: true });
    await expect(sm).toContainText('70 % · mem 40 %');
    await expect(sm.getByText(/^SM utilisation, last/)).toContainText(/70.% *, mean 70.%/);
    const isDrawn = (): Promise<boolean> =>
      sm.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas;
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
        return pixels.some((value) => value !== 0);
      });
    await expect.poll(isDrawn).toBe(true);
    const counted = await page.evaluate(
      () => (globalThis as unknown as { counted: unknown }).counted,
    );
    expect(counted).toEqual({ clicks: 3, keys: 0 });
  } finally {
    await sshd.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

test('a command on the way is asked about outside the page, and no means no', async () => {
  const { app, page } = await started();
  const answerWith = (response: number): Promise<void> =>
    app.evaluate(({ dialog }, chosen) => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      dialog.showMessageBox = (...args: unknown[]) => {
        shown.push((args.at(-1) as { detail: string }).detail);
        return Promise.resolve({ response: chosen, checkboxChecked: false });
      };
    }, response);
  await answerWith(0);
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox')
    .first()
    .fill('ssh -o "ProxyCommand=false %h %p" root@gpu.example');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/was not allowed/)).toBeVisible();
  const shown = await app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
  expect(shown).toEqual(['false %h %p']);
  await answerWith(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'gpu.example' })).toBeVisible();
});

test('what cannot be a box is explained beside the field', async () => {
  const { page } = await started();
  await page.getByRole('button', { name: 'Add box' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('ssh root@192.0.2.7 -p 99999');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText(/port/i).first()).toBeVisible();

  // Nobody answers at this port, and what is added is connected to at once.
  const command = 'ssh root@127.0.0.1 -p 1';
  await dialog.getByRole('textbox').first().fill(command);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: '127.0.0.1:1' })).toBeFocused();
  await page.getByRole('button', { name: 'Add box' }).first().click();
  await page.getByRole('dialog').getByRole('textbox').first().fill(command);
  await page.keyboard.press('Enter');
  // In sight, and under nothing.
  const twin = page.getByRole('dialog').getByText(/already there/);
  await expect(twin).toBeInViewport({ ratio: 1 });
  const isOnTop = await twin.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return shown !== null && (element.contains(shown) || shown.contains(element));
  });
  expect(isOnTop).toBe(true);
});
