import { connect as connectTcp, type Socket } from 'node:net';
import type { Client } from 'ssh2';
import type { SshAddress } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Credentials } from './credentials.ts';
import { startDeadline } from './deadline.ts';
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

const CONNECT_TIMEOUT_MS = 15_000;
const HANDSHAKE_TIMEOUT_MS = 20_000;

// A half-open link must be found within 30 s: two unanswered questions, ten seconds apart.
const KEEPALIVE_EVERY_MS = 10_000;
const KEEPALIVE_MISSES = 2;

const RUN_TIMEOUT_MS = 30_000;
const RUN_MAX_CHARS = 1024 * 1024;

/** SECURITY: the host key is asked about before anything is sent that an impostor could use. */
export interface ConnectOptions
  extends Pick<HostKeyCheck, 'judgeHostKey'>, Partial<Omit<HostKeyCheck, 'judgeHostKey'>> {
  readonly address: SshAddress;
  readonly credentials: Credentials;
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
}

/** One authenticated SSH connection. */
export interface SshConnection extends Forwards {
  /** The time in which the box's TCP stack answered: one round trip. */
  readonly latencyMs: number;
  /** Settles with the reason when the connection is gone, however it went. */
  readonly closed: Promise<Problem>;
  /** Starts a command whose output is read as it comes. */
  start(command: string, signal?: AbortSignal): Promise<Result<RemoteProcess, Problem>>;
  /** Runs a short command to its end, within bounded time and output. Its exit code is for the caller to judge. */
  run(command: string, options?: RunOptions): Promise<Result<RunOutcome, Problem>>;
  /** The system's ssh to the same box with the same key, for bulk data; refused where that is not possible. */
  openFastLane(): Promise<Result<FastLane, Problem>>;
  /** Opens a terminal: the login shell, or one command in its place. */
  openTerminal(options: TerminalOptions): Promise<Result<RemoteTerminal, Problem>>;
  close(): void;
}

export async function openConnection(
  options: ConnectOptions,
): Promise<Result<SshConnection, Problem>> {
  const { address, credentials, signal } = options;
  const login = await Login.open(credentials, address, signal);
  // More than one connection only where a person was asked between them.
  for (;;) {
    const dialled = await dial(address, signal);
    if (!dialled.ok) return dialled;
    const { socket, latencyMs } = dialled.value;
    const opened = await handshake(options, login, socket, latencyMs);
    if (opened.ok) return opened;
    const reason = await login.settle(opened.error);
    if (reason !== null) return err(reason);
  }
}

/** TCP first and apart: its time is the round trip, and its errors are the network's own. */
function dial(
  address: SshAddress,
  signal: AbortSignal,
): Promise<Result<{ socket: Socket; latencyMs: number }, Problem>> {
  return new Promise((resolve) => {
    const startedAtMs = performance.now();
    const socket = connectTcp({ host: address.host, port: address.port, noDelay: true });
    const finish = (result: Result<{ socket: Socket; latencyMs: number }, Problem>): void => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      signal.removeEventListener('abort', onAbort);
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    const onAbort = (): void => finish(err(problem('aborted', 'Connecting was stopped.')));
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      finish(err(toProblem({ code: 'ETIMEDOUT', message: 'connect timed out' }, address))),
    );
    socket.once('error', (cause) => finish(err(toProblem(cause, address))));
    socket.once('connect', () =>
      finish(ok({ socket, latencyMs: performance.now() - startedAtMs })),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

function handshake(
  { address, judgeHostKey, knownKeyTypes = [], onHostKeyProven, signal }: ConnectOptions,
  login: Login,
  socket: Socket,
  latencyMs: number,
): Promise<Result<SshConnection, Problem>> {
  let whyClosed: Problem | null = null;
  let hostKey: OfferedHostKey | null = null;
  const client = new VerifiedClient((blob) => {
    hostKey = readUsableHostKey(blob);
    if (hostKey === null) whyClosed ??= toProblem(UNUSABLE_KEY, address);
    return hostKey !== null && judgeHostKey(hostKey) === 'accept';
  });
  let isReady = false;
  const closed = new Promise<Problem>((resolve) => {
    // The first error is the reason. A hostile server may never close its half, so the socket does not wait for it.
    client.on('error', (cause) => {
      // One key that its agent would not sign with: the log-in goes on with the next.
      if ((cause as { level?: unknown }).level === 'agent') return;
      fail(explain(cause));
    });
    client.on('close', () => resolve(whyClosed ?? explain('closed by the box')));
  });
  const deadline = startDeadline(HANDSHAKE_TIMEOUT_MS, () =>
    fail(toProblem({ level: 'client-timeout', message: 'the log-in took too long' }, address)),
  );
  const attempt = new LoginTry(login, { fail, closed, pauseDeadline: () => deadline.pause() });
  function fail(reason: Problem): void {
    whyClosed ??= reason;
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
          : openFastLane({ address, signer: attempt.signer, hostKey });
      resolve(ok({ ...connectionOver(client, latencyMs, closed), openFastLane: lane }));
    });
    client.once('change password', () => attempt.passwordExpired());
    void closed.then((reason) => resolve(err(reason)));
  });
  client.connect({
    sock: socket,
    username: address.user,
    authHandler: attempt.handler,
    readyTimeout: 0, // ours knows when it is the person who takes time
    keepaliveInterval: KEEPALIVE_EVERY_MS,
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
  latencyMs: number,
  closed: Promise<Problem>,
): Omit<SshConnection, 'openFastLane'> {
  async function start(
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
    return Promise.race([opened, closed.then((reason) => err(reason))]);
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
      const started = await start(command, stopper.signal);
      if (!started.ok) return started;
      const remote = started.value;
      remote.endInput(input);
      let stdout = '';
      for await (const text of remote.stdout()) {
        stdout += text;
        if (stdout.length <= maxChars) continue;
        stop(problem('output-too-large', 'A command on the box printed more than expected.'));
        break;
      }
      const exit = await remote.exited;
      return ok({ ...exit, stdout, stderr: remote.stderr });
    }

    const lost = closed.then((reason) => err(reason));
    try {
      return await Promise.race([stopped, collect(), lost]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    latencyMs,
    closed,
    start,
    run,
    openTerminal: (options) => openTerminal(client, options, closed),
    ...forwardsOver(client, closed),
    close: () => void client.end(),
  };
}

function execRefused(cause: unknown): Problem {
  return problem('exec-refused', 'The box does not run commands over this connection.', {
    detail: String((cause as { message?: unknown }).message ?? cause).slice(0, 500),
  });
}
