import type { FigureVerdict } from '../verify/numbers/compare-figures.ts';
import type { ListedNumber, NumberKey } from '../verify/numbers/number-key.ts';

/** A number that a person says they report, and where it stands. */
export interface ReportedNumber {
  /** Of results that came home, from their folder on. */
  readonly path: string;
  readonly key: NumberKey;
  /** What they call it; null: nothing. */
  readonly name: string | null;
  /** As they report it; null: as it stands in the file. */
  readonly figure: string | null;
}

/** One of them, read again from the copy on this computer. */
export interface RereadNumber extends ReportedNumber {
  /** Letter by letter as it stands in the file; null: it was not read, and `says` why. */
  readonly literal: string | null;
  /** Of the bytes in which it stood, the same as was proven; null: it was not read. */
  readonly sha256: string | null;
  /** Null: no figure was given, or nothing was read. */
  readonly verdict: FigureVerdict | null;
  readonly says: string | null;
}

/** What reading them again found; kept as evidence. */
export interface RereadReport {
  readonly runId: string;
  readonly runName: string;
  /** On this computer. */
  readonly folder: string;
  /** The entry that proved the files, by its place and hash. */
  readonly proof: { readonly seq: number; readonly hash: string };
  readonly numbers: readonly RereadNumber[];
}

/** The reported numbers of a run that were kept last. */
export interface KeptReread {
  readonly atMs: number;
  readonly seq: number;
  readonly hash: string;
  readonly report: RereadReport;
}

/** What a later look found of a number that was kept. */
export interface NumberNow {
  /** `moved`: the number is the same, and the file around it is another. */
  readonly state: 'same' | 'moved' | 'changed' | 'not-read';
  /** As it stands in the file now; null: it was not read. */
  readonly literal: string | null;
  readonly says: string | null;
}

export interface RereadNow {
  readonly kept: KeptReread;
  readonly lookedAtMs: number;
  /** One for each number, in their order. */
  readonly now: readonly NumberNow[];
}

/** The numbers of one file, of which a person picks those that they report. */
export interface FileNumbers {
  readonly numbers: readonly ListedNumber[];
  /** There are more than these. */
  readonly isCut: boolean;
}

/** A person has to look at it. */
export const isShortNumber = ({ literal, verdict }: RereadNumber): boolean =>
  literal === null || verdict === 'differs';
