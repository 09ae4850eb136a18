import type { ProblemCode } from '../problem.ts';
import { CLEAR, unknown } from './finding.ts';
import { SLOW_GAP_MS, type BoxDetector } from './view.ts';
import { says } from './says.ts';

/** No GPU is visible, or the container was cut off from it (nvidia.md §1.4). */
const NOT_ATTACHED: ReadonlySet<ProblemCode> = new Set(['no-gpu', 'gpu-cut-off', 'gpu-denied']);

export const CARDS_UNTOLD = 'the box has not yet told which GPUs it has';

/** U31 */
export const noGpu: BoxDetector = {
  id: 'U31',
  scope: 'box',
  foundAfterMs: 10_000, // one failed start of the tool proves nothing
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge({ telemetry, gpus, facts }) {
    if (telemetry.kind === 'live' && gpus.some(({ recent }) => recent !== null)) return CLEAR;
    if (telemetry.kind === 'failed' && NOT_ATTACHED.has(telemetry.problem.code)) {
      const { message, detail } = telemetry.problem;
      return {
        kind: 'found',
        severity: 'critical',
        says: says('U31', 'box', { problem: message }),
        wastedShare: 1,
        clues: detail === undefined ? [] : [{ kind: 'line', line: detail }],
        caveat: null,
      };
    }
    if (facts !== null && facts.gpus.length > 0) return CLEAR;
    if (telemetry.kind === 'failed' && telemetry.problem.code === 'no-gpu-tool') {
      return unknown('nvidia-smi is not installed in this image, so nobody can tell');
    }
    return unknown(CARDS_UNTOLD);
  },
};
