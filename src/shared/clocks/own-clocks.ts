import type { Clock, ClockEntries, EntryKey } from './clock.ts';

/** Clocks that no platform runs: the person's own dates. */
export interface OwnEnd {
  readonly trigger: string;
  readonly consequence: string;
  readonly atMs: number;
}

function ownClock(
  id: string,
  entry: EntryKey,
  danger: Clock['danger'],
  { trigger, consequence, atMs }: OwnEnd,
): Clock {
  return {
    id,
    danger,
    trigger,
    consequence,
    loses: [],
    due: { kind: 'at', atMs, isEstimate: false },
    known: { kind: 'told' },
    readAt: 'what you entered',
    stops: null,
    entry,
  };
}
