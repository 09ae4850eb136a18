import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Resvg } from '@resvg/resvg-js';
import { expectAccessible } from '../fixtures/accessibility.ts';
import { expect, test } from '../fixtures/app.ts';
import { closeLaunchBox, openLaunchBox } from '../fixtures/launch-box.ts';
import { addBoxAt } from '../fixtures/real-box.ts';
import { shoot } from '../fixtures/shoot.ts';

// The pictures of docs/box-files.md: the folders of a real box, what is looked into, and what is not deleted.

const STEPS = [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000];
const lossAt = (step: number): number => 1.6 + 2.8 * Math.exp(-step / 1800);

const LOG = STEPS.flatMap((step) => [
  `step ${String(step)}/10000 loss ${lossAt(step).toFixed(4)} lr 3.00e-04 tokens_per_s 41${String(step % 997)}`,
  `eval  accuracy ${(0.92 - 0.4 * Math.exp(-step / 2600)).toFixed(5)} f1 ${(0.9 - 0.4 * Math.exp(-step / 2600)).toFixed(5)}`,
  `saved checkpoints/step-${String(step)}.safetensors`,
]).join('\n');

function lossCurve(): Buffer {
  const points = Array.from({ length: 60 }, (_, at) => {
    const y = 330 - (lossAt(at * 170) - 1.4) * 105;
    return `${String(60 + at * 9)},${y.toFixed(1)}`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="400" fill="#fff"/>
<path d="M60 20V330H610" fill="none" stroke="#555"/><polyline points="${points.join(' ')}" fill="none" stroke="#1f77b4" stroke-width="2.5"/></svg>`;
  return Buffer.from(new Resvg(svg).render().asPng());
}

/** What a training leaves, and names as people and programs give them. */
function fill(home: string): void {
  const at = join(home, 'bert-base');
  mkdirSync(join(at, 'checkpoints'), { recursive: true });
  for (const folder of ['configs', 'data', 'wandb', 'empty']) mkdirSync(join(at, folder));
  for (const step of STEPS) {
    const file = join(at, 'checkpoints', `step-${String(step)}.safetensors`);
    writeFileSync(file, Buffer.alloc(100_000 + step));
  }
  writeFileSync(join(at, 'train.log'), LOG);
  writeFileSync(join(at, 'loss.png'), lossCurve());
  writeFileSync(join(at, 'train.py'), 'print("training")\n');
  writeFileSync(join(at, 'metrics.jsonl'), '{"step": 1000, "loss": 3.2}\n'.repeat(900));
  writeFileSync(join(at, 'requirements.txt'), 'torch==2.8.0\n');
  writeFileSync(join(at, '.env'), '');
  const long =
    'eval_results_bert-base_lr3e-4_wd0.01_warmup500_seed17_fold3_of_5_after_early_stopping';
  writeFileSync(join(at, `${long}_with_a_tail_that_nobody_reads_to_its_end.json`), '{}');
  writeFileSync(join(at, 'two\nlines.txt'), '');
  writeFileSync(
    Buffer.concat([Buffer.from(join(at, 'r')), Buffer.from([0xe9]), Buffer.from('sum.txt')]),
    '',
  );
  symlinkSync('checkpoints', join(at, 'latest'));
  symlinkSync('/mnt/gone', join(at, 'scratch'));
  symlinkSync('around', join(at, 'around'));
  utimesSync(join(at, 'requirements.txt'), 1.76e9, 1.76e9);
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Go to a folder…' }).click();
  await page.getByLabel('Path', { exact: true }).fill(path);
  await page.keyboard.press('Enter');
}

test('takes the pictures of files', async ({ apps }) => {
  const { app, page } = await apps.start();
  const resize = (width: number, height: number): Promise<void> =>
    app.evaluate(
      ({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, h),
      [width, height] as const,
    );
  await resize(1440, 900);
  const box = await openLaunchBox('lab-a100', () => ({
    configLines: ['Subsystem sftp internal-sftp'],
  }));
  fill(box.home);
  const at = join(box.home, 'bert-base');
  await addBoxAt(page, box.sshd, box.sshd.port, box.name);

  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('base, lr 3e-4');
  await dialog.getByLabel('Folder on the box').fill(at);
  await dialog.getByLabel('Command', { exact: true }).fill('true');
  await dialog.getByLabel('Results folder').fill('checkpoints');
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();
  await expect(page.getByText('Done', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await goTo(page, at);
  await page.getByRole('row', { name: /train\.log/ }).dblclick();
  await expect(page.getByText('step 10000/10000')).toBeVisible();
  await shoot(page, 'files-text');
  await page.getByRole('row', { name: /loss\.png/ }).dblclick();
  await expect(page.getByText('640 × 400 pixels')).toBeVisible();
  await resize(1024, 700);
  await shoot(page, 'files-image');
  await page.getByRole('button', { name: 'Close the preview' }).click();
  await resize(1440, 900);
  await page.getByLabel('Search by name in this folder').fill('*000.safetensors');
  await page.keyboard.press('Enter');
  await expect(page.getByText('10 found')).toBeVisible();
  await shoot(page, 'files-search');
  await goTo(page, join(at, 'checkpoints'));
  await page.getByRole('row', { name: /step-9000/ }).click();
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Delete');
  await expect(page.getByText(/never brought home/)).toBeVisible();
  await expectAccessible(page, 'deleting is refused');
  await shoot(page, 'files-refused');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await goTo(page, join(at, 'empty'));
  await expect(page.getByText('This folder is empty')).toBeVisible();
  await shoot(page, 'files-empty');
  await goTo(page, join(at, 'none'));
  await expect(page.getByText(/is not on the box/)).toBeVisible();
  await shoot(page, 'files-error');
  await closeLaunchBox(box);
});
