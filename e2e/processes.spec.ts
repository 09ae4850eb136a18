import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';

/** The slow probe looks every 30 s. */
const LOOKED_WITHIN_MS = 70_000;

async function setZombie(page: Page): Promise<void> {
  const answer = await page.evaluate(() =>
    window.leasehold.call('demo:set-fault', { fault: 'vram-zombie', isOn: true }),
  );
  expect(answer).toEqual({ ok: true, value: null });
}

test('the process table shows the run, and a VRAM zombie is found, named, ended and gone @waits', async ({
  apps,
}) => {
  const { page, consoleErrors } = await apps.start();
  const panel = page.getByRole('region', { name: /rocesses/ });
  const row = panel.getByRole('row', { name: /train\.sh/ }).first();
  await expect(row).toContainText(/\d+\W*GiB/, { timeout: LOOKED_WITHIN_MS });
  await expect(row).toContainText('/train/runs/');
  await expectAccessible(page, 'process table');

  await setZombie(page);
  await expect(panel).toContainText(/GPU 0 holds .* and nvidia-smi lists nobody/, {
    timeout: LOOKED_WITHIN_MS,
  });
  await panel.getByRole('button', { name: 'Find holders…' }).click();
  const dialog = page.getByRole('dialog');
  const worker = dialog.getByRole('checkbox', { name: /GPU 0 .* not listed/ });
  await expect(worker).toBeVisible();
  await expect(worker).not.toBeChecked();
  await expect(dialog).toContainText('python3 -u train.py --worker 3');
  await expect(dialog).toContainText('adopted by process 1');
  await expectAccessible(page, 'holders of GPU memory');

  await worker.check();
  await dialog.getByRole('button', { name: 'End 1 process…' }).click();
  await expect(dialog.getByRole('button', { name: 'Leave it alone' })).toBeFocused();
  await expectAccessible(page, 'question before an end');
  await dialog.getByRole('button', { name: /^End \d+$/ }).click();
  await expect(dialog).toContainText('Ended.');
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await expect(dialog).toContainText(/GPU 0: 0\.0\W*GiB in use/, { timeout: 5000 });
  }).toPass();
  await expect(dialog).toContainText('No process of this box has a GPU open');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(consoleErrors).toEqual([]);
});
