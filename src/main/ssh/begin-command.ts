import { randomBytes } from 'node:crypto';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { describeEnd } from './exit-status.ts';
import type { RemoteProcess } from './remote-process.ts';

/** Start-up files that load a big environment from a network disk take seconds. */
const BEGIN_TIMEOUT_MS = 20_000;
const MAX_DETAIL_CHARS = 500;

/** What no start-up file and no wrapper can print by chance. An even number of characters: it travels in halves. */
export function makeMark(): string {
  return `leasehold${randomBytes(8).toString('hex')}x`;
}

/** Waits until the box says that it begins with the command itself, or names why it never does. */
export async function begin(
  remote: RemoteProcess,
  mark: string,
): Promise<Result<RemoteProcess, Problem>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<never, Problem>>((resolve) => {
    timer = setTimeout(() => {
      remote.stop();
      resolve(err(problem('command-timeout', 'A command on the box did not begin in time.')));
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
): Promise<Result<RemoteProcess, Problem>> {
  switch (await remote.begin(mark)) {
    case 'begun':
      return ok(remote);
    case 'flooded':
      remote.stop();
      return err(notRun(remote, 'It printed without end.'));
    case 'ended': {
      const end = await remote.exited;
      if (end.kind === 'unknown' && end.because !== null) return err(end.because);
      return err(notRun(remote, `It ended with ${describeEnd(end)}.`));
    }
  }
}

function notRun({ noise, stderr }: RemoteProcess, how: string): Problem {
  const said = plainText(`${stderr}\n${noise.stdout}`, MAX_DETAIL_CHARS);
  return problem('command-not-run', 'The box took a command but did not run it.', {
    detail: said === '' ? `${how} It printed nothing.` : `${how}\n${said}`,
  });
}
