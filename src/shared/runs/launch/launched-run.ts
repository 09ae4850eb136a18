import type { Problem } from '../../problem.ts';
import type { LaunchedOver } from './run-about.ts';
import type { ProcessRef } from '../process-ref.ts';
import type { FileHashes } from '../resume/judge-edited.ts';
import type { Run } from '../run.ts';
import type { SweepRef } from '../sweep/sweep-roster.ts';
import type { RunCode, RunKeeps } from './run-about.ts';
import type { GpuNeed } from './run-needs.ts';

/** `denied`: what the run writes has changed since. `unseen`: that cannot be told. `odd`: the file that keeps it is none of ours. */
export type GoneDoubt = 'denied' | 'unseen' | 'odd';

/** How a run stands, as its folder and the process table say it together. */
export type RunStatus =
  /** Its folder is there, and nothing has begun yet. */
  | { readonly kind: 'starting' }
  /** `lacksKeeper`: nobody is there any more who would write down its end. */
  | {
      readonly kind: 'running';
      readonly lacksKeeper?: true;
      /** The command has succeeded, and its results are copied. */
      readonly isCopying?: true;
      /** What ran is over, and its end is not written down yet. */
      readonly isEnding?: true;
    }
  /** Its launch was cut off before anything began, and nothing can begin any more. */
  | { readonly kind: 'never-started' }
  | {
      readonly kind: 'done' | 'failed';
      /** Of one that a signal ended, 128 and the signal, as a shell tells it. Null: not known. */
      readonly exitCode: number | null;
      readonly atMs: number;
      /** The exit code alone was fine: the log does not have the text that a success has. */
      readonly lacksSuccessLine: boolean;
      /** What became of the copy of its results: `copied`, or why there is none. Absent: none was asked for. */
      readonly copy?: string;
    }
  /** A person ended it. */
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly atMs: number }
  /** The box asked it to end, as before a restart or the end of a spot machine, and it was not done. */
  | { readonly kind: 'cut-off'; readonly exitCode: number | null; readonly atMs: number }
  /** Another machine that has this home launched it, and wrote down no end: whether it still runs there, this one does not see. */
  | {
      readonly kind: 'elsewhere';
      readonly machine: string;
      /** Why it does not count that a person has said that this machine is gone; absent: nobody has. */
      readonly doubt?: GoneDoubt;
    }
  /** What started it is gone, and wrote down no end. */
  | { readonly kind: 'lost'; readonly because: 'restart' | 'killed' }
  /** Another machine launched it, and a person has said that this one is gone for good: nobody has seen the end. */
  | {
      readonly kind: 'lost';
      readonly because: 'machine-gone';
      readonly machine: string;
      readonly saidAtMs: number;
    }
  /** Not what a launch writes: edited by hand, cut off by a full disk, another version's. */
  | { readonly kind: 'unreadable'; readonly because: string };

/** A run that Leasehold launched, from whatever computer, as its folder on the box tells it. Every text is the box's, and hostile. */
export interface LaunchedRun extends Run {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly folder: string;
  /** Where its results are to lie; null: not told. */
  readonly results: string | null;
  /** Where these are copied to once it has succeeded; absent: nowhere. */
  readonly copyTo?: string;
  /** Of a queue, the pattern of the results folder that each of its cells has to itself; absent: none has. */
  readonly cellResults?: string;
  /** SHA-256 of what runs, as the launch that began the chain wrote it; absent: an older Leasehold did. */
  readonly files?: FileHashes;
  /** SHA-256 of what else its request asks for; absent: an older Leasehold launched it, or it goes on after another. */
  readonly asked?: string;
  /** What blocked its launch, and a person launched over. */
  readonly overridden: readonly LaunchedOver[];
  /** The code that was pushed for it; absent: none was. */
  readonly code?: RunCode;
  /** What of its results is evidence, scratch or a checkpoint; absent: the request did not say. */
  readonly keeps?: RunKeeps;
  /** How its log tells how far it is; absent: the request did not say. */
  readonly progress?: readonly string[];
  /** Of a queue, the GPUs that each of its cells has to itself; absent: each sees all. */
  readonly gpus?: GpuNeed;
  /** How many files of its trainer's settings its folder keeps (U27); absent: none. */
  readonly configs?: number;
  /** The run folder. */
  readonly place: string;
  readonly detacher: string;
  readonly launchedAtMs: number | null;
  /** The process that keeps it; null: none has begun. */
  readonly process: ProcessRef | null;
  readonly status: RunStatus;
  readonly log: { readonly bytes: number; readonly modifiedAtMs: number } | null;
  /** Absent: it is no queue. */
  readonly queue?: RunTurn;
  /** Of one command that went on after a run, or that one goes on after; absent: neither. */
  readonly again?: RunTurn;
  /** A line of the crontab starts it again once the box has restarted. */
  readonly startsAgain?: true;
  /** A person wants no offer to go on after it. */
  readonly isDeclined?: true;
  /** Absent: it is part of no sweep. */
  readonly sweep?: SweepRef;
}

