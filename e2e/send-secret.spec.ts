import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSshd } from '../src/main/ssh/sshd.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';
import { addRealBox } from './fixtures/real-box.ts';

test.skip(!hasSshd, 'no OpenSSH server on this machine');

const VALUE = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';

test('a secret is written for its owner only, read back, and leaves no trace here', async ({
  apps,
}) => {
  const home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
  const { app, page, log, consoleErrors, folder } = await apps.start();
  const sshd = await addRealBox(page, { home });
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
