import { markStart } from '../../shared/boxes/any-shell.ts';
import type { Crowding } from '../../shared/boxes/crowding.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { begin, makeMark } from './begin-command.ts';
import type { BoxFiles } from './box-files.ts';
import type { ExitStatus } from './exit-status.ts';
import type { RemoteProcess } from './remote-process.ts';
import {
  runBytes,
  runCommand,
  type BytesOutcome,
  type RunBytesOptions,
  type RunFailure,
  type RunOptions,
  type RunOutcome,
} from './run-command.ts';
import { SessionPool, type SessionUse } from './session-pool.ts';
import { logIn, type ConnectOptions, type SingleConnection } from './single-connection.ts';

/** A box's server, logged in to. Its sessions are shared out, over more than one connection if need be. */
export interface SshConnection extends Omit<
  SingleConnection,
  'again' | 'roundTrip' | 'keepsApart' | 'exec' | 'openSftp' | 'openFiles'
> {
  /** Starts a command without input whose output is read as it comes. Like every command here: one line for a POSIX shell. */
  start(command: string, signal?: AbortSignal): Promise<Result<RemoteProcess, Problem>>;
  /** Runs a short command to its end, within bounded time and output. Its exit status is for the caller to judge. */
  run(command: string, options?: RunOptions): Promise<Result<RunOutcome, RunFailure>>;
  /** Runs a command with bytes in both directions, for as long as they take. */
  runBytes<T>(
    command: string,
    options: RunBytesOptions<T>,
  ): Promise<Result<BytesOutcome<T>, RunFailure>>;
  /** Whether the box answers on its file channel. Nothing is read or written there. */
  checkSftp(): Promise<Result<null, Problem>>;
  /** The box's files, until they are closed; the caller does. */
  openFiles(signal?: AbortSignal): Promise<Result<BoxFiles, Problem>>;
  /** Tells when commands or terminals wait for long, and when that is over; returns how to stop. */
  watchCrowding(listener: (crowding: Crowding | null) => void): () => void;
  /**
   * Another log-in to the very same server, with what let this one in; the caller closes it. Asks nobody. Works also when
   * this connection is lost, unless that went through a jump host.
   */
  openAnother(signal: AbortSignal): Promise<Result<SshConnection, Problem>>;
}

export async function openConnection(
  options: ConnectOptions,
): Promise<Result<SshConnection, Problem>> {
  const opened = await logIn(options);
  return opened.ok ? ok(sharing(opened.value)) : opened;
}

function sharing(first: SingleConnection): SshConnection {
  async function repeated<T>(
    open: (options: ConnectOptions) => Promise<Result<T, Problem>>,
    signal: AbortSignal,
  ): Promise<Result<T, Problem>> {
    const { again } = first;
    if (again === null) {
      return err(
        problem('no-credentials', 'The log-in to this box cannot be repeated without asking you.'),
      );
    }
    let isOther = false;
    const opened = await open({
      ...again,
      judgeHostKey: (key) => {
        const verdict = again.judgeHostKey(key);
        isOther ||= verdict === 'refuse';
        return verdict;
      },
      signal,
    });
    return opened.ok || !isOther
      ? opened
      : err(
          problem(
            'host-key-changed',
            'Another server answered at the box’s address. Nothing was sent.',
          ),
        );
  }
  const pool = new SessionPool({
    first,
    openAnother: (signal) => repeated(logIn, signal),
    keepsApart: first.keepsApart,
  });
  const exec = (
    use: SessionUse,
    commandLine: string,
    signal: AbortSignal | undefined,
    onAsked: () => void = () => undefined,
  ): Promise<Result<RemoteProcess, Problem>> =>
    pool.session({
      use,
      signal,
      open: (carrier) => {
        onAsked();
        return carrier.exec(commandLine, signal);
      },
      ended: ({ exited }) => isTold(exited),
    });
  const checkSftp = async (): Promise<Result<null, Problem>> => {
    const opened = await pool.session({
      use: 'command',
      open: (carrier) => carrier.openSftp(),
      ended: ({ ended }) => isTold(ended),
    });
    return opened.ok ? opened.value.sayHello() : opened;
  };
  return {
    ...first,
    start: async (command, signal) => {
      const mark = makeMark();
      const opened = await exec('stream', markStart(command, mark), signal);
      if (!opened.ok) return opened;
      opened.value.endInput();
      return begin(opened.value, mark);
    },
    run: (command, options) =>
      runCommand((...request) => exec('command', ...request), command, options),
    runBytes: (command, options) =>
      runBytes((...request) => exec('stream', ...request), command, options),
    openTerminal: (options) =>
      pool.session({
        use: 'stream',
        open: (carrier) => carrier.openTerminal(options),
        ended: ({ ended }) => isTold(ended),
      }),
    checkSftp,
    openFiles: async (signal) => {
      const opened = await pool.session({
        use: 'stream',
        signal,
        open: (carrier) => carrier.openFiles(),
        ended: ({ ended }) => ended.then(() => false),
      });
      if (opened.ok || opened.error.code !== 'sftp-refused') return opened;
      // What a broken file channel said first ssh2 keeps to itself; a hello by hand tells.
      const heard = await checkSftp();
      return heard.ok ? opened : heard;
    },
    watchCrowding: (listener) => pool.watchCrowding(listener),
    openAnother: (signal) => repeated(openConnection, signal),
    close: () => {
      pool.close();
      first.close();
    },
  };
}

/** A box that says how a program ended says so after its end; one whose session was closed from here may still run. */
async function isTold(ended: Promise<ExitStatus>): Promise<boolean> {
  return (await ended).kind !== 'unknown';
}
