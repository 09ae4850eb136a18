import type { FileStamp } from '../runs/launch/launched-run.ts';
import type { Plan } from '../plan/plan.ts';
import type { Loaded } from '../verify/loaded.ts';
import type { SetFound } from '../verify/sets.ts';
import type { Fate } from './fate.ts';
import type { SaidRule } from './keep-rules.ts';
import type { PullWay } from './pull-way.ts';

/** What a file of the results is for, as a rule says. */
export type KeepKind = 'evidence' | 'checkpoint' | 'scratch' | 'unknown';

/** What bringing results home will do. Nothing but this is done. */
export interface PullPlan {
  readonly plan: Plan;
  /** On the box, as a whole path. */
  readonly from: string;
  /** On this computer. */
  readonly to: string;
  readonly files: readonly PullFile[];
  /** Of all that can be brought home. */
  readonly bytes: number;
  /** Of these, what does not lie here: what is sent, and what takes room. */
  readonly missingBytes: number;
  /** Where `to` is; null: this computer does not say. */
  readonly freeBytes: number | null;
}

export interface PullFile {
  /** From the results folder on. Hostile. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  readonly stamp?: FileStamp;
  readonly keep: KeepKind;
  /** Which rule says so; absent: none. */
  readonly rule?: Pick<SaidRule, 'pattern' | 'from'>;
  /** On the box, by its platform’s tiers; absent: nobody asked. */
  readonly fate?: Fate;
  /** Why it cannot be brought home; null: it can. */
  readonly refused: string | null;
  /** By names and sizes alone: nothing of it is proven before the pull. */
  readonly here: PullHere;
  /** How many of its bytes do not lie here; none of a file that cannot be brought home. */
  readonly missingBytes: number;
  /** Why the person leaves it on the box, in their words; absent: they do not. */
  readonly left?: string;
}

/** What lies here of a file before a pull. */
export type PullHere =
  | 'nothing'
  /** Of an earlier pull that was cut off. */
  | 'part'
  /** A file of its size, under its name. */
  | 'whole'
  /** Something else under its name, which stays as it is. */
  | 'in-the-way';

/** How far a pull has come. */
export interface PullProgress {
  /** Whose results they are. */
  readonly runId: string;
  /**
   * `waiting`: the connection was lost, and `retry` says when it goes on. `paused`: a person says when. `cut-off`: the app ended, and it goes on
   * once the box has been looked at.
   */
  readonly stage: 'hashing' | 'pulling' | 'looking-again' | 'waiting' | 'paused' | 'cut-off';
  readonly doneFiles: number;
  readonly files: number;
  /** As they arrive here. */
  readonly doneBytes: number;
  /** Of the files that the box has hashed by now; it does so while others come. */
  readonly hashedBytes: number;
  readonly hashedFiles: number;
  /** What carries the bytes; absent: not chosen yet. */
  readonly way?: PullWay;
  /** Why it is paused where no person has done that, or why it could not go on, as a sentence; absent: a person has. */
  readonly because?: string;
  /** Only while it waits. */
  readonly retry?: PullRetry;
  /** The rate that it keeps to, as a person set it; absent: none. */
  readonly limitBytesPerS?: number;
  /** One of a continuous pull, which gives way to a person's own. */
  readonly isRound?: true;
  readonly bytes: number;
}

/** Going on after a connection was lost. */
export interface PullRetry {
  /** How often in a row, with the one that is waited for. */
  readonly tries: number;
  readonly ofTries: number;
  readonly untilMs: number;
  readonly because: string;
}

/**
 * How much is known of a file, the least first. No level is ever shown as another. `sized`: this many bytes of it lie here. `re-read`: numbers
 * that a person reports were read from it again, which stands in an entry of its own.
 */
export const proofLevels = ['listed', 'sized', 'hashed', 'loaded', 're-read'] as const;
export type ProofLevel = (typeof proofLevels)[number];

/** One file after a pull. */
export interface PulledFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** On the box, when its bytes were hashed; absent: it was proven before anybody kept that. */
  readonly stamp?: FileStamp;
  readonly keep: KeepKind;
  /** As it was when it was brought home; absent as in the plan. */
  readonly fate?: Fate;
  readonly mark: PullMark;
  readonly level: ProofLevel;
  /** As the box and this computer both have it; null where they do not. */
  readonly sha256: string | null;
  /** When the copy here was written, in nanoseconds, as it was when it was hashed; absent as with `stamp`, and where there is none. */
  readonly copyWrittenNs?: string;
  readonly loaded: Loaded | null;
  /** What is the matter, as a sentence; null: nothing. */
  readonly says: string | null;
  /** Why the person left it on the box, in their words; absent: they did not. */
  readonly left?: string;
  /** It is damaged, here as there, and why a person takes it so, in their words; absent: they do not. Kept in an entry of its own. */
  readonly accepted?: string;
  /** Why a round of a continuous pull did not ask for it; absent: it did, or it was none. */
  readonly waits?: PullWait;
  /** The evidence entry in which it was proven, where a round found it here since then, unchanged by its size and times. */
  readonly provenIn?: number;
  /** It grew while it came: what was proven is its beginning, of so many bytes. */
  readonly isGrowing?: true;
}

/** What stays on the box until a later round, or until a person asks for it. */
export const pullWaits = ['scratch', 'older-checkpoint', 'being-written'] as const;
export type PullWait = (typeof pullWaits)[number];

export type PullMark =
  | 'equal'
  /** Both have it, and not the same. */
  | 'differs'
  | 'missing-here'
  | 'missing-there'
  | 'could-not-read';

/** What a pull found and did; kept as evidence. */
export interface PullReport {
  readonly runId: string;
  readonly runName: string;
  readonly from: string;
  readonly to: string;
  /** The digest of what the box listed in the end, with each hash that was proven. Older Leaseholds made it of less. */
  readonly manifest: string;
  readonly files: readonly PulledFile[];
  /** False: the disk of the box need not tell each writing, so that an unchanged stamp says less; absent: nobody had asked. */
  readonly tellsWrites?: boolean;
  /** What several of them make up; absent: nobody had looked for that. */
  readonly sets?: readonly SetFound[] | undefined;
}

export const UNTOLD_WRITES =
  'The box need not report every change here, as on a network disk, or while a program has a file mapped into its memory: a later one may go unnoticed until the files are hashed again.';

/** The pull of a run's results that was kept last. */
export interface RunProof {
  readonly atMs: number;
  /** Its place in the evidence. */
  readonly seq: number;
  readonly hash: string;
  readonly report: PullReport;
}