/** One run of a chain: each has at most one that goes on after it. */
export interface RunTurn {
  /** The first one, whose job.sh all of them run, and whose folder holds the queue where it is one. */
  readonly id: string;
  /** The run that has gone on after it; null: none has. */
  readonly next: string | null;
}

/** What is known of the runs that were launched on one box. */
export interface LaunchedRuns {
  /** Null: nobody has looked yet. */
  readonly atMs: number | null;
  /** The newest first. */
  readonly runs: readonly LaunchedRun[];
  /** Older ones that one look does not tell. */
  readonly leftOut: number;
  /** The run that they are older than; null or absent: not told. Behind it, runs that live may be told as well. */
  readonly behind?: string | null;
  /** Why the last look brought nothing; what stands here is older then. */
  readonly problem: Problem | null;
}

export const NO_LAUNCHED_RUNS: LaunchedRuns = { atMs: null, runs: [], leftOut: 0, problem: null };

/** Between asking a run to end and ending it by force: enough to write a checkpoint of some GiB. */
export const END_GRACE_S = 20;

export function isOver({ status }: LaunchedRun): boolean {
  return status.kind !== 'starting' && status.kind !== 'running' && status.kind !== 'elsewhere';
}

/** The machine of a run that is over by a person's word alone, which may be wrong; null: it is not. */
export const saidGone = ({ status }: Pick<LaunchedRun, 'status'>): string | null =>
  status.kind === 'lost' && status.because === 'machine-gone' ? status.machine : null;

/** The end of a log, as far as it is kept here. */
export interface RunLog {
  /** Hostile: escape sequences and all. */
  readonly text: string;
  /** How far the file was read. */
  readonly bytes: number;
  /** The file has more before `text`. */
  readonly isCut: boolean;
  readonly state: 'opening' | 'following' | 'whole' | 'stopped';
  readonly problem: Problem | null;
}

/** A file that a run left. */
export interface ResultFile {
  /** From the results folder on. Hostile. */
  readonly path: string;
  readonly bytes: number;
  /** By the clock here, for who reads it; `stamp` is what tells one version from another. */
  readonly modifiedAtMs: number;
  readonly stamp?: FileStamp;
}

/**
 * "<written> <changed> <number>" of a file, by its own machine's clock, as exactly as that tells it, and its inode. It is compared letter by
 * letter and nothing is counted with it. Nobody can set back the second of them, so that a file which was written to has another stamp.
 */
export type FileStamp = string;

/** What lies among them and is no file. A link is never followed: it may lead anywhere. `closed`: a folder that nobody can look into. */
export interface OtherResult extends ResultFile {
  readonly kind: 'link' | 'special' | 'closed';
  /** Of a link: null where the box did not tell; absent: nobody asked. */
  readonly leads?: LinkLead | null;
}

/** Where a link among results leads. Hostile. */
export interface LinkLead {
  /** As the link itself says. */
  readonly target: string;
  /** As a whole path; null: its names alone do not tell. */
  readonly path: string | null;
  /** It stays in the folder. */
  readonly isInside: boolean;
}

export interface ResultList {
  /** When they were listed. */
  readonly atMs: number;
  /** As the box names it. */
  readonly folder: string;
  readonly files: readonly ResultFile[];
  readonly others: readonly OtherResult[];
  /** More than one look tells. */
  readonly isCut: boolean;
  /** A file that is written to so much later than it was listed has another stamp; one that is written to sooner need not. */
  readonly grainMs: number;
  /** False: it lies on a disk, as over a network, where a file may be written to and its stamp stay the same. */
  readonly tellsWrites: boolean;
}

/** Whatever is to be home before the folder may go. What is in a closed folder nobody knows, and it counts as one file that is not. */
export const atStakeIn = ({ files, others }: ResultList): readonly ResultFile[] => [
  ...files,
  ...others.filter(({ kind }) => kind === 'closed'),
];
