/** Why a file of data is not used: where, what, and how to mend it. */
export interface FileFault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; absent where only the line is known. */
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
}
