import type { Client } from 'ssh2';
import {
  forAnyShell,
  markStart,
  markStartAndEnd,
  splitAtEnd,
} from '../../shared/boxes/any-shell.ts';
import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { begin, makeMark } from './begin-command.ts';
import { checkSftp } from './check-sftp.ts';
import type { Credentials } from './credentials.ts';
import { startDeadline } from './deadline.ts';
import { directWay } from './direct-way.ts';
import { openFastLane, type FastLane } from './fast-lane.ts';
import { forwardsOver, type Forwards } from './forwards.ts';
import type { HostKeyCheck } from './host-key-guard.ts';
import type { OfferedHostKey } from './host-key.ts';
import { Login } from './login.ts';
import { LoginTry } from './login-try.ts';
import { RemoteProcess, type ExitStatus } from './remote-process.ts';
import { openTerminal, type RemoteTerminal, type TerminalOptions } from './remote-terminal.ts';
import { toProblem } from './to-problem.ts';
import { preferKnownTypes, readUsableHostKey } from './usable-host-key.ts';
import { VerifiedClient } from './verified-client.ts';
import type { OpenWay, Way } from './way.ts';

const HANDSHAKE_TIMEOUT_MS = 20_000;

// A half-open link must be found within 30 s: two unanswered questions, ten seconds apart.
const KEEPALIVE_EVERY_MS = 10_000;
const KEEPALIVE_MISSES = 2;

const CLOSE_GRACE_MS = 2000;

/** A text for people; a server may send many of them. */
const BANNER_MAX_CHARS = 4000;

const RUN_TIMEOUT_MS = 30_000;
const RUN_MAX_CHARS = 1024 * 1024;

/** SECURITY: the host key is asked about before anything is sent that an impostor could use. */
export interface ConnectOptions
  extends Pick<HostKeyCheck, 'judgeHostKey'>, Partial<Omit<HostKeyCheck, 'judgeHostKey'>> {
  readonly address: SshAddress;
  /** TCP straight to the address where nothing else is said. Opened anew for each connection that the log-in takes. */
  readonly openWay?: OpenWay;
  readonly credentials: Credentials;
  /** Null: our own cadence. A longer one is not used. */
  readonly keepaliveEveryS?: number | null;
  readonly signal: AbortSignal;
}

/** In ssh2's own words, so that there is one translation. */
const UNUSABLE_KEY = { level: 'handshake', message: 'Received malformed host public key' };

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  /** Sent on stdin: the way for values and secrets, which never belong into a command line. */
  readonly input?: string;
}

export interface RunOutcome extends ExitStatus {
  readonly stdout: string;
  readonly stderr: string;
  /** What the login shell, its start-up files or a wrapper printed around the command; absent where it was nothing. */
  readonly noise?: string;
}

/** One authenticated SSH connection. */
export interface SshConnection extends Forwards {
  /** The time in which the box's TCP stack answered: one round trip. Null: something in between answered instead. */
  readonly latencyMs: number | null;
  /** What the server showed before the log-in was complete, cut to a bounded length; null: nothing. */
  readonly banner: string | null;
  /** Settles with the reason when the connection is gone, however it went. */
  readonly closed: Promise<Problem>;
  /** Starts a command without input whose output is read as it comes. Like every command here: one line for a POSIX shell. */
  start(command: string, signal?: AbortSignal): Promise<Result<RemoteProcess, Problem>>;
  /** Runs a short command to its end, within bounded time and output. Its exit code is for the caller to judge. */
  run(command: string, options?: RunOptions): Promise<Result<RunOutcome, Problem>>;
  /** Whether the box answers on its file channel. Nothing is read or written there. */
  checkSftp(): Promise<Result<null, Problem>>;
  /** The system's ssh to the same box with the same key, for bulk data; refused where that is not possible. */
  openFastLane(): Promise<Result<FastLane, Problem>>;
  /** Opens a terminal: the login shell, or one command in its place. */
  openTerminal(options: TerminalOptions): Promise<Result<RemoteTerminal, Problem>>;
  close(): void;
}

