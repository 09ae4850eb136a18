import type { PatrolSeen, SeenRun } from '../../../shared/patrol/patrol-state.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';

/** A launched run stands apart, with all that is known of it. */
export function withoutLaunched(seen: PatrolSeen, launched: readonly LaunchedRun[]): PatrolSeen {
  const isLaunched = ({ log }: SeenRun): boolean =>
    log !== null && launched.some(({ place }) => log.path.startsWith(`${place}/`));
  return { ...seen, runs: seen.runs.filter((run) => !isLaunched(run)) };
}
