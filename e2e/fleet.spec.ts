import type { Page } from '@playwright/test';
import { startFarm, type FarmBox } from '../src/main/demo/box-farm.fixture.ts';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test } from './fixtures/app.ts';
import { writeFarmFolder } from './fixtures/farm-folder.ts';

const MODELS = ['H100-80GB-HBM3', 'Tesla-T4'] as const;
const BOXES: readonly FarmBox[] = Array.from({ length: 40 }, (_none, i) => ({
  name: `box-${String(i)}`,
  platform: i % 2 === 0 ? 'runpod' : 'vastai',
  model: MODELS[i % 2] ?? 'Tesla-T4',
  gpuCount: i % 2 === 0 ? 8 : 1,
  load: i % 10 === 3 ? 'idle' : 'training',
}));

const grid = (page: Page) => page.locator('table', { hasText: 'Last hour' });
const row = (page: Page, name: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) });
const firstBox = (page: Page) => grid(page).locator('tbody tr[data-row]').first();

test('a fleet of many boxes is sorted, filtered, grouped and walked through', async ({ apps }) => {
  const farm = await startFarm(BOXES);
  const folder = apps.makeFolder();
  const ids = writeFarmFolder(folder, farm, { hasPast: true });
  const { page, consoleErrors } = await apps.start({ folder });
  try {
    await expect(row(page, 'box-0')).toContainText(/working.*8× H100.*W/s);
    await expect(page.getByText(/^40 boxes · 180 GPUs · .*36 working, 4 idle/)).toBeVisible();
    // The hour before this start, from the history.
    const hour = row(page, 'box-0').getByRole('img');
    await expect(hour).toHaveAttribute('aria-label', /SM load of the last hour: \d+ to \d+ %/);
    const minutes = async (): Promise<number> =>
      ((await hour.locator('path').getAttribute('d')) ?? '').split('L').length;
    await expect.poll(minutes).toBeGreaterThan(50);

    await page.getByRole('columnheader', { name: 'SM' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'SM' }).getByRole('button').click();
    await expect(page.getByRole('columnheader', { name: 'SM' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await expect(firstBox(page)).toContainText(/idle/);

    await page.keyboard.press('/');
    await page.keyboard.type('t4 vast');
    await expect(page.getByText('20 of 40')).toBeVisible();
    await page.getByRole('button', { name: /^idle/ }).click();
    await expect(page.getByText('4 of 40')).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();

    await page.evaluate(
      (boxId) => window.leasehold.call('box:tag', { boxId, tags: ['ablation'] }),
      ids[9] ?? '',
    );
    await page.getByLabel('Group:').selectOption('tag');
    await expect(firstBox(page)).toContainText(/ablation 1 box/);
    await expectAccessible(page, 'grouped fleet');

    await firstBox(page).focus();
    await page.keyboard.press('End');
    await expect(page.locator('tr[data-row]:focus')).toContainText(/box-/);
    await page.keyboard.press('Home');
    await expect(page.locator('tr[data-row]:focus')).toContainText('ablation');
    await page.keyboard.press('ArrowLeft');
    await expect(firstBox(page)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'box-9' })).toBeVisible();

    // The order outlives the page, and the window.
    await page.getByRole('button', { name: 'Fleet', exact: true }).click();
    await expect(page.getByLabel('Group:')).toHaveValue('tag');
    await expect(page.getByRole('columnheader', { name: 'SM' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    expect(farm.unexpected).toEqual([]);
    expect(consoleErrors).toEqual([]);
  } finally {
    await farm.stop();
  }
});

test('tags are given in a row’s menu, and a card in parts says so on its box’s page', async ({
  apps,
}) => {
  const split: FarmBox = { ...BOXES[0]!, name: 'split', gpuCount: 2, load: 'mig' };
  const farm = await startFarm([...BOXES.slice(0, 3), split]);
  const folder = apps.makeFolder();
  writeFarmFolder(folder, farm);
  const { page } = await apps.start({ folder });
  try {
    await row(page, 'box-1').hover();
    await page.getByRole('button', { name: 'More actions for box-1' }).click();
    await page.getByRole('menuitem', { name: 'Tags…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags of box-1' });
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('team vision, ablation');
    await expectAccessible(page, 'tags');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(row(page, 'box-1')).toContainText('team vision');
    await expect(row(page, 'box-1')).toContainText('ablation');

    await row(page, 'split').getByRole('button', { name: 'split', exact: true }).click();
    const note = page.getByRole('region', { name: 'MIG' });
    await expect(note).toContainText('GPU 0 is split into 2 parts; GPU 1 is split into 2 parts');
    await expect(note.getByRole('list', { name: 'Parts of GPU 1' })).toContainText(
      /Part 0 · 3g\.40gb.*10\.8 of 39\.5.GiB/,
    );
    await expectAccessible(page, 'a card in parts');
  } finally {
    await farm.stop();
  }
});
