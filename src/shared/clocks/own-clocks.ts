import type { Clock, ClockEntries, EntryKey } from './clock.ts';

/** Clocks that no platform runs: the person's own dates. */
export function ownClocks(
  { prepaidUntilMs, deadlines, times }: ClockEntries,
  hasRentalEnd: boolean,
): readonly Clock[] {
  const clocks: Clock[] = deadlines.map(({ id, what, atMs }) =>
    ownClock(`yours.deadline-${id}`, { kind: 'deadline', id }, 'run', {
      event: what,
      trigger: 'your own deadline',
      consequence: what,
      atMs,
    }),
  );
  if (prepaidUntilMs !== null) {
    clocks.push(
      ownClock('yours.prepaid', { kind: 'prepaid' }, 'run', {
        event: 'Prepaid time ends',
        trigger: 'paid in advance',
        consequence: 'nothing more is paid for; what becomes of the box is not known',
        atMs: prepaidUntilMs,
      }),
    );
  }
  const endMs = times['rental-end'];
  // Where the platform has a clock for it, that one shows it, with what happens then.
  if (endMs !== undefined && !hasRentalEnd) {
    clocks.push(
      ownClock('yours.rental-end', { kind: 'time', what: 'rental-end' }, 'data', {
        event: 'Rental ends',
        trigger: 'rental with an end',
        consequence: 'the box may be gone, with all that is on it',
        atMs: endMs,
      }),
    );
  }
  return clocks;
}

/** An end of the box that a person approved, and that nothing has confirmed. */
export interface UnconfirmedEnd {
  readonly verb: string;
  readonly approvedAtMs: number;
  readonly remindsAtMs: number | null;
}

export const unconfirmedClock = ({ verb, approvedAtMs, remindsAtMs }: UnconfirmedEnd): Clock => ({
  id: 'yours.end',
  danger: 'money',
  event: 'End not confirmed',
  trigger: `you approved “${verb}”, and nothing has confirmed it`,
  consequence: 'the box is counted as costing until its end is confirmed',
  loses: [],
  due: { kind: 'unconfirmed', sinceMs: approvedAtMs, remindsAtMs },
  known: { kind: 'told' },
  readAt: 'the Teardown tab',
  stops: 'confirming that it is done, or calling it off, on the Teardown tab',
  entry: null,
});

interface OwnEnd {
  readonly event: string;
  readonly trigger: string;
  readonly consequence: string;
  readonly atMs: number;
}

function ownClock(
  id: string,
  entry: EntryKey,
  danger: Clock['danger'],
  { event, trigger, consequence, atMs }: OwnEnd,
): Clock {
  return {
    id,
    danger,
    event,
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
