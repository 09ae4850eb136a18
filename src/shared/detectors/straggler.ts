import { BETWEEN, CLEAR, figure, unknown, type Evidence, type Found } from './finding.ts';
import { percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
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
  title: 'One GPU of several lags behind the others',
  scope: 'gpu',
  foundAfterMs: 120_000, // cards take turns while a job starts, saves or evaluates
  clearAfterMs: 30_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    if (box.gpus.length === 1 && gpu.recent !== null) return CLEAR;
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    const others = box.gpus.filter((each) => each !== gpu);
    const othersPct = median(others, 'smPct');
    if (othersPct === null) return unknown('the other GPUs report no load');
    const behindPct = othersPct - smPct;
    if (othersPct >= OTHERS_BUSY_FROM_PCT && behindPct >= BEHIND_FROM_PCT) {
      return describe(
        gpu,
        box,
        `GPU ${gpu.index} is busy ${percent(smPct / 100)} of the time, the others ${percent(othersPct / 100)}.`,
        behindPct / 100,
        [
          figure('SM busy', smPct, '%', WINDOW_MS),
          figure('SM busy, the others', othersPct, '%', WINDOW_MS),
        ],
      );
    }
    const clockMHz = gpu.recent?.mean('smClockMHz') ?? null;
    const othersMHz = median(others, 'smClockMHz');
    const isComparable = smPct >= BOTH_BUSY_FROM_PCT && othersPct >= BOTH_BUSY_FROM_PCT;
    const share = isComparable && clockMHz !== null && othersMHz ? clockMHz / othersMHz : 1;
    const isExplained = share < SLOW_UP_TO && isHeldDown(lookAtThrottle(gpu)) === true; // U23 tells it
    if (!isExplained && share < SLOW_BELOW) {
      return describe(
        gpu,
        box,
        `GPU ${gpu.index} runs at ${percent(share)} of the others’ clock, under the same load.`,
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
  headline: string,
  lost: number,
  evidence: readonly Evidence[],
): Found {
  return {
    kind: 'found',
    severity: 'warn',
    headline,
    means:
      'A job that spreads over all cards goes at the pace of the slowest one; a card that does nothing is paid for all the same.',
    fix: [
      'Check that the job uses every card: CUDA_VISIBLE_DEVICES and the number of processes it starts',
      'Compare clock, temperature and throttle reasons of this card with the others',
      'If the card itself is slow, rent another box',
    ],
    wastedShare: lost / box.gpus.length,
    evidence,
    caveat:
      isHeldDown(lookAtThrottle(gpu)) === null
        ? 'The box does not tell whether heat or power holds the card down.'
        : null,
  };
}

/** Null where no other card reports it. */
function median(gpus: readonly GpuView[], figureName: 'smPct' | 'smClockMHz'): number | null {
  const values = gpus
    .map(({ recent }) => recent?.mean(figureName) ?? null)
    .filter((value) => value !== null)
    .sort((a, b) => a - b);
  const [low, high] = [values[(values.length - 1) >> 1], values[values.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
