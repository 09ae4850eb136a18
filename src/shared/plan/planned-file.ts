/** A file that carrying out a plan puts on the box. */
export interface PlannedFile {
  readonly name: string;
  readonly what: string;
  /** Exactly what will be in it; null: what that is only the box will know. */
  readonly text: string | null;
}
