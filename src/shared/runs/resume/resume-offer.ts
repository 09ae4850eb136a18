import { isOver, type LaunchedRun } from '../launch/launched-run.ts';
import { textOf } from '../launch/run-words.ts';
import { isNewestTurn } from './run-turn.ts';

/**
 * Whether a person may go on after this run. A run that succeeded has nothing to go on with; of a queue its cells tell that. Of a machine
 * that is gone nobody else will ever say that its run is over: that it may still run, the plan says.
 */
export function canResume(run: LaunchedRun, runs: readonly LaunchedRun[]): boolean {
  const { kind } = run.status;
  const isTold = kind !== 'unreadable' && (kind !== 'done' || run.queue !== undefined);
  return (isOver(run) || kind === 'elsewhere') && isTold && isNewestTurn(run, runs);
}

/** Those that nobody ended and that did not end by themselves: what the box has cut off, and nobody has declined to go on with. */
export function selectOffered(runs: readonly LaunchedRun[]): readonly LaunchedRun[] {
  return runs.filter(
    (run) =>
      (run.status.kind === 'lost' || run.status.kind === 'cut-off') &&
      run.isDeclined !== true &&
      canResume(run, runs),
  );
}

/** What has happened to it: "was cut off by a restart of the box." */
export function cutOffWords({ status }: LaunchedRun): string {
  if (status.kind === 'cut-off') {
    return 'was asked to end by the box (SIGTERM), as before a restart or when a spot machine is taken back.';
  }
  if (status.kind !== 'lost') return 'was killed before it was over.';
  if (status.because === 'machine-gone')
    return `was launched on ${textOf(status.machine)}, which was said to be gone for good.`;
  return status.because === 'restart'
    ? 'was cut off by a restart of the box.'
    : 'was killed before it was over.';
}

/** What going on does. Nothing starts before the plan of it was seen. */
export function resumeWords({ queue }: LaunchedRun): string {
  return queue === undefined
    ? 'Resuming it runs the identical command again in the same folder, as a new run with a run folder and a log of its own. The plan tells which checkpoints are there, whether the command goes on from them, and what an hour costs.'
    : 'Resuming it runs the cells that have no exit code: one that was interrupted from its beginning, then those that wait. What has finished does not run again.';
}
