/** Why a file of data is not used: where, what, and how to mend it. */
export interface FileFault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly fix: string;
}
