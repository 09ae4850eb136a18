/** The end that a scheduler gave one of the person's jobs, measured on the box. */
export interface JobEnd {
  /** Its number; null: kept by an earlier version, which kept none. */
  readonly job: string | null;
  readonly endMs: number;
}

export interface Walltimes {
  /** The first one first. */
  readonly ends: readonly JobEnd[];
  /** So many end later than these. */
  readonly more: number;
}

export const NO_WALLTIMES: Walltimes = { ends: [], more: 0 };

/** Of an array of hundreds the first ends say enough: each of them rings. */
export const MAX_WALLTIMES = 8;

const TREMBLES_MS = 5000;

/** Ends are counted back from whole seconds: one that only trembled stays where it was. The same object: nothing changed. */
export function followWalltimes(before: Walltimes, now: Walltimes): Walltimes {
  const known = new Map(before.ends.map((each) => [each.job, each]));
  const ends = now.ends.map((each) => {
    const old = known.get(each.job);
    return old !== undefined && Math.abs(old.endMs - each.endMs) < TREMBLES_MS ? old : each;
  });
  const isSame =
    now.more === before.more &&
    ends.length === before.ends.length &&
    ends.every((each) => before.ends.includes(each));
  return isSame ? before : { ends, more: now.more };
}
