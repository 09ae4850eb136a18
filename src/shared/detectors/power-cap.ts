import { CLEAR, figure, unknown } from './finding.ts';
import { percent } from './load.ts';
import { SLOW_GAP_MS, type GpuDetector } from './view.ts';
import { says } from './says.ts';

/** Limits are printed to the hundredth; a watt is no cap. */
const CAPPED_BY_W = 1;

/** nvidia.md §2.1: no gotcha of its own */
export const powerCap: GpuDetector = {
  id: 'power-cap',
  scope: 'gpu',
  foundAfterMs: 0, // a setting, not a measurement
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge({ index, details }) {
    const setW = details?.powerLimitW ?? null;
    const defaultW = details?.defaultPowerLimitW ?? null;
    // The lowest of all limiters (nvidia.md §2.1): what the card may really draw.
    const enforcedW = details?.enforcedPowerLimitW ?? null;
    if ((setW === null && enforcedW === null) || defaultW === null || defaultW <= 0) {
      return unknown('the power limit of the card, or the usual one, is not known');
    }
    const limitW = Math.min(setW ?? Infinity, enforcedW ?? Infinity);
    if (limitW > defaultW - CAPPED_BY_W) return CLEAR;
    return {
      kind: 'found',
      severity: 'info',
      says: says('power-cap', 'capped', {
        gpu: index,
        limit: Math.round(limitW),
        usual: Math.round(defaultW),
        share: percent(limitW / defaultW),
      }),
      wastedShare: null,
      clues: [
        ...(setW === null ? [] : [figure('power limit', setW, 'W')]),
        figure('default power limit', defaultW, 'W'),
        ...(enforcedW === null ? [] : [figure('enforced power limit', enforcedW, 'W')]),
      ],
      caveat: null,
    };
  },
};
