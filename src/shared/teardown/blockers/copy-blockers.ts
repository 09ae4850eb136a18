import type { FoundMachine } from '../found-on-box.ts';
import type { CopiesRead } from '../inspection.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';

export interface CopiesKnown {
  /** The newest reading of the copies; null: there was none since Leasehold was started. */
  readonly read: CopiesRead | null;
  /** What tells the versions of the copies now. */
  readonly stamps: string;
  /** Copies that were read longer ago may have been changed by whatever else runs on this computer. */
  readonly holdsMs: number;
  readonly atMs: number;
  readonly monoMs: number;
}

/** `copies`: of all that an end would rest on. */
export function copyBlockers(
  copies: string,
  count: number,
  machine: FoundMachine,
  { read, atMs, monoMs, stamps, holdsMs }: CopiesKnown,
): readonly Raised[] {
  const other = read === null ? null : otherMachine(read.machine, machine);
  if (other !== null) {
    return [
      {
        ...{ id: 'other-machine', kind: 'other-machine', stage: 'proven', entry: null },
        ...{ says: other, shows: [], loss: null },
      },
    ];
  }
  if (count === 0) return [];
  // By the later of the two: one is set back by anybody, and the other need not count while this computer sleeps.
  const isFresh =
    read !== null &&
    read.copies === copies &&
    read.stamps === stamps &&
    Math.abs(atMs - read.atMs) <= holdsMs &&
    monoMs - read.monoMs <= holdsMs;
  if (!isFresh) {
    return [
      {
        ...{ id: 'copies-unread', kind: 'copies-unread', stage: 'proven', entry: 'U33' },
        says: `The copies on this computer have to be read again, byte by byte: ${countOf(count)}.`,
        ...{ shows: [], loss: null },
      },
    ];
  }
  if (read.faults.length === 0) return [];
  return [
    {
      ...{ id: 'copies-gone', kind: 'copies-gone', stage: 'proven', entry: 'U33' },
      says: `${countOf(read.faults.length)} on this computer: no longer what was proven. Bring the results home again.`,
      ...{ shows: read.faults.slice(0, MOST_SHOWN), loss: null },
    },
  ];
}

/** Between the proof and now; null: it is the same one, as far as it tells. */
function otherMachine(before: FoundMachine, now: FoundMachine): string | null {
  if (before.hostKey !== now.hostKey) {
    return 'The machine at this address has a different host key from the one whose results were proven. It may be another machine.';
  }
  // A provider that was linked since says nothing of before.
  if (before.instance !== null && before.instance !== now.instance) {
    return 'Your provider account has another machine for this box than the one whose results were proven.';
  }
  return before.life === now.life
    ? null
    : 'The box was restarted since its results were proven. What was on it then may be gone.';
}
