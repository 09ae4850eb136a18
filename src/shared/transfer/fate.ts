import type { StorageTier } from '../profiles/profile.ts';

/** What becomes of a file on the box, by the tier that it lies on. `unknown` is no less than lost. */
export const fates = ['stays', 'lost-on-stop', 'lost-on-destroy', 'depends', 'unknown'] as const;
export type Fate = (typeof fates)[number];

/** The nearest end first: a box is stopped more often than destroyed. */
export function fateOf({ survivesStop, survivesDestroy }: StorageTier): Fate {
  if (survivesStop === false) return 'lost-on-stop';
  if (survivesDestroy === false) return 'lost-on-destroy';
  if (survivesStop === true && survivesDestroy === true) return 'stays';
  return survivesStop !== null && survivesDestroy !== null ? 'depends' : 'unknown';
}

export const FATE_WORDS: Readonly<Record<Fate, string>> = {
  stays: 'Stays',
  'lost-on-stop': 'Lost on stop',
  'lost-on-destroy': 'Lost on destroy',
  depends: 'It depends',
  unknown: 'Not known',
};

/** Of each file below a folder, asked for by its whole path. */
export type FateAt = (path: string) => Fate;
