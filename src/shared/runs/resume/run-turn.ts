import type { LaunchedRun, RunTurn } from '../launch/launched-run.ts';

/** Where a run stands among those that go on after each other. */
export function turnOf({ id, queue, again }: Pick<LaunchedRun, 'id' | 'queue' | 'again'>): RunTurn {
  return queue ?? again ?? { id, next: null };
}

/**
 * Whether this is the run that may be gone on after: nobody has, and it is one of the chain itself. A launch that was cut off before it
 * had taken its place after another one is none.
 */
export function isNewestTurn(run: LaunchedRun, runs: readonly LaunchedRun[]): boolean {
  const { id, next } = turnOf(run);
  if (next !== null) return false;
  return id === run.id || runs.some((each) => turnOf(each).next === run.id);
}

/** The run that a chain stands at: its newest one, also where a sweep took the place after it, so that nobody goes on with it. */
export function lastTurn(id: string, runs: readonly LaunchedRun[]): LaunchedRun | undefined {
  const turns = runs.filter((run) => turnOf(run).id === id);
  return (
    turns.find((run) => isNewestTurn(run, runs)) ??
    turns.find((run) => runs.some((each) => each.id === turnOf(run).next && turnOf(each).id !== id))
  );
}
