import type { Clock, ClockEntries, EntryKey } from './clock.ts';

/** Clocks that no platform runs: the person's own dates. */
export function ownClocks(
  { prepaidUntilMs, deadlines, times }: ClockEntries,
  hasRentalEnd: boolean,
): readonly Clock[] {
  const clocks: Clock[] = deadlines.map(({ id, what, atMs }) =>
    ownClock(`yours.deadline-${id}`, { kind: 'deadline', id }, 'run', {
      trigger: 'your own deadline',
      consequence: what,
      atMs,
    }),
  );
  if (prepaidUntilMs !== null) {
    clocks.push(
      ownClock('yours.prepaid', { kind: 'prepaid' }, 'run', {
        trigger: 'paid in advance',
        consequence: 'what was paid for ends',
        atMs: prepaidUntilMs,
      }),
    );
  }
  const endMs = times['rental-end'];
  // Where the platform has a clock for it, that one shows it, with what happens then.
  if (endMs !== undefined && !hasRentalEnd) {
    clocks.push(
      ownClock('yours.rental-end', { kind: 'time', what: 'rental-end' }, 'data', {
        trigger: 'rental with an end',
        consequence: 'the rental ends',
        atMs: endMs,
      }),
    );
  }
  return clocks;
}

interface OwnEnd {
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
    stops: 'moving it, at the platform if it stands there, and saying so here',
    entry,
  };
}
