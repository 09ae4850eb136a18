import { spawn } from 'node:child_process';
import {
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startHookServer } from '../src/main/webhook/http-server.fixture.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';
import { addRealBox } from './fixtures/real-box.ts';

test.use({ hasDemo: false });

test.skip(!hasSshd, 'no OpenSSH server on this machine');

const VALUE = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';

test('a secret is written for its owner only, read back, and leaves no trace here', async ({
  apps,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  const { app, page, log, consoleErrors, folder } = await apps.start();
  const sshd = await addRealBox(page, { home, env: { LEASEHOLD_EVERY_S: '0.2' } });
  try {
    const file = join(home, '.config/leasehold/WANDB_API_KEY');
    const dialog = page.getByRole('dialog');
    const fill = async (value: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Send a secret…' }).click();
      await dialog.getByLabel('Variable').fill('WANDB_API_KEY');
      await dialog.getByLabel('Secret', { exact: true }).fill(value);
    };
    await fill(VALUE);
    await expectAccessible(page, 'send a secret');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(/SHA-256 the same/)).toBeVisible();
    await expect(dialog.getByText(/^export WANDB_API_KEY=/)).toBeVisible();
    await expectAccessible(page, 'a secret was sent');
    expect(readFileSync(file, 'utf8')).toBe(VALUE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);

    await fill(`${VALUE}-new`);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Choose another place' })).toBeFocused();
    await expectAccessible(page, 'a file is there already');
    expect(readFileSync(file, 'utf8')).toBe(VALUE);
    await dialog.getByRole('button', { name: 'Replace the file' }).click();
    await expect(dialog.getByText(/SHA-256 the same/)).toBeVisible();
    expect(readFileSync(file, 'utf8')).toBe(`${VALUE}-new`);

    await page.keyboard.press('Escape');

    // The recovery handbook is written to the box in the same way, after a yes, and goes with the yes.
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('copy recovery');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('It is on the clipboard now, as Markdown.')).toBeVisible();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toContain('# Recovery handbook: real');
    await expectAccessible(page, 'the recovery handbook');
    const copyOnBox = dialog.getByRole('switch', { name: 'Keep a copy on the box' });
    const copies = (): string[] =>
      readdirSync(join(home, '.config/leasehold')).filter((name) => name.endsWith('.md'));
    expect(copies()).toEqual([]);
    await copyOnBox.click();
    await expect(dialog.getByText(/Read back there/)).toBeVisible();
    expect(copies()).toHaveLength(1);
    await copyOnBox.click();
    await expect(dialog.getByText(/nothing of this is on the box/)).toBeVisible();
    expect(copies()).toEqual([]);
    const [handbook = ''] = readdirSync(join(folder, 'recovery'));
    expect(statSync(join(folder, 'recovery', handbook)).mode & 0o777).toBe(0o600);

    await page.keyboard.press('Escape');
    await tellFromTheBox(page, home);
    expect(log()).not.toContain('very-secret-token');

    expect(log()).not.toContain(VALUE);
    expect(await page.content()).not.toContain(VALUE);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map(({ name }) => readFileSync(join(folder, name), 'latin1')).join();
    expect(stored).not.toBe('');
    expect(stored).not.toContain(VALUE);
    expect(consoleErrors).toEqual([]);
  } finally {
    await sshd.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

/** A run's end is told by the box: what is put there is shown before, read back after, and its address is nowhere else. */
async function tellFromTheBox(page: Page, home: string): Promise<void> {
  await page.getByRole('tab', { name: 'Runs' }).click();
  const checkNow = page.getByRole('tabpanel').getByRole('button', { name: 'Check now' });
  // A check that is under way, which may have listed what runs already, would be the answer.
  await expect(checkNow).toBeVisible();
  const hook = await startHookServer();
  const log = openSync(join(home, 'train.log'), 'w');
  const run = spawn('sleep', ['613'], { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  try {
    await checkNow.click();
    const card = page.getByRole('article', { name: 'sleep 613' });
    await card.getByRole('button', { name: 'Notify from the box when it ends…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'JSON' }).check();
    await dialog.getByLabel('Address', { exact: true }).fill(hook.url);
    await expectAccessible(page, 'where the box tells');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(`http://127.0.0.1:${String(hook.port)}/••••`)).toBeVisible();
    await expectAccessible(page, 'what goes to the box');
    await dialog.getByRole('button', { name: 'Send a test from the box' }).click();
    await expect(dialog.getByText('The test was accepted with HTTP 200.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Arm', exact: true }).click();
    await expect(dialog.getByText(/its process table shows the watching process/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Waits for its end.')).toBeVisible();
    await expectAccessible(page, 'what waits on the box');
    expect(await page.content()).not.toContain(new URL(hook.url).pathname);
    run.kill();
    await hook.gotten(2);
    expect(hook.received[1]?.body).toContain('"because":"ended"');
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(page.getByText(/The run ended; the message was accepted/)).toBeVisible();
    }).toPass();
    await page.getByRole('button', { name: 'Clear away: sleep 613' }).click();
    await expect(page.getByRole('heading', { name: 'Told from the box' })).toHaveCount(0);
    expect(readdirSync(join(home, '.local/state/leasehold/push'))).toEqual([]);
  } finally {
    run.kill();
    await hook.stop();
  }
}
