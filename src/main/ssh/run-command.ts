import { StringDecoder } from 'node:string_decoder';
import { markStartAndEnd } from '../../shared/boxes/any-shell.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { Slices } from '../streams/in-slices.ts';
import { nextTurn } from '../streams/in-turns.ts';
import { begin, makeMark } from './begin-command.ts';
import { CommandOutput } from './command-output.ts';
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

export interface RunBytesOptions<T> {
  readonly signal?: AbortSignal;
  /** As for a text. Null: for as long as it takes. */
  readonly timeoutMs: number | null;
  /** How much may be on its way at a time, where the usual would not fill a long way. It may have to be held here. */
  readonly inFlightBytes?: number;
  /** Sent on stdin as fast as the command takes it. What it throws ends the command and goes to the caller. */
  readonly input?: AsyncIterable<Uint8Array>;
  /**
   * Takes what the command prints, byte for byte. Whoever takes it slowly slows the box, with some MiB on their way. It ends with
   * the command, or where that was cut: only the outcome tells which. Leaving it early ends the command, and so does a Problem.
   */
  readonly read: (stdout: AsyncIterable<Buffer>) => Promise<Result<T, Problem>>;
}

export interface BytesOutcome<T> extends Omit<RunOutcome, 'stdout'> {
  /** What `read` made of the output. */
  readonly value: T;
}

/** Why there is no outcome. */
export interface RunFailure extends Problem {
  /** True: the box may have done what it was told, in whole or in part (U1). False: it was never told. */
  readonly mayHaveRun: boolean;
}

/** With these the box was not asked, or has said that it starts nothing. */
const NEVER_STARTED: readonly ProblemCode[] = ['exec-refused', 'session-refused', 'not-connected'];

/** A reason that is made once: without one, each abort makes an error with its stack, also where nothing is left to abort. */
const OVER = new Error('the command is over');

/** Nothing is begun where its bytes would be changed. */
const NO_TERMINAL = '[ -t 0 ] || [ -t 1 ] && exit 1';

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
  const ran = await converse(exec, command, {
    ...(signal !== undefined && { signal }),
    timeoutMs,
    ...(input !== '' && { input: bytesOf(input) }),
    read: (stdout) => readText(stdout, maxChars),
    mayHaveTerminal: true, // it changes line ends and echoes; the marks are found all the same
  });
  if (!ran.ok) return ran;
  const { value: stdout, ...outcome } = ran.value;
  return ok({ ...outcome, stdout });
}

/**
 * Runs a command with bytes in both directions to its end. By the time this settles nothing more is read or sent, however it ended.
 * Where something on the box puts a terminal around commands it refuses: not every byte would arrive as it was.
 */
export function runBytes<T>(
  exec: ExecCommand,
  command: string,
  options: RunBytesOptions<T>,
): Promise<Result<BytesOutcome<T>, RunFailure>> {
  return converse(exec, `${NO_TERMINAL}; ${command}`, { ...options, mayHaveTerminal: false });
}

/** Of ten thousand cells it is some megabytes: to encode and encrypt all of them at once, main would answer nobody for a tenth of a second. */
const PIECE_CHARS = 128 * 1024;

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + PIECE_CHARS, text.length);
    // Both halves of a character travel together.
    const isCut = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const next = isCut ? end + 1 : end;
    if (at > 0) await nextTurn();
    yield Buffer.from(text.slice(at, next));
    at = next;
  }
}

async function readText(
  stdout: AsyncIterable<Buffer>,
  maxChars: number,
): Promise<Result<string, Problem>> {
  const decoder = new StringDecoder('utf8');
  const slices = new Slices();
  let text = '';
  for await (const piece of stdout) {
    text += decoder.write(piece);
    if (text.length > maxChars) {
      return err(problem('output-too-large', 'A command on the box printed more than expected.'));
    }
    // Pieces that have come already are there at once.
    const others = slices.next();
    if (others !== null) await others;
  }
  return ok(text + decoder.end());
}

async function converse<T>(
  exec: ExecCommand,
  command: string,
  {
    signal,
    timeoutMs,
    input,
    read,
    mayHaveTerminal,
    inFlightBytes,
  }: RunBytesOptions<T> & { readonly mayHaveTerminal: boolean },
): Promise<Result<BytesOutcome<T>, RunFailure>> {
  const stopper = new AbortController();
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<unknown> = Promise.resolve();
  let stop: (reason: Problem) => void = () => undefined;
  // A box that does not even close the channel must not hold us: whoever stops, answers.
  const stopped = new Promise<Result<never, RunFailure>>((resolve) => {
    stop = (reason) => {
      resolve(err({ ...reason, mayHaveRun: isAsked }));
      stopper.abort(OVER);
    };
  });
  const onAbort = (): void => stop(problem('aborted', 'The command was stopped.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();

  async function collect(): Promise<Result<BytesOutcome<T>, RunFailure>> {
    const mark = makeMark();
    const opened = await exec(markStartAndEnd(command, mark), stopper.signal, () => {
      isAsked = true;
      if (timeoutMs === null) return;
      timer = setTimeout(() => {
        stop(problem('command-timeout', 'A command on the box did not end in time.'));
      }, timeoutMs);
    });
    if (!opened.ok) return err(failure(opened.error));
    const remote = opened.value;
    if (inFlightBytes !== undefined) remote.allowInFlight(inFlightBytes);
    // Whatever was still on its way when the connection went does not come any more.
    void remote.exited.then((end) => {
      if (end.kind === 'unknown' && end.because !== null) stop(end.because);
    });
    if (input === undefined) remote.endInput();
    const begun = await begin(remote, mark);
    if (!begun.ok) return begun;
    if (remote.hasTerminal && !mayHaveTerminal) return err(failure(throughTerminal()));
    const output = new CommandOutput(remote, mark);
    const taking = read(output.bytes());
    reading = taking;
    // SECURITY: only now it is our own shell that reads it, and not whatever a start-up file put in its place.
    const sending = input === undefined ? Promise.resolve() : remote.send(input);
    const value = await Promise.race([taking, sending.then(() => taking)]);
    if (!value.ok) return err(failure(value.error));
    const said: ExitStatus = output.isWhole
      ? await remote.exited
      : { kind: 'unknown', because: null };
    const { noise, stderr } = remote;
    const around = `${noise.stdout}${noise.stderr}${output.after}`;
    const outcome = { value: value.value, stderr, end: judgeEnd(output.code, said) };
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
    // Nothing where the command has ended; where it has not, whoever reads is told that nothing more comes.
    stopper.abort(OVER);
    await Promise.allSettled([reading]);
  }
}

function throughTerminal(): Problem {
  return problem(
    'terminal-in-between',
    'The box puts a terminal around commands, which changes the bytes that pass it.',
  );
}

/** The command's own shell prints its code at its end; a shell that ended without that says nothing of the command. */
function judgeEnd(code: number | null, said: ExitStatus): ExitStatus {
  if (code !== null) return { kind: 'exited', code };
  return said.kind === 'exited' ? { kind: 'unknown', because: null } : said;
}
