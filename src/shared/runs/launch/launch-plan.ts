import type { Plan } from '../../plan/plan.ts';
import type { PlannedFile } from '../../plan/planned-file.ts';
import type { QueuePlan } from '../queue/queue-plan.ts';
import type { PlannedPush } from '../../transfer/planned-push.ts';
import type { TellsTo } from './known-box.ts';
import type { Outlook } from './outlook.ts';
import type { RunRequest } from './run-request.ts';

/** How a run is put out of reach of the session that starts it, the best that the box has. */
export type Detacher = 'tmux' | 'setsid' | 'nohup';

export const CHECK_ANSWERS = ['pass', 'warn', 'block', 'unknown'] as const;
export type CheckAnswer = (typeof CHECK_ANSWERS)[number];

/** One thing that was looked at before a launch. */
export interface PreflightCheck {
  readonly id: string;
  /** What was asked, in a few words: "Folder can be written". */
  readonly title: string;
  readonly answer: CheckAnswer;
  /** What the answer is, in a sentence; of a box's own words only what `plainLine` leaves. */
  readonly says: string;
  /** The catalog's entry that says more; null: there is none. */
  readonly gotcha: string | null;
  /** Of one that blocks: what launching anyway means. Null: it does not block, or nobody can launch over it. */
  readonly anyway: string | null;
}

/** All that a launch does, before it does it. */
export interface LaunchPlan {
  readonly plan: Plan;
  readonly runId: string;
  readonly request: RunRequest;
  /** Absent: it is one command, and no queue. */
  readonly queue?: QueuePlan;
  /** Of one command that goes on after a run, that run; absent: it is new, or a queue, which says so itself. */
  readonly after?: string;
  /** The run folder on the box, as a whole path. */
  readonly folder: string;
  /** What will be in it. */
  readonly files: readonly PlannedFile[];
  readonly detacher: Detacher;
  /** The line that is added to the crontab, so that it starts again after a restart of the box; absent: none is. */
  readonly reboot?: string;
  /** The line that starts it, as the box gets it. */
  readonly startLine: string;
  readonly checks: readonly PreflightCheck[];
  /** The code that is sent first; null: none. */
  readonly push: PlannedPush | null;
  readonly outlook: Outlook;
  /** What is armed once it has begun; absent: nothing. */
  readonly notices?: PlannedNotices;
  /** How to end it from a terminal. */
  readonly byHand: string;
}

/** Whom a run is told to, while it runs and when it has ended. That one of them cannot be armed never stops the run. */
export interface PlannedNotices {
  /** What the box posts by itself; null: nothing. */
  readonly end: {
    readonly to: TellsTo;
    readonly maxHours: number;
    /** What is put on the box for it, and runs there until it has posted. */
    readonly waiter: PlannedFile;
  } | null;
  /** What Leasehold waits for in the log; null: nothing. */
  readonly line: { readonly path: string; readonly text: string } | null;
}

/** What a person launches over, one by one, by the ids of the checks. */
export type Overridden = ReadonlySet<string>;

export const canOverride = ({ answer, anyway }: PreflightCheck): boolean =>
  answer === 'block' && anyway !== null;

/** What a launch still waits for: what blocks it and is not launched over. */
export function stillBlocking(
  { checks }: Pick<LaunchPlan, 'checks'>,
  overridden: Overridden,
): readonly PreflightCheck[] {
  return checks.filter(
    (check) => check.answer === 'block' && !(canOverride(check) && overridden.has(check.id)),
  );
}
