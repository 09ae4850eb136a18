import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readRunLook } from '../../shared/runs/launch/read-run-look.ts';
import type { RunLook } from '../../shared/runs/launch/run-look.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export interface RunLookOptions {
  readonly signal?: AbortSignal;
  /** A launch whose answer was lost: where the box does not have it by now, it never will. */
  readonly settle?: string;
  /** Only runs that are older than this one are told. */
  readonly before?: string;
}

/** Every run that was launched on the box, as it stands there. */
export async function lookAtRuns(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  { signal, settle = '', before = '' }: RunLookOptions = {},
): Promise<Result<RunLook, Problem>> {
  const mark = newMark();
  const values = { LEASEHOLD_MARK: mark, LEASEHOLD_SETTLE: settle, LEASEHOLD_BEFORE: before };
  const askedAtMs = Date.now();
  const ran = await scripts.run(connection, 'run-look.sh', values, undefined, signal);
  if (!ran.ok) return ran;
  const look = readRunLook(ran.value.stdout, mark, (askedAtMs + Date.now()) / 2);
  if (look === null)
    return err(problem('runs-not-read', 'The box did not tell its runs as a whole.'));
  if (look === 'no-such-run') {
    return err(problem('run-not-listed', 'The box does not list that run.'));
  }
  if (look === 'closed') return err(closed());
  return look === 'no-table' ? err(noTable()) : ok(look);
}

function noTable(): Problem {
  return problem(
    'runs-not-read',
    'The box hides its processes (/proc), so nobody can tell which of its runs live.',
    { nextStep: 'Ask whoever runs the box to show users their own processes (hidepid).' },
  );
}

function closed(): Problem {
  return problem(
    'runs-not-read',
    'The folder of the runs, ~/.local/state/leasehold/runs, can’t be read on the box.',
    { nextStep: 'Check on the box whose it is, and its rights (ls -ld), then look again.' },
  );
}
