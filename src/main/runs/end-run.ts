import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { END_GRACE_S, isOver, saidGone } from '../../shared/runs/launch/launched-run.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import { afterMark, newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { changeBox } from '../ssh/change-box.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { lookAtRuns } from './look-at-runs.ts';

const TIMEOUT_MS = 60_000;

/** SECURITY: ends exactly that run: asks it, waits, forces it, in one call. Fine only when the box has nothing of it left. */
export function endRun(
  connection: SshConnection,
  scripts: OnboxScripts,
  { id, pass }: { readonly id: string; readonly pass: ChangePass },
  graceS = END_GRACE_S,
): Promise<Result<null, Problem>> {
  if (!pass.take('end-work', id)) return Promise.resolve(err(pass.whyNot));
  const mark = newMark();
  return changeBox<null>(connection, {
    run: (on) =>
      scripts.run(
        on,
        'run-end.sh',
        { LEASEHOLD_MARK: mark, LEASEHOLD_ID: id, LEASEHOLD_WAIT: String(graceS) },
        TIMEOUT_MS,
      ),
    judge: ({ stdout }) => {
      const said = afterMark(stdout, mark);
      if (/^(?:over|left 0)$/m.test(said)) {
        return /^armed$/m.test(said) ? err(stillStartsAgain()) : ok(null);
      }
      if (/^elsewhere$/m.test(said)) return err(runsElsewhere());
      const left = /^left (\d{1,6})$/m.exec(said)?.[1];
      return err(notEnded(left ?? null));
    },
    reread: async (fresh) => {
      const looked = await lookAtRuns(fresh, scripts);
      if (!looked.ok) return looked;
      const run = looked.value.runs.find((each) => each.id === id);
      // What was only said to be gone, nobody has seen end.
      if (run !== undefined && (!isOver(run) || saidGone(run) !== null)) return err(notEnded(null));
      return run?.startsAgain === true ? err(stillStartsAgain()) : ok(null);
    },
  });
}

function stillStartsAgain(): Problem {
  return problem(
    'run-not-ended',
    'The run is ended. The line that starts it again after a restart could not be taken out of your crontab; it starts nothing of a run that you have ended.',
    { nextStep: 'Remove the line with “crontab -e” on the box: it names the folder of the run.' },
  );
}

const runsElsewhere = (): Problem =>
  problem(
    'run-not-ended',
    'Another machine launched this run, and only that one can end it. Nothing was done.',
    { nextStep: 'Connect to the machine that launched it, and end it there.' },
  );

function notEnded(left: string | null): Problem {
  return left === null
    ? problem('run-not-ended', 'The box did not say that the run is over.')
    : problem('run-not-ended', `The run could not be ended: ${left} of its processes still run.`);
}
