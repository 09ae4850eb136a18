import type { DetectorId } from '../src/shared/detectors/finding.ts';

/** What is to be answered. `vanished`: what became of a run, by the ladder of U3. */
export type Label = 'found' | 'clear' | 'unknown';

/** Something that happened to a box once, or could have. It says what is so, never how it is to be noticed. */
export interface Incident {
  /** The trap: a detector, or an entry of the catalog. */
  readonly id: string;
  readonly label: Label;
  /** What happened, in a few words; with id and label its name. */
  readonly what: string;
  /** Other traps that are in this box as well: not false alarms. */
  readonly also?: readonly string[];
}

export const nameOf = ({ id, label, what }: Incident): string => `${id} ${label}: ${what}`;

/** What the app said in the end, of each id that it speaks of. */
export type Answers = ReadonlyMap<string, Label>;

export type { DetectorId };
