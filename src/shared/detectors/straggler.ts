import { BETWEEN, CLEAR, figure, unknown, type Clue, type Found } from './finding.ts';
import { percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { phrase, says, type Says } from './says.ts';
import { isHeldDown, clockHoldsOf } from './clock-holds.ts';
import { LIVE_GAP_MS, type BoxView, type GpuDetector, type GpuView } from './view.ts';

// Chosen for Leasehold: one of N is told only when the others clearly work and it clearly lags.
const OTHERS_BUSY_FROM_PCT = 60;
const BEHIND_FROM_PCT = 40;
const BEHIND_UP_TO_PCT = 25;
/** Clocks of equal cards under equal load lie within a few percent. */
const SLOW_BELOW = 0.8;
const SLOW_UP_TO = 0.9;
const BOTH_BUSY_FROM_PCT = 80;

/** nvidia.md §1.3, §2.2: no gotcha of its own */
export const straggler: GpuDetector = {
  id: 'straggler',
  scope: 'gpu',
  foundAfterMs: 120_000, // cards take turns while a job starts, saves or evaluates
  clearAfterMs: 30_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    if (box.gpus.length === 1 && gpu.recent !== null) return CLEAR;
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    const othersPct = medianOfOthers(box, gpu, 'smPct');
    if (othersPct === null) return unknown('the load of the other GPUs is not known');
    const behindPct = othersPct - smPct;
    if (othersPct >= OTHERS_BUSY_FROM_PCT && behindPct >= BEHIND_FROM_PCT) {
      return describe(
        gpu,
        box,
        says('straggler', 'load', {
          gpu: gpu.index,
          busy: percent(smPct / 100),
          others: percent(othersPct / 100),
        }),
        behindPct / 100,
        [
          figure('SM busy', smPct, '%', WINDOW_MS),
          figure('SM busy, the others', othersPct, '%', WINDOW_MS),
        ],
      );
    }
    const clockMHz = gpu.recent?.mean('smClockMHz') ?? null;
    const isComparable = smPct >= BOTH_BUSY_FROM_PCT && othersPct >= BOTH_BUSY_FROM_PCT;
    const othersMHz = isComparable ? medianOfOthers(box, gpu, 'smClockMHz') : null;
    const share = clockMHz !== null && othersMHz ? clockMHz / othersMHz : 1;
    const isExplained = share < SLOW_UP_TO && isHeldDown(clockHoldsOf(gpu)) === true; // U23 tells it
    if (!isExplained && share < SLOW_BELOW) {
      return describe(
        gpu,
        box,
        says('straggler', 'clock', { gpu: gpu.index, share: percent(share) }),
        1 - share,
        [
          figure('SM clock', clockMHz ?? 0, 'MHz', WINDOW_MS),
          figure('SM clock, the others', othersMHz ?? 0, 'MHz', WINDOW_MS),
        ],
      );
    }
    const isNear = behindPct > BEHIND_UP_TO_PCT || (!isExplained && share < SLOW_UP_TO);
    return isNear ? BETWEEN : CLEAR;
  },
};

function describe(
  gpu: GpuView,
  box: BoxView,
  told: Says,
  lost: number,
  clues: readonly Clue[],
): Found {
  return {
    kind: 'found',
    severity: 'warn',
    says: told,
    wastedShare: lost / box.gpus.length,
    clues,
    caveat: isHeldDown(clockHoldsOf(gpu)) === null ? phrase('straggler', 'hold-unknown') : null,
  };
}

type Compared = 'smPct' | 'smClockMHz';

/** The means of all cards in a view, sorted: found once for all its cards, and gone with the view. */
const sortedMeans = new WeakMap<BoxView, Partial<Record<Compared, readonly number[]>>>();

function sortedOf(box: BoxView, figureName: Compared): readonly number[] {
  const known = sortedMeans.get(box) ?? {};
  if (!sortedMeans.has(box)) sortedMeans.set(box, known);
  return (known[figureName] ??= box.gpus
    .flatMap(({ recent }) => recent?.mean(figureName) ?? [])
    .sort((a, b) => a - b));
}

/** Null where no other card reports it. The cards' own mean is left out by its place among the sorted ones. */
function medianOfOthers(box: BoxView, gpu: GpuView, figureName: Compared): number | null {
  const all = sortedOf(box, figureName);
  const own = gpu.recent?.mean(figureName) ?? null;
  const place = own === null ? all.length : all.indexOf(own);
  const count = own === null ? all.length : all.length - 1;
  const other = (at: number): number | undefined => all[at < place ? at : at + 1];
  const [low, high] = [other((count - 1) >> 1), other(count >> 1)];
  return count === 0 || low === undefined || high === undefined ? null : (low + high) / 2;
}
