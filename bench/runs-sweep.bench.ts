// A sweep of ten thousand cells on one box: launched, opened, and its table scrolled.
import type { RunningApp } from '../e2e/fixtures/app.ts';
import { scrollBareList, scrollTable } from './bare-list.ts';
import type { BenchRow } from './harness.ts';
import { benchRuns, BOX, DROPPED_MS, type RunsWindow } from './runs-window.ts';
import { percentile } from './windows.ts';

const SWEEP_CELLS = 10_000;
const MAX_PAUSE_MS = 50;
/** How long main had no time for anybody. */
interface Pause {
  readonly clockMs: number;
  /** Of the thread itself, which what else runs on the machine does not lengthen; null: this system does not tell. */
  readonly cpuMs: number | null;
}

interface WithPauses {
  /** The longest since it was last asked, by each. */
  takeLongestPause?: () => Pause;
}

/** Sent to main as text, so it holds all that it needs. */
function watchPauses(): void {
  const { readFileSync } = process.mainModule?.require('node:fs') as {
    readonly readFileSync: (file: string, encoding: 'utf8') => string;
  };
  const cpuNowMs = (): number | null => {
    const file = `/proc/self/task/${String(process.pid)}/schedstat`;
    return process.platform === 'linux' ? parseInt(readFileSync(file, 'utf8'), 10) / 1e6 : null;
  };
  let last: Pause = { clockMs: performance.now(), cpuMs: cpuNowMs() };
  let longest: Pause = { clockMs: 0, cpuMs: last.cpuMs === null ? null : 0 };
  setInterval(() => {
    const now = { clockMs: performance.now(), cpuMs: cpuNowMs() };
    longest = {
      clockMs: Math.max(longest.clockMs, now.clockMs - last.clockMs),
      cpuMs:
        now.cpuMs === null ? null : Math.max(longest.cpuMs ?? 0, now.cpuMs - (last.cpuMs ?? 0)),
    };
    last = now;
  }, 1);
  (globalThis as WithPauses).takeLongestPause = () => {
    const taken = longest;
    longest = { clockMs: 0, cpuMs: taken.cpuMs === null ? null : 0 };
    return taken;
  };
}

async function pauseRows({ app }: RunningApp, until: string): Promise<readonly BenchRow[]> {
  const { clockMs, cpuMs } = await app.evaluate(
    () =>
      (globalThis as WithPauses).takeLongestPause?.() ?? {
        clockMs: NaN,
        cpuMs: null,
      },
  );
  const value = cpuMs ?? clockMs;
  return [
    {
      measure: `longest turn of main, ${until}, ${cpuMs === null ? 'by the clock' : 'in processor time'}`,
      value,
      unit: 'ms',
      goal: `at most ${String(MAX_PAUSE_MS)} ms`,
      isMet: value <= MAX_PAUSE_MS,
    },
    ...(cpuMs === null
      ? []
      : [
          {
            measure: `the longest ${until} by the clock`,
            value: clockMs,
            unit: 'ms',
          },
        ]),
  ];
}

/** The table of a sweep that runs, from its first cell on, while it is scrolled. */
async function scrollSweep({ running, folder }: RunsWindow): Promise<readonly BenchRow[]> {
  const { app, page } = running;
  await app.evaluate(watchPauses);
  const beganMs = performance.now();
  const sweepId = await page.evaluate(
    async ({ count, name }) => {
      const { call } = window.leasehold;
      const fleet = await call('stream:open', { stream: 'fleet', key: '' });
      if (!fleet.ok) throw new Error(fleet.error.message);
      const { entries } = fleet.value.state as {
        entries: readonly { box: { id: string; name: string } }[];
      };
      const boxId = entries.find(({ box }) => box.name === name)?.box.id ?? '';
      const planned = await call('runs:plan-sweep', {
        draft: {
          name: 'seeds',
          base: { folder: '~', activate: null, env: {} },
          source: {
            kind: 'grid',
            command: '[ {seed} -lt 40 ] || sleep 600; echo "step 1 loss 0.5" >{results}/log',
            parameters: `seed: ${Array.from({ length: count }, (_, at) => at).join(', ')}`,
          },
          pattern: 'results/{cell}',
        },
        shares: [{ boxId, cells: Array.from({ length: count }, (_, at) => at) }],
      });
      if (!planned.ok) throw new Error(planned.error.message);
      const { sweepId: id, plan } = planned.value;
      const launched = await call('runs:launch-sweep', {
        sweep: id,
        plan: { id: plan.id, digest: plan.digest },
        overridden: {},
      });
      if (!launched.ok) throw new Error(launched.error.message);
      return id;
    },
    { count: SWEEP_CELLS, name: BOX },
  );
  const launchMs = performance.now() - beganMs;
  const launchPause = await pauseRows(running, 'to its launch');
  await page.getByRole('navigation').getByRole('button', { name: /Fleet/ }).first().click();
  await page.getByRole('button', { name: 'Sweeps' }).click();
  await page.getByRole('button', { name: 'seeds' }).click();
  const openedMs = performance.now();
  await page.getByRole('gridcell', { name: 'seed=0', exact: true }).waitFor();
  const shownMs = performance.now() - openedMs;
  const shownPause = await pauseRows(running, 'to its table');
  const { intervalMs, workMs } = await scrollTable(page);
  const scrolledPause = await pauseRows(running, 'while it is scrolled');
  const run = await page.evaluate(async (id) => {
    const opened = await window.leasehold.call('stream:open', {
      stream: 'sweep',
      key: id,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const { shares } = opened.value.state as {
      shares: readonly { boxId: string | null; run: string }[];
    };
    return { boxId: shares[0]?.boxId ?? '', id: shares[0]?.run ?? '' };
  }, sweepId);
  await page.evaluate((each) => window.leasehold.call('runs:end', each), run);
  const p95 = percentile(intervalMs, 0.95);
  const bareP95 = percentile((await scrollBareList(folder, SWEEP_CELLS)).intervalMs, 0.95);
  return [
    {
      measure: `a sweep of ${String(SWEEP_CELLS)} cells, to its launch`,
      value: launchMs,
      unit: 'ms',
    },
    ...launchPause,
    { measure: 'its table, to the first cell', value: shownMs, unit: 'ms' },
    ...shownPause,
    ...scrolledPause,
    {
      measure: `frame to frame while it is scrolled, p95 of ${String(intervalMs.length)}`,
      value: p95,
      unit: 'ms',
      baseline: bareP95,
      ratio: p95 / bareP95,
      goal: `60 frames a second: under ${DROPPED_MS.toFixed(1)} ms, or as a bare window with all its rows`,
      // Both are whole frames, told by a clock that is finer.
      isMet: p95 < DROPPED_MS || Math.round(p95) <= Math.round(bareP95),
    },
    {
      measure: 'work in a frame meanwhile, p95',
      value: percentile(workMs, 0.95),
      unit: 'ms',
    },
  ];
}

await benchRuns('runs-sweep', scrollSweep);
