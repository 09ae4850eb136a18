import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/app.ts';
import { launchOnDemo } from '../fixtures/launch-on-demo.ts';
import { shoot } from '../fixtures/shoot.ts';

// The pictures of docs/results.md: what would come by itself, and that it does.

const MODEL = readFileSync(
  join('src', 'main', 'verify', 'specimens', 'arrays', 'safetensors-0.8.0--plain.safetensors'),
).toString('base64');

const COMMAND = `mkdir -p out
cd out
for step in 1000 2000 3000; do echo ${MODEL} | base64 -d >step-$step.safetensors; sleep 1; done
cp step-2000.safetensors best.safetensors
for step in 1000 2000 3000; do echo "{\\"step\\": $step, \\"loss\\": 1.$((9000 - step))}"; done >metrics.jsonl
sleep 3600`;

test('takes the pictures of results that come by themselves', async ({ apps }) => {
  const { page, dialog, folder } = await launchOnDemo(apps, COMMAND);
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show results' }).click();
  await expect(async () => {
    await page.getByRole('button', { name: 'List again' }).click();
    await expect(page.getByRole('cell', { name: 'metrics.jsonl' })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await page.getByRole('button', { name: 'Keep bringing…' }).click();
  await expect(dialog).toContainText(folder);
  await shoot(page, 'results-continuous-plan');
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const line = page.getByRole('region', { name: 'New results by themselves' });
  await expect(line).toContainText(/brought 3 files/, { timeout: 60_000 });
  await shoot(page, 'results-continuous');
  rmSync(folder, { recursive: true });
});
