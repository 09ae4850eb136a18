import type { ProblemCode } from '../problem.ts';
import { CLEAR, unknown } from './finding.ts';
import { SLOW_GAP_MS, type BoxDetector } from './view.ts';

/** No GPU is visible, or the container was cut off from it (nvidia.md §1.4). */
const NOT_ATTACHED: ReadonlySet<ProblemCode> = new Set(['no-gpu', 'gpu-cut-off', 'gpu-denied']);

/** U31 */
export const noGpu: BoxDetector = {
  id: 'U31',
  title: 'Container trains on CPU because the GPU was never attached',
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
        headline: `The box has no GPU that a job could use: ${message}`,
        means:
          'Started without GPU access, or the container toolkit is missing or older than 1.14: CUDA falls back to the CPU, and a job crawls about 100x too slowly with normal-looking losses.',
        fix: [
          'Start with all GPUs requested',
          'Have NVIDIA Container Toolkit 1.14 or newer',
          'Probe the GPU from within the container first',
        ],
        wastedShare: 1,
        evidence: detail === undefined ? [] : [{ kind: 'line', line: detail }],
        caveat: null,
      };
    }
    if (facts !== null && facts.gpus.length > 0) return CLEAR;
    if (telemetry.kind === 'failed' && telemetry.problem.code === 'no-gpu-tool') {
      return unknown('nvidia-smi is not installed in this image, so nobody can tell');
    }
    return unknown('the box has not yet told which GPUs it has');
  },
};
