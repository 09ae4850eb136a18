import { BETWEEN, CLEAR, figure, unknown, type Clue, type Found } from './finding.ts';
import { percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { phrase, says, type Says } from './says.ts';
import { isHeldDown, lookAtThrottle } from './throttle-look.ts';
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
    if (othersPct === null) return unknown('the other GPUs report no load');
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
    const isExplained = share < SLOW_UP_TO && isHeldDown(lookAtThrottle(gpu)) === true; // U23 tells it
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
    caveat: isHeldDown(lookAtThrottle(gpu)) === null ? phrase('straggler', 'hold-unknown') : null,
  };
}

/**
 * Null where no other card reports it. Asked for each card of each box all the time: a sort of its own for each made a fifth of
 * all garbage in main.
 */
function medianOfOthers(
  { gpus }: BoxView,
  gpu: GpuView,
  figureName: 'smPct' | 'smClockMHz',
): number | null {
  const sorted: number[] = [];
  for (const other of gpus) {
    const value = other === gpu ? null : (other.recent?.mean(figureName) ?? null);
    if (value === null) continue;
    let at = sorted.length;
    for (; at > 0 && (sorted[at - 1] ?? value) > value; at -= 1)
      sorted[at] = sorted[at - 1] ?? value;
    sorted[at] = value;
  }
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
