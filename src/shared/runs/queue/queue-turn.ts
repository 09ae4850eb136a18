import type { LaunchedRun } from '../launch/launched-run.ts';

/**
 * Whether this is the run that may be gone on after: nobody has, and it is one of the queue's itself. A launch that was cut off before it
 * had taken its place after another one is none.
 */
export function isNewestTurn(run: LaunchedRun, runs: readonly LaunchedRun[]): boolean {
  const { queue } = run;
  if (queue === undefined || queue.next !== null) return false;
  return queue.id === run.id || runs.some((each) => each.queue?.next === run.id);
}

/** The run that a queue stands at: its newest one, also where a sweep took the place after it, so that nobody goes on with it. */
export function lastTurn(id: string, runs: readonly LaunchedRun[]): LaunchedRun | undefined {
  const turns = runs.filter(({ queue }) => queue?.id === id);
  return (
    turns.find((run) => isNewestTurn(run, runs)) ??
    turns.find(({ queue }) => runs.some((each) => each.id === queue?.next && each.queue?.id !== id))
  );
}
