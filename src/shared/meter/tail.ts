import type { Interval, Phase } from './interval.ts';
import type { Ledger } from './ledger.ts';

/** What a recorder is restored from. */
export interface Tail {
  /** Oldest first, from the last line in which the box answered on, without what a person typed. */
  readonly tail: readonly Interval[];
  /** Numbers of those that the person took out. */
  readonly settled: ReadonlySet<number>;
}

export const NO_TAIL: Tail = { tail: [], settled: new Set() };

export function tailOf(ledger: Ledger): Tail {
  const takenOut = ledger.corrections.filter(({ by }) => by === 'person').map(({ voids }) => voids);
  const lines = recordedLines(ledger);
  const tail = lines.slice(Math.max(0, lastSeenIn(lines)));
  const settled = new Set(takenOut.filter((no) => tail.some((line) => line.no === no)));
  return { tail, settled };
}

/**
 * Since when a box is in the phase that it is in; null: nothing is written of it. What the person took out of the sums was so all
 * the same: a timer of the platform runs on, whatever counts.
 */
export function phaseSince(ledger: Ledger, phase: Phase): number | null {
  const lines = recordedLines(ledger);
  const before = lines.map((line) => line.phase === phase).lastIndexOf(false);
  return lines[before + 1]?.fromMs ?? null;
}

/** What the recorder wrote and did not write anew since, in the order in which it happened. */
function recordedLines(ledger: Ledger): readonly Interval[] {
  const { intervals, corrections } = ledger;
  const replaced = corrections.filter(({ by }) => by !== 'person').map(({ voids }) => voids);
  const gone = new Set(replaced);
  return intervals
    .filter(({ no, source }) => source !== 'manual' && !gone.has(no))
    .sort(byPlace(ledger));
}

/** As they followed each other: what was priced anew stands where that stood which it replaces, whatever its number. */
function byPlace({ intervals, corrections }: Ledger): (a: Interval, b: Interval) => number {
  const msOf = new Map(intervals.map(({ no, ms }) => [no, ms]));
  const replaced = new Map<number, number>();
  for (const { by, no, voids } of corrections) {
    if (by !== 'price') continue;
    // Its pieces are numbered right after the correction; there is a second one where the first is shorter.
    replaced.set(no + 1, voids);
    if ((msOf.get(no + 1) ?? 0) < (msOf.get(voids) ?? 0)) replaced.set(no + 2, voids);
  }
  const placeOf = (no: number): number => {
    const before = replaced.get(no);
    return before === undefined ? no : placeOf(before);
  };
  return (a, b) => placeOf(a.no) - placeOf(b.no) || a.no - b.no;
}

export function lastSeenIn(lines: readonly Interval[]): number {
  return lines.map(({ source }) => source).lastIndexOf('observed');
}
