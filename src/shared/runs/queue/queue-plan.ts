import type { QueueSlot } from './workload.ts';

/** What a launch does with the cells of a queue. */
export interface QueuePlan {
  /** Those that will run, in this order. */
  readonly cells: readonly PlannedCell[];
  /** The cards of each cell that runs at the same time; none: one after another. */
  readonly slots: readonly QueueSlot[];
  /** Of those that will not. */
  readonly commented: number;
  readonly finished: number;
  /** A queue that goes on, after which run; null: a new one. */
  readonly after: string | null;
  /** Null: what was asked for when the queue was made. */
  readonly stopsAtFailure: boolean | null;
}

export interface PlannedCell {
  readonly index: number;
  readonly name: string;
  readonly command: string;
  /** It had begun and has no exit code: it runs again from its beginning. */
  readonly isInterrupted: boolean;
  /** It has succeeded: its results are copied, and it is not run again. */
  readonly isCopyOnly?: true;
}
