import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { holdsMemory, isVideoJob, percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { isThreadStorm } from './u40-thread-storm.ts';
import { LIVE_GAP_MS, type GpuDetector } from './view.ts';
import { phrase, says } from './says.ts';

// Gotcha U24: mean SM between 10 and 70 over 30 s. The margins keep a mean on the border from flapping.
const STARVED_FROM_PCT = 10;
const STARVED_BELOW_PCT = 70;
const FED_FROM_PCT = 80;
const QUIET_BELOW_PCT = 7;

/** U24 */
export const starved: GpuDetector = {
  id: 'U24',
  scope: 'gpu',
  // A job that starts, or saves and then evaluates, looks like this for a minute.
  foundAfterMs: 75_000,
  clearAfterMs: 60_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    if (smPct >= FED_FROM_PCT || smPct < QUIET_BELOW_PCT) return CLEAR;
    const isHeld = holdsMemory(gpu);
    if (isVideoJob(gpu) || isHeld === false) return CLEAR;
    if (isThreadStorm(box)) return CLEAR; // U40 knows the cause
    if (smPct >= STARVED_BELOW_PCT || smPct < STARVED_FROM_PCT) return BETWEEN;
    return {
      kind: 'found',
      severity: 'warn',
      says: says('U24', 'starved', { gpu: gpu.index, busy: percent(smPct / 100) }),
      wastedShare: (1 - smPct / 100) / box.gpus.length,
      clues: [figure('SM busy', smPct, '%', WINDOW_MS)],
      caveat: phrase('U24', isHeld === null ? 'job-unknown' : 'steps-unknown'),
    };
  },
};
