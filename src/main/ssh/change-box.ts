import { problem, type Problem } from '../../shared/problem.ts';
import { err, type Result } from '../../shared/result.ts';
import type { RunFailure, RunOutcome } from './run-command.ts';
import type { SshConnection } from './ssh-connection.ts';

/** A new log-in and a look; a box that takes longer is not asked again. */
const REREAD_TIMEOUT_MS = 60_000;

/** A command that ended and said so. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BoxChange<T> {
  readonly run: (connection: SshConnection) => Promise<Result<RunOutcome, RunFailure>>;
  readonly judge: (ended: Ended) => Result<T, Problem>;
  /** Looks at the box and tells whether the change is there. Must not make it. */
  readonly reread: (fresh: SshConnection, because: Problem) => Promise<Result<T, Problem>>;
}

/**
 * Runs something that changes the box. Where its end is unknown (the link broke, it was killed or took too long) that is
 * neither a failure nor a success: the box is asked on a new connection what became of it, and nothing is done twice (facts
 * U1 and U4).
 */
export async function changeBox<T>(
  connection: SshConnection,
  { run, judge, reread }: BoxChange<T>,
): Promise<Result<T, Problem>> {
  const ran = await run(connection);
  if (!ran.ok) {
    return ran.error.mayHaveRun ? rereadOver(connection, reread, ran.error) : err(ran.error);
  }
  const { end, stdout, stderr } = ran.value;
  if (end.kind === 'exited') return judge({ code: end.code, stdout, stderr });
  const how = end.kind === 'signalled' ? `was ended by ${end.signal}` : 'ended without a word';
  const because = problem('command-unknown', `The command on the box ${how}.`);
  return rereadOver(connection, reread, because);
}

async function rereadOver<T>(
  connection: SshConnection,
  reread: BoxChange<T>['reread'],
  because: Problem,
): Promise<Result<T, Problem>> {
  const stopper = new AbortController();
  const timer = setTimeout(() => stopper.abort(), REREAD_TIMEOUT_MS);
  const opened = await connection.openAnother(stopper.signal);
  if (!opened.ok) {
    clearTimeout(timer);
    return err(stillUnknown(because, opened.error));
  }
  const fresh = opened.value;
  // A look that hangs ends with its connection.
  stopper.signal.addEventListener('abort', () => fresh.close());
  const found = await reread(fresh, because);
  clearTimeout(timer);
  fresh.close();
  if (!stopper.signal.aborted || found.ok) return found;
  const late = problem('command-timeout', 'It did not answer in time.');
  return err(stillUnknown(because, late));
}

function stillUnknown(because: Problem, refusal: Problem): Problem {
  return problem(
    'command-unknown',
    `${because.message} Whether it was done is not known: the box could not be asked on a new connection. ${refusal.message}`,
    refusal.detail === undefined ? {} : { detail: refusal.detail },
  );
}
