import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ExitStatus } from './exit-status.ts';
import type { RemoteProcess } from './remote-process.ts';

const RUN_TIMEOUT_MS = 30_000;
const RUN_MAX_CHARS = 1024 * 1024;

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** From when the box is asked: the wait for a free session before that has a bound of its own. */
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  /** Sent on stdin: the way for values and secrets, which never belong into a command line. */
  readonly input?: string;
}

export interface RunOutcome {
  readonly end: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why there is no outcome. */
export interface RunFailure extends Problem {
  /** True: the box may have done what it was told, in whole or in part (U1). False: it was never told. */
  readonly mayHaveRun: boolean;
}

/** With these the box has said that it starts nothing. */
const NEVER_STARTED: readonly ProblemCode[] = ['exec-refused', 'session-refused', 'not-connected'];

/** `onAsked` is called when the box is about to be asked. */
export type StartCommand = (
  command: string,
  signal: AbortSignal,
  onAsked: () => void,
) => Promise<Result<RemoteProcess, Problem>>;

/** Runs a short command to its end, within bounded time and output. Its exit status is for the caller to judge. */
export async function runCommand(
  start: StartCommand,
  command: string,
  { signal, timeoutMs = RUN_TIMEOUT_MS, maxChars = RUN_MAX_CHARS, input = '' }: RunOptions = {},
): Promise<Result<RunOutcome, RunFailure>> {
  const stopper = new AbortController();
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: (reason: Problem) => void = () => undefined;
  // A box that does not even close the channel must not hold us: whoever stops, answers.
  const stopped = new Promise<Result<never, RunFailure>>((resolve) => {
    stop = (reason) => {
      resolve(err({ ...reason, mayHaveRun: isAsked }));
      stopper.abort();
    };
  });
  const onAbort = (): void => stop(problem('aborted', 'The command was stopped.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  async function collect(): Promise<Result<RunOutcome, RunFailure>> {
    const started = await start(command, stopper.signal, () => {
      isAsked = true;
      timer = setTimeout(() => {
        stop(problem('command-timeout', 'A command on the box did not end in time.'));
      }, timeoutMs);
    });
    if (!started.ok) {
      const mayHaveRun = isAsked && !NEVER_STARTED.includes(started.error.code);
      return err({ ...started.error, mayHaveRun });
    }
    const remote = started.value;
    // Whatever was still on its way when the connection went does not come any more.
    void remote.exited.then((end) => {
      if (end.kind === 'unknown' && end.because !== null) stop(end.because);
    });
    remote.endInput(input);
    let stdout = '';
    for await (const text of remote.stdout()) {
      stdout += text;
      if (stdout.length <= maxChars) continue;
      stop(problem('output-too-large', 'A command on the box printed more than expected.'));
      break;
    }
    return ok({ end: await remote.exited, stdout, stderr: remote.stderr });
  }

  try {
    return await Promise.race([stopped, collect()]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
