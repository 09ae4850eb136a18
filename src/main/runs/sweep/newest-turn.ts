import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';

/** The run that went on with a queue last. One that follows it in the sweep has a queue of its own. */
export function newestTurn(run: LaunchedRun, runs: readonly LaunchedRun[]): LaunchedRun {
  let newest = run;
  for (let steps = 0; steps < runs.length; steps += 1) {
    const { queue } = newest;
    const next = runs.find(({ id }) => id === queue?.next);
    if (next === undefined || next.queue?.id !== queue?.id) break;
    newest = next;
  }
  return newest;
}
