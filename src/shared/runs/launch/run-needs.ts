import type { Tracker } from './tracker.ts';

/** What a run needs of the box that takes it, and what is to be known of it: each absent where the person did not say. */
export interface RunNeeds {
  readonly gpus?: GpuNeed;
  /** What it saves over and over. */
  readonly checkpoints?: CheckpointNeed;
  /** How many files a cell leaves: a disk may run out of inodes before it is full (U7). */
  readonly files?: number;
  /** Processes that load data, each with its own copy of it (U9). */
  readonly workers?: WorkerNeed;
  /** Environment variables whose values lie on the box in files that only the person can read. */
  readonly secrets?: readonly string[];
  readonly tracker?: Tracker;
  /** A cheap command that must have passed on the person's own computer with the very code that is pushed (GEN5). */
  readonly rehearsal?: string;
  /** Addresses that it must reach. */
  readonly internet?: readonly string[];
  /** How long one run of the command takes, as the person expects. */
  readonly hours?: number;
  /** Platforms that it is meant for, by the ids of their profiles, the best first. */
  readonly platforms?: readonly string[];
  /** False: nothing of what the profile of the box says is put into it. */
  readonly profile?: boolean;
  /** Patterns below the results folder: what is to be kept, and what need not be. */
  readonly evidence?: readonly string[];
  readonly scratch?: readonly string[];
  /** How a line of its log tells how far it is, where Leasehold does not know its trainer: see progress-pattern.ts. */
  readonly progress?: readonly string[];
  /** What is armed once it has begun; that this fails never stops the run. */
  readonly notify?: NotifyNeed;
}

export interface NotifyNeed {
  /** The box posts by itself when the run has ended, also while this computer sleeps. */
  readonly end?: boolean;
  /** Leasehold tells of the first line of its log with this text in it. */
  readonly line?: string;
}

export interface GpuNeed {
  /** Any of these stands in the name of each card, whatever its case; "*" is anything. Absent: any card will do. */
  readonly names?: readonly string[];
  /** At least so many such cards; of a queue or a sweep, for each cell, which then has them to itself. */
  readonly count?: number;
  /** At least so much memory on each, in GiB. */
  readonly gib?: number;
  /** Of a queue or a sweep, at most so many cells at once on a box; absent: as many as the free cards go round. */
  readonly cells?: number;
}

export interface CheckpointNeed {
  /** Patterns of the files or folders that are checkpoints. */
  readonly names?: readonly string[];
  /** Of one. */
  readonly gib?: number;
  /** How many of them a cell keeps at once. */
  readonly kept?: number;
}

export interface WorkerNeed {
  readonly count: number;
  /** What each of them holds in memory, and the run itself once more. */
  readonly gib: number;
}

const NEEDS = {
  gpus: true,
  checkpoints: true,
  files: true,
  workers: true,
  secrets: true,
  tracker: true,
  rehearsal: true,
  internet: true,
  hours: true,
  platforms: true,
  profile: true,
  evidence: true,
  scratch: true,
  progress: true,
  notify: true,
} satisfies Readonly<Record<keyof RunNeeds, true>>;

/** What of it is there. */
export function needsOf(from: RunNeeds): RunNeeds {
  return Object.fromEntries(
    Object.keys(NEEDS).flatMap((name) => {
      const said = from[name as keyof RunNeeds];
      return said === undefined ? [] : [[name, said] as const];
    }),
  );
}
