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

/** No box comes to as many runs. */
const MOST_LOOKS = 100;

/** All runs of the box, a look behind the other: what nobody lists cannot be accounted for. Where there are more still, `leftOut` says so. */
export async function lookAtAllRuns(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  newest: RunLook,
): Promise<Result<RunLook, Problem>> {
  const told = new Map(newest.runs.map((run) => [run.id, run]));
  let page = newest;
  for (let looks = 1; page.leftOut > 0 && page.behind !== null && looks < MOST_LOOKS; looks += 1) {
    const older = await lookAtRuns(connection, scripts, { before: page.behind });
    if (!older.ok) return older;
    page = older.value;
    for (const run of page.runs) told.set(run.id, run);
  }
  // Their names begin with the time of the launch.
  const runs = [...told.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  return ok({ ...page, runs });
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
