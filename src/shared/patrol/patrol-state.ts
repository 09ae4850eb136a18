import type { DetectorId, Found } from '../detectors/finding.ts';
import type { Problem } from '../problem.ts';
import type { FailureId } from '../triage/failures.ts';
import type { RunProcess } from '../runs/run.ts';
import type { LookDetectorId, LookSubject } from './look-detector.ts';
import type { VanishCause, VanishStep } from './judge-vanished.ts';

/** What the patrols of one box know: plain data, as it goes to the window and to the other watches. */
export interface PatrolState {
  readonly phase: PatrolPhase;
  /** The newest look that the box answered; null: there was none yet. */
  readonly seen: PatrolSeen | null;
  /** What the rules said of `seen`; null: nobody has looked since the link is up, so they say nothing of the box as it is. */
  readonly judged: JudgedLook | null;
  /** Why the newest patrol brought no look; null: it did. It says nothing about the runs. */
  readonly failed: PatrolFailure | null;
  /** Runs that were seen once and are gone, the newest first, until the person is done with them. */
  readonly gone: readonly GoneRun[];
}

export type PatrolPhase =
  /** The link is not up: nobody looks, and what was seen stays what it was then. */
  | { readonly kind: 'off' }
  | {
      readonly kind: 'waiting';
      readonly nextAtMs: number;
      readonly pace: PatrolPace;
    }
  | { readonly kind: 'looking'; readonly sinceMs: number };

/** How often is looked: what was chosen, or faster while something is wrong, or slower where nothing runs. */
export type PatrolPace = 'usual' | 'wrong' | 'idle' | 'failed';

export interface PatrolSeen {
  /** This machine's time when the box had answered. */
  readonly atMs: number;
  /** What the look took; null: it was made by an earlier session or by the command line. */
  readonly took: { readonly ms: number; readonly bytes: number } | null;
  readonly uptimeS: number | null;
  /** False: the box did not tell of all its processes, so a run that is not here may be there. */
  readonly isWhole: boolean;
  /** The answer came to its end, and the box has told of no process at all: it may never tell of any. */
  readonly tellsNone?: true;
  readonly runs: readonly SeenRun[];
  /** Used share of the memory limit, 0 to 1; null: not told. */
  readonly memoryShare: number | null;
  /** What the look could not tell, and why. */
  readonly unread: readonly Unread[];
}

/** Rules over a look whose answers are findings of their own. U3 is told by the runs that are gone, GEN8 by what failed. */
export type LookRuleId = Exclude<LookDetectorId, 'U3' | 'GEN8'> & DetectorId;

/** The answers of all rules to one look, bounded. */
export interface JudgedLook {
  readonly found: readonly FoundInLook[];
  readonly unknown: readonly UnknownInLook[];
  readonly clear: readonly ClearInLook[];
}

export interface FoundInLook {
  readonly detector: LookRuleId;
  readonly subject: LookSubject;
  /** The first look that found it. */
  readonly sinceMs: number;
  readonly found: Found;
  /** When it was seen, by an earlier look that could tell nobody. */
  readonly seenAtMs?: number;
}

export interface ClearInLook {
  readonly subject: LookSubject;
  readonly detectors: readonly LookRuleId[];
}

export interface UnknownInLook {
  readonly detector: LookRuleId;
  readonly subject: LookSubject;
  readonly because: string;
}

export interface Unread {
  readonly what: string;
  readonly because: string;
}

export interface PatrolFailure {
  readonly atMs: number;
  readonly tookMs: number;
  readonly problem: Problem;
  /** How many patrols in a row brought nothing. */
  readonly times: number;
}

/** A run as the newest look saw it. Every text in it is bounded. */
export interface SeenRun extends RunProcess {
  /** The log that it wrote to last; null: it writes none, or none could be read. */
  readonly log: SeenLog | null;
  /** The newest checkpoint that it wrote; null: none, or which run wrote those that are there is not known. */
  readonly checkpoint: SeenCheckpoint | null;
}

export interface SeenCheckpoint {
  readonly path: string;
  /** By this machine's clock. */
  readonly writtenAtMs: number;
}

export interface SeenLog {
  readonly path: string;
  readonly isDeleted: boolean;
  /** By this machine's clock. */
  readonly writtenAtMs: number;
  readonly bytes: number;
  /** The last few, the newest last. Null: they could not be read in time, or were read by an earlier session. */
  readonly lastLines: readonly string[] | null;
}

/** Of runs that are gone the newest, so many as a box may lose at once; who was done with them took them out before. */
export const MAX_GONE = 100;

/** A run that is not there any more, with the ladder that was walked for it. */
export interface GoneRun extends Omit<RunProcess, 'survivesHangup' | 'isUnbuffered'> {
  /** Of this end of it: the process, and when it was seen last. */
  readonly key: string;
  /** When it was seen for the last time, and when it was missed first. */
  readonly lastSeenMs: number;
  readonly missedMs: number;
  /** The last moment at which the cards worked, where they fell idle between the two and it alone held one; null: not known. */
  readonly workedUntilMs: number | null;
  /** The log that it wrote to last; null: none could be read. */
  readonly log: Pick<SeenLog, 'path' | 'writtenAtMs'> | null;
  /** How its log ends, the newest line last, without what looks like a secret. Empty: it could not be read. */
  readonly lastLines: readonly string[];
  /** The newest that it wrote; null: none is known. */
  readonly checkpoint: SeenCheckpoint | null;
  /** Null: not proven; the steps say what is missing for each. */
  readonly cause: VanishCause | null;
  readonly steps: readonly VanishStep[];
  /** What its log says that went wrong; null: nothing that is known. */
  readonly failure: FailureId | null;
  /** The rules that read the same in its log, the nearest first: their steps are told with its end, and no second alert is. */
  readonly alike: readonly LookRuleId[];
  /** Processes (`processKey`) of the same command in the same folder that ran beside it. */
  readonly twins: readonly string[];
}

export const NO_PATROL: PatrolState = {
  phase: { kind: 'off' },
  seen: null,
  judged: null,
  failed: null,
  gone: [],
};