export async function openConnection(
  options: ConnectOptions,
): Promise<Result<SshConnection, Problem>> {
  const { address, openWay = directWay(address), credentials, signal } = options;
  const login = await Login.open(credentials, address, signal);
  // More than one connection only where a person was asked between them.
  for (;;) {
    const way = await openWay(signal);
    if (!way.ok) return way;
    const opened = await handshake(options, login, way.value);
    if (opened.ok) return opened;
    const reason = await login.settle(opened.error);
    if (reason !== null) return err(reason);
  }
}

function handshake(
  options: ConnectOptions,
  login: Login,
  way: Way,
): Promise<Result<SshConnection, Problem>> {
  const {
    address,
    judgeHostKey,
    knownKeyTypes = [],
    onHostKeyProven,
    keepaliveEveryS,
    signal,
  } = options;
  let whyClosed: Problem | null = null;
  let hostKey: OfferedHostKey | null = null;
  const client = new VerifiedClient((blob) => {
    hostKey = readUsableHostKey(blob);
    if (hostKey === null) whyClosed ??= toProblem(UNUSABLE_KEY, address);
    return hostKey !== null && judgeHostKey(hostKey) === 'accept';
  });
  let isReady = false;
  let banner: string | null = null;
  client.on('banner', (text) => (banner = `${banner ?? ''}${text}`.slice(0, BANNER_MAX_CHARS)));
  let end: () => void = () => undefined;
  const closed = new Promise<Problem>((resolve) => {
    // The first error is the reason. A hostile server may never close its half, so the socket does not wait for it.
    client.on('error', (cause) => {
      // One key that its agent would not sign with: the log-in goes on with the next.
      if ((cause as { level?: unknown }).level === 'agent') return;
      fail(explain(cause));
    });
    client.on('close', () => end());
    end = () => {
      end = () => undefined;
      // Asked before the way is closed: afterwards it could only say that it was.
      const reason = way.explain(whyClosed ?? explain('closed by the box'));
      way.stream.destroy();
      const settle = (explained: Problem): void => {
        way.close();
        resolve(explained);
      };
      // At once where nothing must be waited for: what ran on the connection asks whether it is gone.
      if (reason instanceof Promise) void reason.then(settle);
      else settle(reason);
    };
  });
  const deadline = startDeadline(HANDSHAKE_TIMEOUT_MS, () =>
    fail(toProblem({ level: 'client-timeout', message: 'the log-in took too long' }, address)),
  );
  const attempt = new LoginTry(login, { fail, closed, pauseDeadline: () => deadline.pause() });
  function fail(reason: Problem): void {
    whyClosed ??= reason;
    // Without waiting for `close`: the other end of a channel through a hung jump host never answers.
    end();
    client.destroy();
  }
  /** Until we are in, only the log-in knows what the end of a connection means. */
  function explain(cause: unknown): Problem {
    const reason = toProblem(cause, address);
    return isReady ? reason : attempt.explain(reason, cause);
  }
  const abort = (): void => fail(problem('aborted', 'Connecting was stopped.'));
  signal.addEventListener('abort', abort, { once: true });

  // The first key exchange is complete: the server has signed with the key it showed, and nothing else was sent yet.
  client.once('handshake', () => {
    const noted = onHostKeyProven?.();
    if (noted !== undefined && !noted.ok) fail(noted.error);
  });

  const ready = new Promise<Result<SshConnection, Problem>>((resolve) => {
    client.once('ready', () => {
      isReady = true;
      login.person?.loggedIn(attempt.way);
      const lane = (): Promise<Result<FastLane, Problem>> =>
        hostKey === null
          ? Promise.resolve(err(problem('not-connected', 'The host key is not known.')))
          : openFastLane({
              address,
              isDirect: way.isDirect,
              signer: attempt.signer,
              hostKey,
            });
      resolve(ok({ ...connectionOver(client, way, closed), banner, openFastLane: lane }));
    });
    client.once('change password', () => attempt.passwordExpired());
    void closed.then((reason) => resolve(err(reason)));
  });
  client.connect({
    sock: way.stream,
    username: address.user,
    authHandler: attempt.handler,
    readyTimeout: 0, // ours knows when it is the person who takes time
    keepaliveInterval: Math.min(KEEPALIVE_EVERY_MS, (keepaliveEveryS ?? Infinity) * 1000),
    keepaliveCountMax: KEEPALIVE_MISSES,
    algorithms: preferKnownTypes(knownKeyTypes),
  });
  if (signal.aborted) abort();
  return ready.finally(() => {
    deadline.stop();
    signal.removeEventListener('abort', abort);
  });
}

