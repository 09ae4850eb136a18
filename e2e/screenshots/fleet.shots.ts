import { startFarm, type FarmBox } from '../../src/main/demo/box-farm.fixture.ts';
import { expect, test } from '../fixtures/app.ts';
import { writeFarmFolder } from '../fixtures/farm-folder.ts';
import { shoot } from '../fixtures/shoot.ts';

// The picture of the fleet page: a hundred servers of this machine that answer as boxes do, with an hour behind them.

const NAMES = ['train', 'sweep', 'ablation', 'eval', 'serve'];
const PLATFORMS = ['runpod', 'vastai', 'autodl', 'lambda', 'slurm', 'generic-ssh'];
const CARDS = [
  ['H100-80GB-HBM3', 8],
  ['GeForce-RTX-4090', 2],
  ['A100-SXM4-80GB', 4],
  ['L40S', 4],
  ['H200', 8],
  ['Tesla-T4', 1],
] as const;
const LOADS = [
  'training',
  'training',
  'throttled',
  'training',
  'idle',
  'training',
  'lost-gpu',
] as const;
const TAGS = ['ablation', 'team vision', 'paper'];
const BOXES = 100;

/** A detector is sure after half a minute of readings, and a fault of the kernel log after one look. */
const FOUND_WITHIN_MS = 90_000;

function boxAt(i: number): FarmBox {
  const [model, gpuCount] = CARDS[(i * 5) % CARDS.length] ?? CARDS[0];
  return {
    name: `${NAMES[i % NAMES.length] ?? ''}-${String(i + 1)}`,
    platform: PLATFORMS[i % PLATFORMS.length] ?? '',
    model,
    gpuCount,
    load: LOADS[(i * 3) % LOADS.length] ?? 'training',
  };
}

test('takes the picture of a fleet', async ({ apps }) => {
  test.setTimeout(FOUND_WITHIN_MS + 180_000);
  const farm = await startFarm(Array.from({ length: BOXES }, (_none, i) => boxAt(i)));
  const folder = apps.makeFolder();
  const ids = writeFarmFolder(folder, farm, { hasPast: true });
  const { app, page } = await apps.start({ folder });
  try {
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
    );
    for (const [i, boxId] of ids.entries()) {
      const tag = TAGS[(i * 7) % 12];
      if (tag === undefined) continue;
      await page.evaluate(
        ([id, word]) => window.leasehold.call('box:tag', { boxId: id, tags: [word] }),
        [boxId, tag] as const,
      );
    }
    const grid = page.getByRole('grid', { name: 'Boxes' });
    await expect(grid.getByText('GPU error').first()).toBeVisible({ timeout: FOUND_WITHIN_MS });
    await expect(grid.getByText('throttled').first()).toBeVisible({ timeout: FOUND_WITHIN_MS });
    await shoot(page, 'fleet');
    await page.getByLabel('Group:').selectOption('platform');
    await expect(page.getByRole('treegrid', { name: 'Boxes' })).toBeVisible();
    await shoot(page, 'fleet-grouped');
  } finally {
    await farm.stop();
  }
});
