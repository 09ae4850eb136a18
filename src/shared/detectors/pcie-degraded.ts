import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { SLOW_GAP_MS, type GpuDetector } from './view.ts';
import { says } from './says.ts';

/** An idle card lowers its link (nvidia.md §2.1): only a card at work is judged. */
const AT_WORK_FROM_PCT = 50;
/** Half of the lanes, or one generation less. */
const DEGRADED_UP_TO = 0.5;

/** nvidia.md §2.1: no gotcha of its own */
export const pcieDegraded: GpuDetector = {
  id: 'pcie',
  scope: 'gpu',
  foundAfterMs: 20_000, // with looks every 30–60 s: the second one
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge(gpu) {
    const { index, recent, details, detailsAtMs } = gpu;
    const [gen, maxGen] = [details?.pcieGenCurrent ?? null, details?.pcieGenMax ?? null];
    const [width, maxWidth] = [details?.pcieWidthCurrent ?? null, details?.pcieWidthMax ?? null];
    if (gen === null || maxGen === null || width === null || maxWidth === null || maxWidth <= 0) {
      return unknown('the link of the card, or the one that it could have, is not known');
    }
    const bandwidth = 2 ** Math.min(0, gen - maxGen) * (width / maxWidth);
    if (bandwidth > DEGRADED_UP_TO) return CLEAR;
    const smPct = recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    if (smPct < AT_WORK_FROM_PCT)
      return unknown('the card rests, and a resting card lowers its link');
    // The look must be from within the load: an older one may show the link asleep.
    if (detailsAtMs === null || detailsAtMs < (recent?.startMs ?? Infinity)) return BETWEEN;
    return {
      kind: 'found',
      severity: 'warn',
      says: says('pcie', 'slow', {
        gpu: index,
        share: percent(bandwidth),
        generation: gen,
        maxGeneration: maxGen,
        lanes: width,
        maxLanes: maxWidth,
      }),
      wastedShare: null,
      clues: [
        figure('link generation', gen, ''),
        figure('link generation possible', maxGen, ''),
        figure('lanes', width, ''),
        figure('lanes possible', maxWidth, ''),
        figure('SM busy', smPct, '%', WINDOW_MS),
      ],
      caveat: null,
    };
  },
};
