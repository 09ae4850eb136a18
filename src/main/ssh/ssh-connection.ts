import type { Duplex } from 'node:stream';
import { Client } from 'ssh2';
import type { SshAddress } from '../../shared/boxes/address.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { toAuthMethods, type Credentials } from './credentials.ts';
import type { Place } from './dial.ts';
import { directWay } from './direct-way.ts';
import { openTcp } from './open-tcp.ts';
import { readHostKey, type OfferedHostKey } from './host-key.ts';
import { RemoteProcess, type ExitStatus } from './remote-process.ts';
import { toProblem } from './to-problem.ts';
import type { OpenWay, Way } from './way.ts';

const HANDSHAKE_TIMEOUT_MS = 20_000;

// A half-open link must be found within 30 s: two unanswered questions, ten seconds apart.
const KEEPALIVE_EVERY_MS = 10_000;
const KEEPALIVE_MISSES = 2;

const CLOSE_GRACE_MS = 2000;

const RUN_TIMEOUT_MS = 30_000;
const RUN_MAX_CHARS = 1024 * 1024;

export interface ConnectOptions {
  readonly address: SshAddress;
  /** TCP straight to the address where nothing else is said. */
  readonly openWay?: OpenWay;
  readonly credentials: Credentials;
  /** Null: our own cadence. A longer one is not used. */
  readonly keepaliveEveryS?: number | null;
  /** SECURITY: asked before anything is sent that an impostor could use. */
  readonly judgeHostKey: (offered: OfferedHostKey) => 'accept' | 'refuse';
  readonly signal: AbortSignal;
}

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
export interface SshConnection {
  /** The time in which the box's TCP stack answered: one round trip. Null: something in between answered instead. */
  readonly latencyMs: number | null;
  /** Settles with the reason when the connection is gone, however it went. */
  readonly closed: Promise<Problem>;
  /** Starts a command whose output is read as it comes. */
  start(command: string, signal?: AbortSignal): Promise<Result<RemoteProcess, Problem>>;
  /** Runs a short command to its end, within bounded time and output. Its exit code is for the caller to judge. */
  run(command: string, options?: RunOptions): Promise<Result<RunOutcome, Problem>>;
  /** A TCP connection that the box makes for us: the way on, where the box is a jump host. */
  openTcp(place: Place, signal: AbortSignal): Promise<Result<Duplex, Problem>>;
  close(): void;
}

export async function openConnection(
  options: ConnectOptions,
): Promise<Result<SshConnection, Problem>> {
  const { openWay = directWay(options.address) } = options;
  const opened = await openWay(options.signal);
  return opened.ok ? handshake(options, opened.value) : opened;
}

function handshake(
  { address, credentials, judgeHostKey, keepaliveEveryS, signal }: ConnectOptions,
  way: Way,
): Promise<Result<SshConnection, Problem>> {
  const client = new Client();
  let whyClosed: Problem | null = null;
  const closed = new Promise<Problem>((resolve) => {
    // The first error is the reason. A hostile server may never close its half, so the socket does not wait for it.
    client.on('error', (cause) => {
      whyClosed ??= toProblem(cause, address);
      end();
    });
    client.on('close', end);
    // Not only on `close`: the other end of a channel through a hung jump host never answers.
    function end(): void {
      // Asked before the way is closed: afterwards it could only say that it was.
      const reason = way.explain(whyClosed ?? toProblem('closed by the box', address));
      way.stream.destroy();
      void Promise.resolve(reason).then((explained) => {
        way.close();
        resolve(explained);
      });
    }
  });
  const abort = (): void => {
    whyClosed ??= problem('aborted', 'Connecting was stopped.');
    way.stream.destroy();
  };
  signal.addEventListener('abort', abort, { once: true });

  const ready = new Promise<Result<SshConnection, Problem>>((resolve) => {
    client.once('ready', () => resolve(ok(connectionOver(client, way, closed))));
    void closed.then((reason) => resolve(err(reason)));
  });
  client.connect({
    sock: way.stream,
    username: address.user,
    authHandler: toAuthMethods(credentials, address.user),
    readyTimeout: HANDSHAKE_TIMEOUT_MS,
    keepaliveInterval: Math.min(KEEPALIVE_EVERY_MS, (keepaliveEveryS ?? Infinity) * 1000),
    keepaliveCountMax: KEEPALIVE_MISSES,
    // SECURITY: without this, ssh2 accepts any key.
    hostVerifier: (key: Buffer) => {
      const isAccepted = judgeHostKey(readHostKey(key)) === 'accept';
      if (!isAccepted) whyClosed ??= problem('host-key-unknown', `${address.host} is not trusted.`);
      return isAccepted;
    },
  });
  if (signal.aborted) abort();
  return ready.finally(() => signal.removeEventListener('abort', abort));
}

function connectionOver(client: Client, way: Way, closed: Promise<Problem>): SshConnection {
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
    latencyMs: way.latencyMs,
    closed,
    start,
    run,
    openTcp: (place, signal) => openTcp(client, place, { closed, signal }),
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
  return problem('exec-refused', 'The box does not run commands over this connection.', {
    detail: String((cause as { message?: unknown }).message ?? cause).slice(0, 500),
  });
}
