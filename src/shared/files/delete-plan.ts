import type { Plan } from '../plan/plan.ts';
import type { Problem } from '../problem.ts';

/** What deleting would take away. Nothing but this is deleted. */
export interface DeletePlan {
  readonly plan: Plan;
  /** What was chosen, each as a whole path with no link on the way. Hostile. */
  readonly chosen: readonly string[];
  readonly files: number;
  readonly folders: number;
  /** Links, which go without what they lead to, and special files. */
  readonly others: number;
  /** Of the files; null: the box does not say of each. */
  readonly bytes: number | null;
}

/** What came of it, read back. */
export interface DeleteReport {
  readonly removed: number;
  /** What is still there, and why; empty: all of it is gone. */
  readonly left: readonly LeftFile[];
}

export interface LeftFile {
  /** Hostile. */
  readonly path: string;
  readonly problem: Problem;
}
