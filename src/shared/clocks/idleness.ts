import type { BoxFindings } from '../detectors/box-findings.ts';
import type { BoxSituation } from './clock.ts';

/** Whether the box works, by the detectors' definition and no other. */
export function idlenessOf({ atMs, findings, unknown }: BoxFindings): BoxSituation['idle'] {
  const idle = findings.find(({ detector }) => detector === 'idle');
  if (idle !== undefined) {
    return idle.notSeenBecause === null ? { isIdle: true, sinceMs: idle.sinceMs } : null;
  }
  const isBlind = atMs === 0 || unknown.some(({ detector }) => detector === 'idle');
  return isBlind ? null : { isIdle: false, sinceMs: atMs };
}
