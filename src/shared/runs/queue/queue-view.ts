import type { Problem } from '../../problem.ts';
import type { QueueCell } from './queue-cell.ts';

/** What the journal of a queue says of one cell. */
export interface CellMark {
  readonly beganAtMs: number;
  /** How often it was begun: more than once where it was interrupted. */
  readonly times: number;
  /** The cards that it had to itself, as in the file "slots"; absent: it had none, or an earlier run of the queue began it. */
  readonly cards?: string;
  /** It has succeeded, and its results are to be copied before it is done; absent: it has not, or nothing is copied. */
  readonly ranAtMs?: number;
  /** So many files of code had been changed since the launch when it began; absent: none, as far as was looked. */
  readonly changedFiles?: number;
  /** Null: it or its copy runs, or what ran it is gone. */
  readonly end: CellEnd | null;
}

export type CellEnd =
  | { readonly kind: 'exit' | 'cut'; readonly exitCode: number; readonly atMs: number }
  | { readonly kind: 'copied'; readonly files: number; readonly atMs: number }
  /** `why`: as `whyNotCopied` reads it. */
  | { readonly kind: 'uncopied'; readonly why: string; readonly atMs: number };

/** A queue as its folder on the box tells it. Every text is the box's, and hostile. */
export interface QueueView {
  /** Null: nobody has looked yet. */
  readonly atMs: number | null;
  /** The index of each is its place and one. Of a long command only the beginning. */
  readonly cells: readonly QueueCell[];
  readonly marks: Readonly<Record<number, CellMark>>;
  /** How many cells run at once. */
  readonly slots: number;
  readonly isPaused: boolean;
  readonly isStopping: boolean;
  /** Processes of a cell that outlived the run which began it: as long as they are there, nothing may go on with the queue. */
  readonly left: readonly number[];
  /** The cells whose results may be less than their copy by now: it was proven once, and what it allowed to remove was being removed. */
  readonly pruning: readonly number[];
  /** Why the last look brought nothing; what stands here is older then. */
  readonly problem: Problem | null;
}

export const NO_QUEUE: QueueView = {
  atMs: null,
  cells: [],
  marks: {},
  slots: 1,
  isPaused: false,
  isStopping: false,
  left: [],
  pruning: [],
  problem: null,
};

/** What changed since the last look. */
export interface QueueDelta extends Partial<Omit<QueueView, 'marks'>> {
  readonly marks?: Readonly<Record<number, CellMark>>;
  /** The journal is read from its beginning: what stood in it before counts no more. */
  readonly isAnew?: boolean;
}

export type CellState =
  | { readonly kind: 'commented' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly beganAtMs: number; readonly cards?: string }
  | { readonly kind: 'interrupted'; readonly beganAtMs: number; readonly atMs: number | null }
  | { readonly kind: 'copying'; readonly beganAtMs: number; readonly ranAtMs: number }
  /** It has succeeded, and there is no checked copy of its results. */
  | {
      readonly kind: 'uncopied';
      readonly why: string;
      readonly beganAtMs: number;
      readonly atMs: number;
    }
  | {
      readonly kind: 'done';
      readonly beganAtMs: number;
      readonly atMs: number;
      /** How many files of its results were copied and read back; absent: no copy was asked for. */
      readonly copied?: number;
    }
  | {
      readonly kind: 'failed';
      readonly exitCode: number;
      readonly beganAtMs: number;
      readonly atMs: number;
    };

/** `isAlive`: the run that goes on with the queue lives. Without it a cell that has no end was interrupted. */
export function judgeCell(
  { isCommented }: QueueCell,
  mark: CellMark | undefined,
  isAlive: boolean,
): CellState {
  if (mark === undefined) return { kind: isCommented ? 'commented' : 'waiting' };
  const { beganAtMs, ranAtMs, end, cards } = mark;
  const on = cards === undefined ? {} : { cards };
  if (end === null && ranAtMs !== undefined) {
    return isAlive
      ? { kind: 'copying', beganAtMs, ranAtMs }
      : { kind: 'uncopied', why: 'cut-off', beganAtMs, atMs: ranAtMs };
  }
  if (end === null) {
    return isAlive
      ? { kind: 'running', beganAtMs, ...on }
      : { kind: 'interrupted', beganAtMs, atMs: null };
  }
  const { atMs } = end;
  switch (end.kind) {
    case 'cut':
      return { kind: 'interrupted', beganAtMs, atMs };
    case 'copied':
      return { kind: 'done', beganAtMs, atMs, copied: end.files };
    case 'uncopied':
      return { kind: 'uncopied', why: end.why, beganAtMs, atMs };
    case 'exit': {
      const { exitCode } = end;
      return exitCode === 0
        ? { kind: 'done', beganAtMs, atMs }
        : { kind: 'failed', exitCode, beganAtMs, atMs };
    }
  }
}

/** Nothing of it is left to do, whatever came of it. */
export const isFinished = (mark: CellMark | undefined): boolean =>
  mark?.end?.kind === 'exit' || mark?.end?.kind === 'copied';

/** The indices that a resumed run goes through: all that have no exit code, and those whose results alone are to be copied. */
export function cellsToRun({ cells, marks }: Pick<QueueView, 'cells' | 'marks'>): number[] {
  return cells.flatMap(({ isCommented }, at) => {
    const index = at + 1;
    return isCommented || isFinished(marks[index]) ? [] : [index];
  });
}
