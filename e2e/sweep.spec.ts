import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';

const test = base.extend<{ boxes: readonly [LaunchBox, LaunchBox] }>({
  boxes: async ({}, use) => {
    const boxes = [await openLaunchBox('alpha'), await openLaunchBox('beta')] as const;
    await use(boxes);
    for (const box of boxes) await closeLaunchBox(box);
  },
});

test('a sweep runs over two boxes, what failed in it runs again, and then all is done', async ({
  apps,
  boxes,
}) => {
  const { page, consoleErrors } = await apps.start();
  for (const { name, sshd } of boxes) await addBoxAt(page, sshd, sshd.port, name);

  // What was typed for one run is where a sweep begins, too.
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog.getByRole('button', { name: 'Make it a sweep…' }).click();
  await expect(dialog.getByLabel('Folder on the boxes')).toHaveValue('~');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('navigation').getByRole('button', { name: /Fleet/ }).first().click();
  await page.getByRole('button', { name: 'Sweeps' }).click();
  await expectAccessible(page, 'no sweeps');
  await page.getByRole('button', { name: 'Launch a sweep…' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('three rates');
  await dialog.getByLabel('Parameters', { exact: true }).fill('lr: 0.1, 0.2\nseed: 0, 1, 2');
  await dialog.getByLabel('Command of each cell').fill('echo {lr} {seed}');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText(/Write \{results\} where the folder/)).toBeVisible();
  await dialog
    .getByLabel('Command of each cell')
    .fill(
      'echo step {seed} loss {lr}; [ {lr}{seed} != 0.21 ] || [ -e mended ] || exit 7; until [ {lr}{seed} != 0.22 ] || [ -e go ]; do sleep 0.1; done; echo {seed} >{results}/out',
    );
  await expect(dialog.getByText('6 cells', { exact: true })).toBeVisible();
  // The demo box is beside them, and nobody's cells go there unasked.
  await expect(dialog.getByLabel('Cells for alpha')).toHaveValue('3');
  await dialog.getByLabel('Cells for alpha').fill('5');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('8 of 6 cells have a box: change the numbers.')).toBeVisible();
  await expectAccessible(page, 'the form of a sweep');
  await dialog.getByRole('button', { name: 'Propose again' }).click();
  await dialog.getByLabel('Name', { exact: true }).press('Control+Enter');

  for (const { name } of boxes) {
    const share = dialog.getByRole('region', { name, exact: true });
    await expect(share).toContainText('3 cells');
    await expect(share).toContainText('can be entered and written');
    await share.getByText(`Everything that is done on ${name}`).click();
    await expect(share).toContainText('mkdir -p -- results/lr=0.');
  }
  await expectAccessible(page, 'the plan of a sweep');
  expect(boxes.some(({ home }) => existsSync(join(home, '.local/state/leasehold/runs')))).toBe(
    false,
  );
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();

  const table = page.getByRole('grid', { name: 'Cells' });
  const row = (name: string): Locator =>
    table.getByRole('row').filter({ has: page.getByRole('gridcell', { name, exact: true }) });
  await expect(row('lr=0.2 seed=1')).toContainText('Failed (exit 7)');
  await expect(row('lr=0.2 seed=2')).toContainText('Running');
  await expect(row('lr=0.2 seed=2')).toContainText('0.2');
  await expect(table.getByRole('columnheader', { name: 'loss' })).toBeVisible();
  await expectAccessible(page, 'a sweep that runs');
  for (const { home } of boxes) writeFileSync(join(home, 'go'), '');
  await expect(row('lr=0.2 seed=2')).toContainText('Done');
  await expect(page.getByText(/Nothing of it goes on: 5 done, 1 failed/)).toBeVisible();

  await page.getByRole('button', { name: 'Failed 1' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Check results' }).click();
  await page.getByRole('button', { name: 'Run 1 again…' }).click();
  for (const { home } of boxes) writeFileSync(join(home, 'mended'), '');
  await expectAccessible(page, 'running a cell again');
  await dialog.getByRole('checkbox', { name: 'alpha' }).uncheck();
  await dialog.getByRole('button', { name: 'Show plan' }).click();
  const again = dialog.getByRole('region', { name: 'beta', exact: true });
  await expect(again).toContainText('1 cell');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();

  await expect(page.getByText(/All cells are done, each once/)).toBeVisible();
  await page.getByRole('button', { name: 'All 6' }).click();
  await expect(row('lr=0.2 seed=1')).toContainText('beta');
  await expectAccessible(page, 'a sweep that is over');
  expect(readFileSync(join(boxes[1].home, 'results/lr=0.2-seed=1/out'), 'utf8')).toBe('1\n');

  // The log of a cell is one key away, and the sweep stands in the tab of its box.
  await row('lr=0.2 seed=1').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Log of cell 1, lr=0.2 seed=1' })).toContainText(
    'step 1 loss 0.2',
  );
  await page.getByRole('button', { name: 'All runs' }).click();
  await page.getByRole('region', { name: 'Sweeps' }).getByRole('button').click();
  await expect(row('lr=0.1 seed=0')).toContainText('Done');
  expect(consoleErrors).toEqual([]);
});
