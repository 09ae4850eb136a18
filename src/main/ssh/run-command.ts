import { markStartAndEnd, splitAtEnd } from '../../shared/boxes/any-shell.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { begin, makeMark } from './begin-command.ts';
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
  /** What the login shell, its start-up files or a wrapper printed around the command; absent where it was nothing. */
  readonly noise?: string;
}

/** Why there is no outcome. */
export interface RunFailure extends Problem {
  /** True: the box may have done what it was told, in whole or in part (U1). False: it was never told. */
  readonly mayHaveRun: boolean;
}

/** With these the box has said that it starts nothing. */
const NEVER_STARTED: readonly ProblemCode[] = [
  'exec-refused',
  'session-refused',
  'not-connected',
  'command-not-run',
];

/** Hands a command line to the box's login shell. `onAsked` is called when the box is about to be asked. */
export type ExecCommand = (
  commandLine: string,
  signal: AbortSignal,
  onAsked: () => void,
) => Promise<Result<RemoteProcess, Problem>>;

/** Runs a short command to its end, within bounded time and output. Its exit status is for the caller to judge. */
export async function runCommand(
  exec: ExecCommand,
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
    const mark = makeMark();
    const opened = await exec(markStartAndEnd(command, mark), stopper.signal, () => {
      isAsked = true;
      timer = setTimeout(() => {
        stop(problem('command-timeout', 'A command on the box did not end in time.'));
      }, timeoutMs);
    });
    if (!opened.ok) return err(failure(opened.error));
    const remote = opened.value;
    // Whatever was still on its way when the connection went does not come any more.
    void remote.exited.then((end) => {
      if (end.kind === 'unknown' && end.because !== null) stop(end.because);
    });
    if (input === '') remote.endInput();
    const begun = await begin(remote, mark);
    if (!begun.ok) return err(failure(begun.error));
    // SECURITY: only now it is our own shell that reads it, and not whatever a start-up file put in its place.
    if (input !== '') remote.endInput(input);
    let printed = '';
    for await (const text of remote.stdout()) {
      printed += text;
      if (printed.length <= maxChars) continue;
      stop(problem('output-too-large', 'A command on the box printed more than expected.'));
      break;
    }
    const said = await remote.exited;
    const { stdout, code, after } = splitAtEnd(printed, mark);
    const { noise, stderr } = remote;
    const around = `${noise.stdout}${noise.stderr}${after}`;
    const outcome = { stdout, stderr, end: judgeEnd(code, said) };
    return ok(around === '' ? outcome : { ...outcome, noise: around });
  }

  function failure(reason: Problem): RunFailure {
    return { ...reason, mayHaveRun: isAsked && !NEVER_STARTED.includes(reason.code) };
  }

  try {
    return await Promise.race([stopped, collect()]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** The command's own shell prints its code at its end; a shell that ended without that says nothing of the command. */
function judgeEnd(code: number | null, said: ExitStatus): ExitStatus {
  if (code !== null) return { kind: 'exited', code };
  return said.kind === 'exited' ? { kind: 'unknown', because: null } : said;
}
