import { problem, type Problem } from '../../../shared/problem.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import { isOver } from '../../../shared/runs/launch/launched-run.ts';
import { canResume } from '../../../shared/runs/resume/resume-offer.ts';
import { isNewestTurn } from '../../../shared/runs/resume/run-turn.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { lookAtRuns } from '../look-at-runs.ts';
import type { PlannedLaunch } from '../plan-of.ts';
import { notResumed } from './not-resumed.ts';
import type { Origin } from './origin.ts';
import { resumeQueue } from './resume-queue.ts';
import { resumeRun } from './resume-run.ts';

export interface Resumed extends Origin {
  /** The newest run of its chain. */
  readonly id: string;
}

/** What going on after a run would do, as it stands on the box right now. Changes nothing there. */
export async function planResume(
  connection: SshConnection,
  scripts: OnboxScripts,
  known: KnownBox,
  { id, ...origin }: Resumed,
): Promise<Result<PlannedLaunch, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs } = looked.value;
  const run = runs.find((each) => each.id === id);
  if (run === undefined) return err(problem('run-not-listed', 'The box does not list this run.'));
  const what = run.queue === undefined ? 'run' : 'queue';
  if (!isNewestTurn(run, runs)) {
    return notResumed(
      run.queue === undefined
        ? 'Another run has gone on after this one already.'
        : 'Another run has gone on with this queue already.',
    );
  }
  if (!isOver(run) && run.status.kind !== 'elsewhere')
    return notResumed(`This ${what} still runs.`);
  if (!canResume(run, runs)) {
    return notResumed(
      run.status.kind === 'unreadable'
        ? `Its run folder cannot be read (${run.status.because}), so what would run again is not known.`
        : 'This run is done: there is nothing to go on with.',
    );
  }
  return run.queue === undefined
    ? resumeRun(connection, scripts, known, { run, origin })
    : resumeQueue(connection, scripts, known, { run, turn: run.queue, origin });
}
