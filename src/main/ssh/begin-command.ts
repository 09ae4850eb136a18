import { randomBytes } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { describeEnd } from './exit-status.ts';
import { unanswered } from './open-session.ts';
import type { RemoteProcess } from './remote-process.ts';

/** Start-up files that load a big environment from a network disk take seconds. */
const BEGIN_TIMEOUT_MS = 20_000;
const MAX_DETAIL_CHARS = 500;

/** What no start-up file and no wrapper can print by chance. An even number of characters: it travels in halves. */
export function makeMark(): string {
  return `leasehold${randomBytes(8).toString('hex')}x`;
}

/** Why a command that the box took was not seen to begin. */
export interface BeginFailure extends Problem {
  /** False: the box said how it ended, and it never began. */
  readonly mayHaveRun: boolean;
}

/** Waits until the box says that it begins with the command itself, or names why it never does. */
export async function begin(
  remote: RemoteProcess,
  mark: string,
): Promise<Result<RemoteProcess, BeginFailure>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<never, BeginFailure>>((resolve) => {
    timer = setTimeout(() => {
      remote.stop();
      const reason = problem('command-timeout', 'A command on the box did not begin in time.');
      resolve(err({ ...reason, mayHaveRun: true }));
    }, BEGIN_TIMEOUT_MS);
  });
  try {
    return await Promise.race([readStart(remote, mark), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readStart(
  remote: RemoteProcess,
  mark: string,
): Promise<Result<RemoteProcess, BeginFailure>> {
  switch (await remote.begin(mark)) {
    case 'begun':
      return ok(remote);
    case 'flooded':
      remote.stop();
      return err({ ...notRun(remote, 'It printed without end.'), mayHaveRun: true });
    case 'ended': {
      const end = await remote.exited;
      if (end.kind !== 'unknown') {
        const how = `It ended with ${describeEnd(end)}.`;
        return err({ ...notRun(remote, how), mayHaveRun: false });
      }
      return err({ ...wordless(remote, end.because), mayHaveRun: true });
    }
  }
}

/** The session went, and how the command ended was not said: what it printed may have been lost with it. */
function wordless(remote: RemoteProcess, lost: Problem | null): Problem {
  if (lost !== null) return lost;
  const how = 'It closed the session without an exit status.';
  return saidBy(remote) === '' ? unanswered(how) : notRun(remote, how);
}

function notRun(remote: RemoteProcess, how: string): Problem {
  const said = saidBy(remote);
  return problem('command-not-run', 'The box took a command but did not run it.', {
    detail: said === '' ? `${how} It printed nothing.` : `${how}\n${said}`,
  });
}

function saidBy({ noise, stderr }: RemoteProcess): string {
  return plainText(`${stderr}\n${noise.stdout}`, MAX_DETAIL_CHARS);
}
