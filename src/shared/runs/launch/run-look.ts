import type { LaunchedRun } from './launched-run.ts';

/** What one look at a box says of the runs that were launched there. */
export interface RunLook {
  readonly atMs: number;
  /** The newest first. */
  readonly runs: readonly LaunchedRun[];
  readonly leftOut: number;
  /** Where the older ones go on, for the next look; null: there are none. */
  readonly behind: string | null;
  /** Launches of which nothing arrived in time: nothing of them can begin any more. */
  readonly sealed: readonly string[];
}
