import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { holdsMemory, isVideoJob, percent, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { isThreadStorm } from './u40-thread-storm.ts';
import { LIVE_GAP_MS, type GpuDetector } from './view.ts';

// Gotcha U24: mean SM between 10 and 70 over 30 s. The margins keep a mean on the border from flapping.
const STARVED_FROM_PCT = 10;
const STARVED_BELOW_PCT = 70;
const FED_FROM_PCT = 80;
const QUIET_BELOW_PCT = 7;

/** U24 */
export const starved: GpuDetector = {
  id: 'U24',
  title: 'GPU at 10-70% because the input pipeline cannot keep up',
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
      headline: `GPU ${gpu.index} is busy only ${percent(smPct / 100)} of the time: it waits for data.`,
      means:
        'Too few workers, no prefetching, or host-device copies on the critical path: the input pipeline cannot keep up.',
      fix: [
        'Set workers to available cores minus one, within the memory budget and the real quota',
        'Turn on persistent workers and pinned memory',
        'Prefetch factor 2',
        'Move a heavy per-sample transform to the GPU',
      ],
      wastedShare: (1 - smPct / 100) / box.gpus.length,
      evidence: [figure('SM busy', smPct, '%', WINDOW_MS)],
      caveat:
        isHeld === null
          ? 'The box does not tell whether a job holds memory on this card.'
          : 'Whether the job’s steps advance is not looked at here; its log tells.',
    };
  },
};
