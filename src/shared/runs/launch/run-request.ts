import type { RunNeeds } from './run-needs.ts';

/** What is wanted of a run. Nothing in it names a platform: where things lie there, the profile says. */
export interface RunRequest extends RunNeeds {
  readonly name: string;
  /** As it would be typed in a terminal of the box; several lines are a script. */
  readonly command: string;
  /** Where it runs: a path on the box. */
  readonly folder: string;
  /** Run before the command, such as `source .venv/bin/activate`; null: nothing. */
  readonly activate: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Where its results will lie, from `folder` on or as a whole path; null: not told. */
  readonly results: string | null;
  /** The log has this text once all went well; null: the exit code alone says so. */
  readonly successLine: string | null;
  /** The code that is brought into `folder` first; absent: what is there runs. */
  readonly push?: PushRequest;
  /** Data that the box fetches by itself before the command, one after the other. */
  readonly fetch?: readonly FetchStep[];
  /** Run before the command, which does not begin where this fails (GEN5). */
  readonly smoke?: string;
  /** Where its results are copied to once it has succeeded; it is done only once the copy was read back (U33). */
  readonly copy?: CopyRequest;
  /** What it will need on the disk of `folder`, beside its checkpoints; absent: not told. */
  readonly diskGib?: number;
}

export interface PushRequest {
  /** A folder of this computer, as a whole path. */
  readonly from: string;
  /** Patterns of what is left out, beside what git ignores. */
  readonly ignore: readonly string[];
  /** What an earlier push has put on the box goes where it is no longer in `from`. */
  readonly delete: boolean;
  /** Windows line ends of scripts are changed on the way (U26); else such a script blocks the launch. */
  readonly fixLineEnds: boolean;
  /** Every file is read again on both sides, also where nothing tells of a change since its hash was kept. */
  readonly rehash: boolean;
}

export interface CopyRequest {
  /** A folder on the box, in which the copy gets one of its own; `DURABLE`: on the storage of the platform that survives. */
  readonly to: string;
  /** What of the results is removed after that: patterns from their folder on. */
  readonly prune: readonly string[];
}

/** In place of a path, which each platform has another one for. */
export const DURABLE = 'durable';

export interface FetchStep {
  /** Made first; from `folder` on, or a whole path on the box. */
  readonly into: string;
  /** Run in `into`. */
  readonly run: string;
}
