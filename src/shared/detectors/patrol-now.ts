import type { PatrolState } from '../patrol/patrol-state.ts';

export const UNPATROLLED = 'no patrol has looked yet';

/** A look may take a minute, and a busy machine some seconds to begin it. */
const OVERDUE_MS = 120_000;

/** Why the rules' answers to the last look say nothing about now; null: they do. */
export function whyNoJudgement(patrol: PatrolState | null, atMs: number): string | null {
  if (patrol === null) return UNPATROLLED;
  const { phase, judged, failed } = patrol;
  if (phase.kind === 'off') return 'the box is not connected';
  if (failed !== null) return `the last patrol failed: ${failed.problem.message}`;
  if (judged === null) return 'no patrol has looked since the box was connected';
  const dueMs = phase.kind === 'waiting' ? phase.nextAtMs : phase.sinceMs;
  return atMs - dueMs > OVERDUE_MS ? 'the patrol that was due has not come' : null;
}
