/** A part of a log as it lies on the box, of whole lines where it has line ends. */
export interface LogPart {
  /** Its bytes, in the file. */
  readonly from: number;
  readonly to: number;
  /** Of the file at that moment. */
  readonly size: number;
  /** Hostile: escape sequences and all. */
  readonly text: string;
}

/** Of one answer. */
export const MAX_PART_BYTES = 256 * 1024;

/** What is looked for in a whole log. */
export type LogWanted =
  /** A text, in whatever case of the letters A to Z. */
  | { readonly kind: 'text'; readonly text: string }
  /** The first line that tells of an error (isErrorText). */
  | { readonly kind: 'first-error' };

/** The lines of a whole log that have it. */
export interface LogFinds {
  readonly size: number;
  /** How many there are. */
  readonly lines: number;
  /** Where the first of them begin, in order. */
  readonly at: readonly number[];
}

/** Of how many lines an answer says where they are. */
export const MAX_FINDS = 10_000;