function connectionOver(
  client: Client,
  way: Way,
  closed: Promise<Problem>,
): Omit<SshConnection, 'banner' | 'openFastLane'> {
  const lost = closed.then((reason) => err(reason));

  async function exec(
    command: string,
    signal?: AbortSignal,
  ): Promise<Result<RemoteProcess, Problem>> {
    const opened = new Promise<Result<RemoteProcess, Problem>>((resolve) => {
      try {
        client.exec(command, (cause, channel) => {
          if (cause) resolve(err(execRefused(cause)));
          else resolve(ok(new RemoteProcess(channel, closed, signal)));
        });
      } catch (cause) {
        resolve(err(execRefused(cause))); // ssh2 throws "Not connected" here
      }
    });
    // A box that vanishes between question and answer never calls back.
    return Promise.race([opened, lost]);
  }

  async function start(
    command: string,
    signal?: AbortSignal,
  ): Promise<Result<RemoteProcess, Problem>> {
    const mark = makeMark();
    const opened = await exec(markStart(command, mark), signal);
    if (!opened.ok) return opened;
    opened.value.endInput();
    return Promise.race([begin(opened.value, mark), lost]);
  }

  async function run(
    command: string,
    { signal, timeoutMs = RUN_TIMEOUT_MS, maxChars = RUN_MAX_CHARS, input = '' }: RunOptions = {},
  ): Promise<Result<RunOutcome, Problem>> {
    const stopper = new AbortController();
    let stop: (reason: Problem) => void = () => undefined;
    // A box that does not even close the channel must not hold us: whoever stops, answers.
    const stopped = new Promise<Result<never, Problem>>((resolve) => {
      stop = (reason) => {
        stopper.abort();
        resolve(err(reason));
      };
    });
    const onAbort = (): void => stop(problem('aborted', 'The command was stopped.'));
    const timer = setTimeout(() => {
      stop(problem('command-timeout', 'A command on the box did not end in time.'));
    }, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();

    async function collect(): Promise<Result<RunOutcome, Problem>> {
      const mark = makeMark();
      const opened = await exec(markStartAndEnd(command, mark), stopper.signal);
      if (!opened.ok) return opened;
      const remote = opened.value;
      if (input === '') remote.endInput();
      const begun = await begin(remote, mark);
      if (!begun.ok) return begun;
      // SECURITY: only now it is our own shell that reads it, and not whatever a start-up file put in its place.
      if (input !== '') remote.endInput(input);
      let printed = '';
      for await (const text of remote.stdout()) {
        printed += text;
        if (printed.length <= maxChars) continue;
        stop(problem('output-too-large', 'A command on the box printed more than expected.'));
        break;
      }
      const { signal: endedBy } = await remote.exited;
      const { stdout, code, after } = splitAtEnd(printed, mark);
      const { noise, stderr } = remote;
      const around = `${noise.stdout}${noise.stderr}${after}`;
      const outcome = { stdout, stderr, code, signal: code === null ? endedBy : null };
      return ok(around === '' ? outcome : { ...outcome, noise: around });
    }

    try {
      return await Promise.race([stopped, collect(), lost]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    latencyMs: way.latencyMs,
    closed,
    start,
    run,
    checkSftp: () => checkSftp(client, closed),
    openTerminal: ({ command, ...options }) =>
      openTerminal(
        client,
        command === undefined ? options : { ...options, command: forAnyShell(command) },
        closed,
      ),
    ...forwardsOver(client, closed),
    close: () => {
      client.end();
      way.close();
      // A machine that no longer answers would keep its half open for ever.
      const timer = setTimeout(() => way.stream.destroy(), CLOSE_GRACE_MS);
      void closed.then(() => clearTimeout(timer));
    },
  };
}

function execRefused(cause: unknown): Problem {
  const { message, reason } = cause as { message?: unknown; reason?: unknown };
  const detail = String(message ?? cause).slice(0, 500);
  // A reason comes with a channel that was refused; nobody has asked for a command on it yet.
  return reason === undefined
    ? problem('exec-refused', 'The box does not run commands over this connection.', { detail })
    : problem('channel-refused', 'The box has no room for another command right now.', { detail });
}
