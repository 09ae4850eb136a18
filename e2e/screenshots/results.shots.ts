import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/app.ts';
import { launchOnDemo } from '../fixtures/launch-on-demo.ts';
import { shoot } from '../fixtures/shoot.ts';

// The pictures of docs/results.md: what bringing results home would do, and how far each file is proven.

const SPECIMENS = join('src', 'main', 'verify', 'specimens');
const specimen = (name: string, kind = 'arrays'): string =>
  readFileSync(join(SPECIMENS, kind, name)).toString('base64');

/** A run whose results are files that the libraries wrote, one of them cut off. */
const COMMAND = `mkdir -p out/checkpoints
cd out
echo ${specimen('safetensors-0.8.0--plain.safetensors')} | base64 -d >model.safetensors
echo ${specimen('safetensors-0.8.0--not-finite.safetensors')} | base64 -d >checkpoints/step-004000.safetensors
head -c 1000 model.safetensors >checkpoints/step-002000.safetensors
echo ${specimen('numpy-2.4.6--matrix.npy')} | base64 -d >confusion.npy
for step in 1000 2000 3000 4000; do echo "{\\"step\\": $step, \\"loss\\": 1.$((9000 - step))}"; done >metrics.jsonl
echo '{"eval": {"accuracy": 0.91298, "f1": 0.8874, "loss": 1.7312}, "epoch": 3}' >metrics.json
echo 'trained' >notes.txt
head -c 300000 /dev/urandom >optimizer.tmp
ln -s checkpoints/step-004000.safetensors latest
echo done`;

test('takes the pictures of results', async ({ apps }) => {
  const { page, dialog, folder } = await launchOnDemo(apps, COMMAND);
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  // Only there the card of the clock has room for the sentence.
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText(/You are \d+ checkpoints/)).toBeVisible();
  await shoot(page, 'behind');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Show results' }).click();
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await expect(dialog).toContainText(folder);
  await dialog.getByRole('checkbox', { name: 'optimizer.tmp' }).uncheck();
  await dialog.getByRole('radio', { name: 'Scratch' }).check();
  await shoot(page, 'results-plan');
  await dialog.getByRole('button', { name: /^Bring home \d/ }).click();
  await expect(page.getByText('Evidence no. 1')).toBeVisible();
  await page.getByRole('button', { name: 'Choose numbers…' }).click();
  const choose = async (key: string, name: string, figure: string): Promise<void> => {
    await dialog.getByRole('checkbox', { name: key }).check();
    const row = dialog.getByRole('listitem').filter({ hasText: key });
    await row.getByLabel('Name', { exact: true }).fill(name);
    await row.getByLabel('As you report it').fill(figure);
  };
  await choose('eval.accuracy', 'final accuracy', '91.3 %');
  await choose('eval.f1', '', '0.89');
  await dialog.getByRole('combobox').selectOption('metrics.jsonl');
  await choose('loss@lowest', 'best loss', '1.48');
  await shoot(page, 'results-numbers');
  await dialog.getByRole('button', { name: 'Read again and keep' }).click();
  await expect(page.getByText('Re-read, differs').first()).toBeVisible();
  await page
    .getByRole('button', { name: 'Accept as it is: checkpoints/step-002000.safetensors…' })
    .click();
  await dialog
    .getByLabel('Why it is accepted')
    .fill('cut off when the disk was full; the later one is whole');
  await shoot(page, 'results-accept');
  await dialog.getByRole('button', { name: 'Accept this file' }).click();
  await expect(page.getByText('Damaged, accepted').first()).toBeVisible();
  await shoot(page, 'results');
  await page.getByRole('button', { name: 'Evidence no. 1' }).click();
  await expect(dialog).toContainText('as it was written');
  await shoot(page, 'results-evidence');
  rmSync(folder, { recursive: true });
});

const TORCH_COMMAND = `mkdir -p out/checkpoints
cd out
echo ${specimen('torch-2.10.0--state.pt', 'torch')} | base64 -d >model.pt
echo ${specimen('torch-2.10.0--not-finite.pt', 'torch')} | base64 -d >checkpoints/step-004000.pt
echo ${specimen('torch-2.10.0--whole-module.pt', 'torch')} | base64 -d >checkpoints/whole-module.pt
echo done`;

/** PyTorch takes gigabytes: this answers as it does, in the words of `python-check.py`. */
const PYTHON = `#!/bin/sh
case "$*" in
  *whole-module*) echo '{"kind":"refused","torch":"2.10.0","says":"Unsupported global: GLOBAL __main__.Net was not an allowed global by default.","isAlone":true}' ;;
  *step-004000*) echo '{"kind":"loads","torch":"2.10.0","tensors":3,"isAlone":true}' ;;
  *) echo '{"kind":"loads","torch":"2.10.0","tensors":4,"isAlone":true}' ;;
esac
`;

test('takes the picture of an own Python', async ({ apps }) => {
  const { app, page, dialog, folder } = await launchOnDemo(apps, TORCH_COMMAND);
  await expect(page.getByText('Done', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show results' }).click();
  await page.getByRole('button', { name: 'Bring home…' }).click();
  await dialog.getByRole('button', { name: /^Bring home \d/ }).click();
  await expect(page.getByText('Evidence no. 1')).toBeVisible();
  const python = join(folder, 'python3');
  writeFileSync(python, PYTHON, { mode: 0o755 });
  await app.evaluate(({ dialog: system }, chosen) => {
    system.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, python);
  await page.getByRole('button', { name: 'Load with your Python…' }).click();
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  await dialog.getByRole('button', { name: 'Load 3 files' }).click();
  await expect(dialog.getByRole('status')).toHaveText('2 of 3 files opened by your Python');
  await shoot(page, 'results-python');
  rmSync(folder, { recursive: true });
});
