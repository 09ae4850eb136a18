// A log that grows faster than anybody reads, followed in the real window.
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchFleet, type FleetProbe } from './fleet-page.ts';
import type { BenchRow } from './harness.ts';
import { clickToText, planRun } from './launch-page.ts';
import { growthRows, pidsOf, watchGrowth } from './process-figures.ts';
import { benchRuns, DROPPED_MS, type RunsWindow } from './runs-window.ts';
import { percentile } from './windows.ts';

const FLOOD_S = 15;
/** 20 MB/s and a little more, because the loop itself takes time. */
const FLOOD_CHUNK_BYTES = 1_400_000;
const FLOOD_CHUNKS_PER_S = 20;

/** Lines as a training run prints them. */
function makeChunk(): string {
  let text = '';
  for (let step = 0; text.length < FLOOD_CHUNK_BYTES; step += 1) {
    text += `step ${String(step)} loss ${(4 / (1 + step / 500)).toFixed(4)} lr 3.00e-04 ${'.'.repeat(step % 60)}\n`;
  }
  return text;
}

async function followFlood({ running, home }: RunsWindow): Promise<readonly BenchRow[]> {
  const { app, page } = running;
  writeFileSync(join(home, 'chunk'), makeChunk());
  const times = FLOOD_S * FLOOD_CHUNKS_PER_S;
  await planRun(
    page,
    'flood',
    `echo begins; i=0; while [ $i -lt ${String(times)} ]; do cat chunk; sleep ${String(1 / FLOOD_CHUNKS_PER_S)}; i=$((i + 1)); done; echo the very "end"`,
  );
  await clickToText(page, 'Launch', 'step');
  await page.evaluate(watchFleet, 'main');
  const beganMs = performance.now();
  const { growthMiB } = await watchGrowth(await pidsOf(app), () =>
    page.getByText('the very end').first().waitFor({ timeout: 180_000 }),
  );
  const tookS = (performance.now() - beganMs) / 1000;
  const { intervalMs, workMs } = await page.evaluate(() =>
    (window as unknown as { fleetProbe: FleetProbe }).fleetProbe.takeFrames(),
  );
  const p95 = percentile(intervalMs, 0.95);
  const dropped = intervalMs.filter((ms) => ms > DROPPED_MS).length / intervalMs.length;
  const loggedMB = (statSync(join(home, 'chunk')).size * times) / 1e6;
  return [
    { measure: 'the log grew by', value: loggedMB / tookS, unit: 'MB/s' },
    {
      measure: `frame to frame while it is followed, p95 of ${String(intervalMs.length)}`,
      value: p95,
      unit: 'ms',
      goal: `no frame dropped: under ${DROPPED_MS.toFixed(1)} ms`,
      isMet: p95 < DROPPED_MS,
    },
    { measure: 'frames dropped', value: dropped * 100, unit: '%' },
    {
      measure: 'work in a frame while it is followed, p95',
      value: percentile(workMs, 0.95),
      unit: 'ms',
    },
    ...growthRows(growthMiB, 'while it is followed'),
  ];
}

await benchRuns('runs-flood', followFlood);
