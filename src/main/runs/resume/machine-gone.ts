import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { afterMark, newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { changeBox } from '../../ssh/change-box.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';

const LAUNCHED_HERE =
  'The run folder does not say that another machine launched this run and has not ended it.';
const REFUSALS: Readonly<Record<string, string>> = {
  'no-run': 'The run folder is not on the box any more.',
  over: 'The end of this run has been recorded meanwhile.',
  'another-machine': 'The run folder now names another machine than the one you were shown.',
  'launched-here': LAUNCHED_HERE,
  'just-written':
    'The run wrote something within the last two minutes, so that machine may still be running it. Wait and see whether it goes on.',
  denied: 'The run has just written something, so that machine is still running it.',
  unseen: 'The box cannot tell whether anything still writes to the log of the run.',
  odd: 'The run folder has a “machine-gone” that Leasehold did not write. Look at it and remove it.',
  'disk-full': 'The disk of your home folder on the box is full.',
  'no-inodes': 'The disk of your home folder on the box has no inodes left.',
  quota: 'Your disk quota on the box is used up.',
  'read-only': 'The file system of your home folder on the box is read-only.',
};

/** Has the run folder keep that a person says so, read back there. Asking twice does what asking once does. */
export function sayMachineGone(
  connection: SshConnection,
  scripts: OnboxScripts,
  id: string,
  machine: string,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const values = { LEASEHOLD_MARK: mark, LEASEHOLD_ID: id, LEASEHOLD_MACHINE: machine };
  const run = (on: SshConnection) => scripts.run(on, 'run-machine-gone.sh', values);
  const judge = (stdout: string): Result<null, Problem> => {
    const said = afterMark(stdout, mark);
    return said === 'done' ? ok(null) : err(notGone(REFUSALS[said.replace('refused ', '')]));
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

export const seenAlive = (box: string): Problem =>
  notGone(`It is alive on ${box}, which is connected.`);

export const launchedHere = (): Problem => notGone(LAUNCHED_HERE);

const notGone = (because = 'The box did not record what you said.'): Problem =>
  problem('machine-not-gone', `${because} Nothing was changed.`);
