import type { PatrolState } from '../patrol/patrol-state.ts';

export const UNPATROLLED = 'the box has not been checked';

/** A look may take a minute, and a busy machine some seconds to begin it. */
const OVERDUE_MS = 120_000;

/** Why the rules' answers to the last look say nothing about now; null: they do. */
export function whyNoJudgement(patrol: PatrolState | null, atMs: number): string | null {
  if (patrol === null) return UNPATROLLED;
  const { phase, judged, failed } = patrol;
  if (phase.kind === 'off') return 'the box is not connected';
  if (failed !== null) return `the last check failed: ${failed.problem.message}`;
  if (judged === null) return 'the box has not been checked since it was connected';
  const dueMs = phase.kind === 'waiting' ? phase.nextAtMs : phase.sinceMs;
  return atMs - dueMs > OVERDUE_MS ? 'a check is overdue' : null;
}
