/** Whose commands go on: what only the box tells of them is read first (decision 44). */
export interface Origin {
  /** What the box is called; null: it is not in the list any more. */
  readonly place: string | null;
  /** Whether this computer began it, by the first run of its chain. */
  readonly hasBegun: (first: string) => boolean;
}
