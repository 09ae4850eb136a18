import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/app.ts';
import { closeLaunchBox, openLaunchBox } from '../fixtures/launch-box.ts';
import { addBoxAt } from '../fixtures/real-box.ts';
import { shoot } from '../fixtures/shoot.ts';
import { openShell, runLine, screenText } from '../fixtures/terminal.ts';

// The pictures of docs/runs.md: what a person sees from the form to a run that trains.

/** Prints what a small language model does, twenty lines a second. */
const TRAINER = String.raw`awk 'BEGIN { srand(7); for (s = 20; s <= 4000; s += 20) { printf "step %d/4000 loss %.4f lr %.2e tokens_per_s %d\n", s, 1.6 + 2.8 * exp(-s / 900) + rand() / 9, s < 200 ? s * 1.5e-6 : 3e-4 * (1 - s / 5000), 41000 + rand() * 900; fflush(); system("sleep 0.05") } }'`;

/** The same in a few seconds, and not at all once the box is to be closed. */
const CELL = `[ ! -e ~/go ] || exit\n${TRAINER.replace('0.05', '0.02')}\necho done >"$1/metrics.txt"\n`;

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('base, lr 3e-4');
  await dialog.getByLabel('Folder on the box').fill('~');
}

async function showPlan(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'What runs' })).toBeVisible();
}

test('takes the pictures of launching', async ({ apps }) => {
  const { app, page } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  await openShell(page);
  await runLine(
    page,
    `mkdir -p configs; cat >train.sh <<'SCRIPT'\n${TRAINER}\nSCRIPT\nwc -l train.sh`,
  );
  await expect(screenText(page)).toContainText('1 train.sh');
  const dialog = page.getByRole('dialog');

  await openForm(page);
  await dialog
    .getByLabel('Command', { exact: true })
    .fill('sh train.sh --config configs/base.yaml');
  await dialog.getByLabel('Results folder').fill('outputs');
  await dialog.getByLabel('Environment').fill('CUDA_VISIBLE_DEVICES=0,1');
  await shoot(page, 'launch-form');

  // What is refused, with why and what to do.
  await dialog.getByLabel('Folder on the box').fill('~/llm-base');
  await dialog.getByText('Data, disk, smoke command and copy of the results').click();
  const fetch = dialog.getByLabel('Fetch on the box');
  await fetch.fill(
    'data: curl -LO https://example.org/train.tar; tar xf train.tar\nmodel: hf download org/model',
  );
  await showPlan(page);
  await shoot(page, 'launch-blocked');
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByLabel('Folder on the box').fill('~');
  await fetch.fill('');

  await showPlan(page);
  await shoot(page, 'launch-plan');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Training' })).toContainText(/Step 3\D\d{3}/, {
    timeout: 30_000,
  });
  await shoot(page, 'run');
  // While it lives, nothing else is launched that saves into the same folder.
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 60_000 });

  await page.getByRole('button', { name: 'All runs' }).click();
  await openForm(page);
  await dialog.getByText('A queue of cells').click();
  const cells = ['1e-4', '3e-4', '1e-3'].map((lr) => `lr-${lr}: sh train.sh --lr ${lr}`);
  await dialog.getByRole('textbox', { name: 'Cells' }).fill(cells.join('\n'));
  await showPlan(page);
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(page.getByRole('row', { name: /lr-3e-4/ })).toContainText('Running', {
    timeout: 30_000,
  });
  await shoot(page, 'queue');
});

test('takes the pictures of a sweep', async ({ apps }) => {
  const { app, page } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  const boxes = [await openLaunchBox('a100-oslo'), await openLaunchBox('4090-lyon')];
  try {
    for (const { name, sshd, home } of boxes) {
      writeFileSync(join(home, 'train.sh'), CELL);
      await addBoxAt(page, sshd, sshd.port, name);
    }
    await page.getByRole('navigation').getByRole('button', { name: /Fleet/ }).first().click();
    await page.getByRole('button', { name: 'Sweeps' }).click();
    await page.getByRole('button', { name: 'Launch a sweep…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('learning rates');
    await dialog.getByLabel('Folder on the boxes').fill('~');
    const grid = 'lr: 1e-4, 3e-4, 1e-3\nwidth: 256, 512\nseed: 0, 1';
    await dialog.getByLabel('Parameters', { exact: true }).fill(grid);
    await dialog
      .getByLabel('Command of each cell')
      .fill('sh train.sh {results} --lr {lr} --width {width} --seed {seed}');
    await expect(dialog.getByText('12 cells', { exact: true })).toBeVisible();
    await shoot(page, 'sweep-form');
    await page.keyboard.press('Control+Enter');
    await expect(dialog.getByRole('region', { name: 'a100-oslo', exact: true })).toContainText(
      'cells',
    );
    await shoot(page, 'sweep-plan');
    await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
    await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 40_000 });
    await shoot(page, 'sweep');
    for (const name of ['lr=1e-4 width=256 seed=0', 'lr=1e-4 width=512 seed=0']) {
      await page.getByRole('checkbox', { name: `Curves of ${name}` }).check();
    }
    await page.getByRole('combobox', { name: 'by' }).selectOption('lr');
    const curves = page.getByRole('region', { name: 'Curves of the chosen cells' });
    await expect(curves.getByRole('application').first()).toBeVisible();
    await shoot(page, 'sweep-curves');
  } finally {
    for (const box of boxes) await closeLaunchBox(box);
  }
});
