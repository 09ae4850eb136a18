// 100 boxes of 8 GPUs each at a sample a second, over real SSH streams, in the real app: what main and the window cost, whether
// each printed sample arrived, and how long a printed line takes to a pixel. FLEET_MINUTES says for how long each page is
// looked at (10 for the record), FLEET_PAGES which (`fleet,box`). FLEET_PROFILE keeps two profiles of main in that folder: where
// its time goes, and what it makes that is garbage soon (either costs time of its own: compare figures without it). The boxes
// run at a lower priority than the app, because real ones are elsewhere. Linux only: it reads /proc.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { launch, type RunningApp } from '../e2e/fixtures/app.ts';
import type { PrintedCycle } from '../src/main/demo/box-farm.fixture.ts';
import { askBoxes, endBoxes, startBoxes, tell, writeBoxes, type Boxes } from './farm-process.ts';
import { smPctOf, type FarmReport } from './fleet-farm.ts';
import {
  readSamples,
  watchFleet,
  type FleetProbe,
  type Frames,
  type Painted,
} from './fleet-page.ts';
import { report, type BenchRow } from './harness.ts';
import { firstThreadSeconds, processorSeconds } from './process-figures.ts';
import { percentile } from './windows.ts';

const BOXES = Number(process.env['FLEET_BOXES'] ?? 100);
const GPUS = 8;
const MINUTES = Number(process.env['FLEET_MINUTES'] ?? 2);
const PAGES = (process.env['FLEET_PAGES'] ?? 'fleet,box').split(',');
const PROFILE = process.env['FLEET_PROFILE'];
/** Rings, detectors and the engine's own optimiser have settled. */
const WARM_UP_MS = Number(process.env['FLEET_WARM_UP_MS'] ?? 60_000);
const HEAP_EVERY_MS = 15_000;

/** With the fleet page each sample of every box is on the screen; with a box's page only that box's is. */
const MAX_MAIN_PCT = { fleet: 25, box: 8 };
const VSYNC_MS = 1000 / 60;
/** A frame that came a whole refresh late was dropped; less is the clock's own jitter. */
const DROPPED_MS = VSYNC_MS * 1.5;
const MAX_PIXEL_P95_MS = 300;
const MAX_SLOPE_MIB_PER_MIN = 0.5;
/** Main gathers a minute before it is stored, so its heap rises and falls once a minute: fewer say nothing of a slope. */
const LEAST_SLOPE_MINUTES = 4;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface HeapSample {
  readonly beganMs: number;
  readonly atMs: number;
  readonly mainMiB: number;
  readonly windowMiB: number;
}

/** After a collection, so that what is measured is what is held. */
async function sampleHeaps({ app, page }: RunningApp): Promise<HeapSample> {
  const beganMs = Date.now();
  const mainBytes = await app.evaluate(() => {
    (globalThis as unknown as { gc: () => void }).gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  });
  const windowBytes = await page.evaluate(() => {
    (window as unknown as { gc: () => void }).gc();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  });
  return {
    beganMs,
    atMs: Date.now(),
    mainMiB: mainBytes / 2 ** 20,
    windowMiB: windowBytes / 2 ** 20,
  };
}

