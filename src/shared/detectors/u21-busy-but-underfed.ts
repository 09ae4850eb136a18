import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { fullClockMHz, lostClock, percent, powerShare, whyNoLoad } from './load.ts';
import { isHeldDown, clockHoldsOf } from './clock-holds.ts';
import { LIVE_GAP_MS, type GpuDetector } from './view.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { phrase, says } from './says.ts';

// Suggested by gotcha U21; both must be low: full clock with low memory use is honest compute (nvidia.md §1.3).
const BUSY_FROM_PCT = 90;
const LOW_BELOW = 0.6;
const NOT_BUSY_BELOW_PCT = 80;
const NOT_LOW_FROM = 0.7;

/** U21 */
export const busyButUnderfed: GpuDetector = {
  id: 'U21',
  scope: 'gpu',
  foundAfterMs: 20_000,
  clearAfterMs: 20_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, { gpus }) {
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    if (smPct < NOT_BUSY_BELOW_PCT) return CLEAR;
    const lost = lostClock(gpu);
    const power = powerShare(gpu);
    if (lost !== null && 1 - lost >= NOT_LOW_FROM) return CLEAR;
    if (power !== null && power >= NOT_LOW_FROM) return CLEAR;
    if (lost === null) return unknown('the clock, or the card’s full clock, is not known');
    if (power === null) return unknown('the power, or its limit, is not known');

    const look = clockHoldsOf(gpu);
    const isHeld = isHeldDown(look);
    const settings = [look.fixedClocks, look.syncBoost];
    if (isHeld === true || settings.includes('held')) return CLEAR; // U23 says why the clock is low
    if (settings.includes('between')) return BETWEEN; // the next look tells
    if (smPct < BUSY_FROM_PCT || 1 - lost >= LOW_BELOW || power >= LOW_BELOW) return BETWEEN;
    return {
      kind: 'found',
      severity: 'info',
      says: says('U21', 'underfed', {
        gpu: gpu.index,
        busy: percent(smPct / 100),
        clock: percent(1 - lost),
        power: percent(power),
      }),
      wastedShare: (1 - power) / gpus.length,
      clues: [
        figure('SM busy', smPct, '%', WINDOW_MS),
        figure('SM clock', gpu.recent?.mean('smClockMHz') ?? 0, 'MHz', WINDOW_MS),
        figure('full SM clock', fullClockMHz(gpu) ?? 0, 'MHz'),
        figure('power', gpu.recent?.mean('powerW') ?? 0, 'W', WINDOW_MS),
      ],
      caveat: isHeld === null ? phrase('U21', 'hold-unknown') : null,
    };
  },
};
