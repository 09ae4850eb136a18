import type { Clock, Due } from '../../shared/clocks/clock.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';

export const HOUR_MS = 3_600_000;

export const at = (atMs: number, isEstimate = false): Due => ({ kind: 'at', atMs, isEstimate });

/** The end of a stopped instance, without a due time worth the name: give it one. */
export function sampleClock(part: Partial<Clock> = {}): Clock {
  return {
    id: 'autodl.release-15d',
    danger: 'data',
    event: 'Auto release',
    trigger: 'instance powered off',
    consequence: 'auto release deletes system and data disk',
    loses: [{ name: 'data disk', path: '/root/autodl-tmp' }],
    due: at(0),
    known: {
      kind: 'platform',
      verified: '2026-06',
      source: 'console',
      freshness: { kind: 'fresh', months: 5 },
    },
    readAt: 'console line next to the instance',
    stops: null,
    entry: { kind: 'start', from: 'stopped' },
    ...part,
  };
}

export function sampleBoxClocks(
  clocks: readonly Clock[],
  part: Partial<BoxClocks> = {},
): BoxClocks {
  return { clocks, profileId: 'autodl', skew: { kind: 'fine' }, snoozed: {}, ...part };
}