/** Of the line through the points with the least squares. */
function slopePerMinute(points: readonly (readonly [number, number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return (above / below) * 60_000;
}

/** What was printed this long before a pause may be shown after it. */
const SHOWN_WITHIN_MS = 50;

/**
 * From printing to the first painting of its figure; null: that figure was never painted, since a newer one took its place. What was
 * printed while this benchmark held everything up, to collect garbage, is left out.
 */
function latencies(
  printed: readonly PrintedCycle[],
  painted: readonly Painted[],
  [fromMs, toMs]: readonly [number, number],
  pauses: readonly (readonly [number, number])[],
): readonly (number | null)[] {
  const isPaused = (atMs: number): boolean =>
    pauses.some(([beganMs, endedMs]) => atMs > beganMs - SHOWN_WITHIN_MS && atMs < endedMs);
  return printed
    .filter(({ atMs }) => atMs > fromMs && atMs < toMs && !isPaused(atMs))
    .map(({ sample, atMs }) => {
      const seen = painted.find(
        (each) => each.value === smPctOf(sample) && each.atMs >= atMs && each.atMs < atMs + 2000,
      );
      return seen === undefined ? null : seen.atMs - atMs;
    });
}

interface Losses {
  readonly printed: number;
  readonly missing: number;
}

/** Each number that a box printed since the window opened must be in the ring of each of its cards. */
function countMissing(
  report_: FarmReport,
  samples: readonly number[][][],
  sinceMs: number,
): Losses {
  let [printed, missing] = [0, 0];
  report_.printed.forEach((cycles, box) => {
    const wanted = cycles.filter(({ atMs }) => atMs >= sinceMs).slice(-RING);
    for (let gpu = 0; gpu < GPUS; gpu += 1) {
      const had = new Set(samples[box]?.[gpu]);
      printed += wanted.length;
      missing += wanted.filter(({ sample }) => !had.has(sample)).length;
    }
  });
  return { printed, missing };
}
/** As many samples as main keeps of each second. */
const RING = 900;

interface Measured {
  readonly mainPct: number;
  /** Of that, what its own thread took; the rest collects garbage, compiles, and is Chromium's. */
  readonly mainThreadPct: number;
  readonly windowPct: number;
  readonly farmPct: number;
  readonly frames: Frames;
  readonly heaps: readonly HeapSample[];
  readonly pixelMs: readonly (number | null)[];
  readonly losses: Losses;
  readonly unexpected: readonly string[];
}

interface Inspector {
  readonly Session: new () => Session;
}

async function startProfile(app: ElectronApplication): Promise<void> {
  await app.evaluate(() => {
    const inspector = process.mainModule?.require('node:inspector') as Inspector;
    const session = new inspector.Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.start');
    session.post('HeapProfiler.startSampling', {
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    (globalThis as unknown as { profiling: unknown }).profiling = session;
  });
}

async function stopProfile(app: ElectronApplication, name: string): Promise<void> {
  const [time, memory] = await app.evaluate(() => {
    const { profiling } = globalThis as unknown as { profiling: Session };
    return Promise.all([
      new Promise<string>((resolve) =>
        profiling.post('Profiler.stop', (_error, { profile }) => resolve(JSON.stringify(profile))),
      ),
      new Promise<string>((resolve) =>
        profiling.post('HeapProfiler.stopSampling', (_error, { profile }) =>
          resolve(JSON.stringify(profile)),
        ),
      ),
    ]);
  });
  writeFileSync(`${name}.cpuprofile`, time);
  writeFileSync(`${name}.heapprofile`, memory);
}

async function measure(
  boxes: Boxes,
  pageName: 'fleet' | 'box',
  openPage: (page: Page) => Promise<string>,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-fleet-bench-'));
  const ids = writeBoxes(folder, boxes);
  tell(boxes, 'go on');
  const sinceMs = Date.now();
  const running = await launch({
    folder,
    switches: ['--js-flags=--expose-gc', '--enable-precise-memory-info'],
  });
  const { app, page } = running;
  try {
    await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setContentSize(1440, 900);
      window?.focus();
    });
    const watched = await openPage(page);
    await page.evaluate('globalThis.__name = (named) => named'); // tsx calls it in every function that it compiles
    await wait(WARM_UP_MS);
    const windowPid = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    );
    const pids = [app.process().pid ?? 0, windowPid ?? 0, boxes.process.pid ?? 0];
    await page.evaluate(watchFleet, watched);
    if (PROFILE !== undefined) await startProfile(app);
    const used = (): readonly number[] => [
      ...pids.map(processorSeconds),
      firstThreadSeconds(pids[0] ?? 0),
    ];
    const cpuS = [0, 0, 0, 0];
    const heaps = [await sampleHeaps(running)];
    const beganMs = Date.now();
    let lookedMs = 0;
    while (Date.now() - beganMs < MINUTES * 60_000) {
      // Collections that this benchmark asks for are not counted.
      const before = used();
      const fromMs = performance.now();
      await wait(HEAP_EVERY_MS);
      lookedMs += performance.now() - fromMs;
      used().forEach((seconds, i) => {
        cpuS[i] = (cpuS[i] ?? 0) + seconds - (before[i] ?? 0);
      });
      heaps.push(await sampleHeaps(running));
    }
    const endedMs = Date.now();
    const frames = await page.evaluate(() =>
      (window as unknown as { fleetProbe: FleetProbe }).fleetProbe.takeFrames(),
    );
    const painted = await page.evaluate(() =>
      (window as unknown as { fleetProbe: FleetProbe }).fleetProbe.takePainted(),
    );
    if (PROFILE !== undefined) {
      mkdirSync(PROFILE, { recursive: true });
      await stopProfile(app, join(PROFILE, pageName));
    }
    tell(boxes, 'hold');
    await wait(2000); // what was on its way has come
    const samples = await page.evaluate(readSamples, ids);
    const said = await askBoxes(boxes);
    const [first = []] = said.printed;
    return {
      mainPct: ((cpuS[0] ?? NaN) * 1e5) / lookedMs,
      mainThreadPct: ((cpuS[3] ?? NaN) * 1e5) / lookedMs,
      windowPct: ((cpuS[1] ?? NaN) * 1e5) / lookedMs,
      farmPct: ((cpuS[2] ?? NaN) * 1e5) / lookedMs,
      frames,
      heaps,
      pixelMs: latencies(
        first,
        painted,
        [beganMs + 1000, endedMs - 3000],
        heaps.map((heap) => [heap.beganMs, heap.atMs]),
      ),
      losses: countMissing(said, samples, sinceMs),
      unexpected: said.unexpected,
    };
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(page: 'fleet' | 'box', measured: Measured): readonly BenchRow[] {
  const { mainPct, mainThreadPct, windowPct, farmPct } = measured;
  const { frames, heaps, pixelMs, losses, unexpected } = measured;
  const seen = pixelMs.filter((ms) => ms !== null);
  const p95 = percentile(frames.intervalMs, 0.95);
  const dropped =
    frames.intervalMs.filter((ms) => ms > DROPPED_MS).length / frames.intervalMs.length;
  const pixelP95 = percentile(seen, 0.95);
  const slope = (part: 'mainMiB' | 'windowMiB'): number =>
    slopePerMinute(heaps.map((heap) => [heap.atMs, heap[part]] as const));
  const slopes = [slope('mainMiB'), slope('windowMiB')] as const;
  const growth = (value: number): Omit<BenchRow, 'measure'> => ({
    value,
    unit: 'MiB/min',
    ...(MINUTES >= LEAST_SLOPE_MINUTES && {
      goal: `flat: under ${String(MAX_SLOPE_MIB_PER_MIN)} MiB/min`,
      isMet: value < MAX_SLOPE_MIB_PER_MIN,
    }),
  });
  const on = (measure_: string): string => `${page} page: ${measure_}`;
  return [
    {
      measure: on(`main, ${String(BOXES)} boxes × ${String(GPUS)} GPUs at 1 Hz`),
      value: mainPct,
      unit: '% of a core',
      goal: `under ${String(MAX_MAIN_PCT[page])} %`,
      isMet: mainPct < MAX_MAIN_PCT[page],
    },
    { measure: on('of that, its own thread'), value: mainThreadPct, unit: '% of a core' },
    { measure: on('window'), value: windowPct, unit: '% of a core' },
    { measure: on('the boxes themselves, beside them'), value: farmPct, unit: '% of a core' },
    {
      measure: on(`frame to frame, p95 of ${String(frames.intervalMs.length)}`),
      value: p95,
      unit: 'ms',
      goal: `no frame dropped: under ${DROPPED_MS.toFixed(1)} ms`,
      isMet: p95 < DROPPED_MS,
    },
    { measure: on('work in a frame, p95'), value: percentile(frames.workMs, 0.95), unit: 'ms' },
    { measure: on('work in a frame, p99'), value: percentile(frames.workMs, 0.99), unit: 'ms' },
    { measure: on('frames dropped'), value: dropped * 100, unit: '%' },
    { measure: on('heap of main'), value: heaps.at(-1)?.mainMiB ?? NaN, unit: 'MiB' },
    { measure: on('grows by'), ...growth(slopes[0]) },
    { measure: on('heap of the window'), value: heaps.at(-1)?.windowMiB ?? NaN, unit: 'MiB' },
    { measure: on('grows by (window)'), ...growth(slopes[1]) },
    {
      measure: on(`printed rows that did not arrive, of ${String(losses.printed)}`),
      value: losses.missing,
      unit: 'rows',
      goal: 'none',
      isMet: losses.missing === 0 && losses.printed > 0,
    },
    {
      measure: on(`line printed → pixel, p95 of ${String(seen.length)}`),
      value: pixelP95,
      unit: 'ms',
      goal: `under ${String(MAX_PIXEL_P95_MS)} ms`,
      isMet: pixelP95 < MAX_PIXEL_P95_MS,
    },
    { measure: on('the same, median'), value: percentile(seen, 0.5), unit: 'ms' },
    {
      measure: on('figures never painted'),
      value: pixelMs.length - seen.length,
      unit: 'samples',
    },
    {
      measure: on('commands that the boxes did not know'),
      value: unexpected.length,
      unit: 'commands',
      goal: 'none',
      isMet: unexpected.length === 0,
    },
  ];
}

async function openFleetPage(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Fleet', exact: true }).click();
  await page.locator('main tr', { hasText: 'box-000' }).waitFor();
  return 'main';
}

async function openBoxPage(page: Page): Promise<string> {
  await page.getByRole('navigation').getByText('box-000', { exact: true }).click();
  await page.getByRole('heading', { name: 'box-000' }).waitFor();
  return 'main';
}

const boxes = await startBoxes({ boxes: BOXES, gpuCount: GPUS });
try {
  const rows: BenchRow[] = [];
  if (PAGES.includes('fleet')) {
    rows.push(...rowsOf('fleet', await measure(boxes, 'fleet', openFleetPage)));
  }
  if (PAGES.includes('box')) {
    rows.push(...rowsOf('box', await measure(boxes, 'box', openBoxPage)));
  }
  report({ name: 'fleet', rows });
} finally {
  await endBoxes(boxes);
}
