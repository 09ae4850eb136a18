/** A note is a few lines about a box, and no document. */
export const MAX_NOTE_CHARS = 16 * 1024;

/** What the person wrote about a box, or about their project where it is about none. */
export interface Note {
  readonly text: string;
  /** Null: nothing was ever written. */
  readonly savedAtMs: number | null;
}

/** Where a note seems to hold a secret. */
export interface FlaggedLine {
  /** From 1. */
  readonly line: number;
  /** The line without what looks secret. */
  readonly shown: string;
}

export type NoteAnswer =
  | { readonly kind: 'kept'; readonly savedAtMs: number }
  /** Nothing was kept; what was there before still is. */
  | { readonly kind: 'flagged'; readonly lines: readonly FlaggedLine[] };
