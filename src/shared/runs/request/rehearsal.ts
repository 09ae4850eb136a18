/** What a rehearsal on this computer has come to. */
export type RehearsalEnd =
  | { readonly kind: 'passed' }
  /** `exitCode` null: a signal ended it. */
  | { readonly kind: 'failed'; readonly exitCode: number | null }
  /** It went well, with code that is another one now: that says nothing of either. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'stopped' }
  /** The person did not want the command to run on this computer. */
  | { readonly kind: 'declined' };

/** The end of what it has printed so far, without what colours it. */
export interface RehearsalOutput {
  readonly text: string;
  readonly isCut: boolean;
}

export interface Rehearsed {
  readonly end: RehearsalEnd;
  readonly output: RehearsalOutput;
}
