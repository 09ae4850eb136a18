import type { ProblemCode } from '../problem.ts';
import { CLEAR, unknown } from './finding.ts';
import { SLOW_GAP_MS, type BoxDetector } from './view.ts';
import { says } from './says.ts';

/** The card may be there, but nothing can use it (nvidia.md §1.4). */
const BROKEN: ReadonlySet<ProblemCode> = new Set([
  'driver-not-loaded',
  'driver-mismatch',
  'driver-broken',
  'gpu-tool-hangs',
]);

export const DRIVER_UNANSWERED = 'nvidia-smi has not answered';

/** nvidia.md §1.4: no gotcha of its own */
export const driverBroken: BoxDetector = {
  id: 'driver',
  scope: 'box',
  foundAfterMs: 10_000,
  clearAfterMs: 0,
  maxGapMs: SLOW_GAP_MS,
  judge({ telemetry, factsProblem, gpus, facts }) {
    const problems = [telemetry.kind === 'failed' ? telemetry.problem : null, factsProblem];
    const broken = problems.find((each) => each !== null && BROKEN.has(each.code)) ?? null;
    if (broken !== null) {
      return {
        kind: 'found',
        severity: 'critical',
        says: says('driver', 'broken', { problem: broken.message, nextStep: broken.nextStep }),
        wastedShare: 1,
        clues: broken.detail === undefined ? [] : [{ kind: 'line', line: broken.detail }],
        caveat: null,
      };
    }
    // "Live" alone may be a link that died without a word: rows or facts must have come.
    const hasAnswered = facts !== null || gpus.some(({ recent }) => recent !== null);
    return telemetry.kind === 'live' && hasAnswered ? CLEAR : unknown(DRIVER_UNANSWERED);
  },
};
