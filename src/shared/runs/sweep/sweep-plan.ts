import type { Plan } from '../../plan/plan.ts';
import type { PlannedFile } from '../../plan/planned-file.ts';
import type { Problem } from '../../problem.ts';
import type { PushRequest } from '../launch/run-request.ts';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import type { CellSource } from './make-cells.ts';
import type { SweepBase } from './sweep-roster.ts';

/** What a person wants of a sweep. */
export interface SweepDraft {
  readonly name: string;
  readonly base: SweepBase;
  /** Main makes the cells of it, by the very function with which the window has shown them. */
  readonly source: CellSource;
  /** Of the folder of each cell. */
  readonly pattern: string;
  readonly push?: PushRequest;
}

/** Which cells go to which box. */
export interface WantedShare {
  readonly boxId: string;
  /** By their place in the roster. */
  readonly cells: readonly number[];
}

/** What one box is to do; all of them are launched together or none. */
export interface PlannedShare {
  readonly boxId: string;
  readonly place: string;
  readonly cells: number;
  /** Without the file that every box gets; null: the box could not be asked. */
  readonly plan: Omit<LaunchPlan, 'plan'> | null;
  readonly problem: Problem | null;
}

/** All that launching a sweep, or cells of it again, does. */
export interface SweepPlan {
  readonly plan: Plan;
  readonly sweepId: string;
  readonly name: string;
  /** What every box gets beside its own files: of ten thousand cells some megabytes, told once. */
  readonly file: PlannedFile;
  readonly shares: readonly PlannedShare[];
}

/** What became of each box. */
export interface LaunchedShare {
  readonly boxId: string;
  readonly place: string;
  readonly run: string;
  /** Null: it was launched, now or by an earlier try. */
  readonly problem: Problem | null;
}

export interface SweepLaunched {
  readonly sweepId: string;
  readonly shares: readonly LaunchedShare[];
  /** The same plan can be tried again: boxes that have begun are left alone, and none begins twice. */
  readonly canRepeat: boolean;
}
