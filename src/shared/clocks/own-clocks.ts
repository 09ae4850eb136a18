import type { Clock, ClockEntries } from './clock.ts';

/** Clocks that no platform runs: the person's own dates. */
export function ownClocks(
  { prepaidUntilMs, deadlines, times }: ClockEntries,
  hasRentalEnd: boolean,
): readonly Clock[] {
  const clocks: Clock[] = deadlines.map(({ id, what, atMs }) =>
    ownClock(`yours.deadline-${id}`, 'run', 'your own deadline', what, atMs),
  );
  if (prepaidUntilMs !== null) {
    clocks.push(
      ownClock('yours.prepaid', 'run', 'paid in advance', 'what was paid for ends', prepaidUntilMs),
    );
  }
  const endMs = times['rental-end'];
  // Where the platform has a clock for it, that one shows it, with what happens then.
  if (endMs !== undefined && !hasRentalEnd) {
    clocks.push(
      ownClock('yours.rental-end', 'data', 'rental with an end', 'the rental ends', endMs),
    );
  }
  return clocks;
}

function ownClock(
  id: string,
  danger: Clock['danger'],
  trigger: string,
  consequence: string,
  atMs: number,
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
  };
}
