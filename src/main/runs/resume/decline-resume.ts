import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { afterMark, newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { changeBox } from '../../ssh/change-box.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';

const REFUSALS: Readonly<Record<string, string>> = {
  'no-run': 'The run folder is not on the box any more.',
  elsewhere:
    'Another machine launched this run, and whether it is over is not known. Nothing was changed.',
  armed:
    'It is declined. The line that starts it again after a restart could not be taken out of your crontab; it starts nothing of a run that was declined.',
  'disk-full': 'The disk of your home folder on the box is full.',
  'no-inodes': 'The disk of your home folder on the box has no inodes left.',
  quota: 'Your disk quota on the box is used up.',
  'read-only': 'The file system of your home folder on the box is read-only.',
};

/** Has the run folder remember that nobody wants to be asked about this run again. Asking twice does what asking once does. */
export function declineResume(
  connection: SshConnection,
  scripts: OnboxScripts,
  id: string,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const run = (on: SshConnection) =>
    scripts.run(on, 'run-decline.sh', { LEASEHOLD_MARK: mark, LEASEHOLD_ID: id });
  const judge = (stdout: string): Result<null, Problem> => {
    const said = afterMark(stdout, mark);
    if (said === 'done') return ok(null);
    const because = REFUSALS[said.replace('refused ', '')];
    return err(
      problem('run-not-declined', because ?? 'The box did not remember that you declined.'),
    );
  };
  return changeBox<null>(connection, {
    run,
    judge: ({ stdout }) => judge(stdout),
    reread: async (fresh) => {
      const again = await run(fresh);
      return again.ok ? judge(again.value.stdout) : again;
    },
  });
}
