import type { SshAddress } from '../../shared/boxes/address.ts';
import { forAnyShell } from '../../shared/boxes/any-shell.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { selectAgent } from './agents.ts';
import { answersOver } from './answers-over.ts';
import { openFiles, type BoxFiles } from './box-files.ts';
import type { Credentials } from './credentials.ts';
import { startDeadline } from './deadline.ts';
import { boundReceived, countReceived } from './count-received.ts';
import { directWay } from './direct-way.ts';
import type { ConnectionLife } from './exit-status.ts';
import { endsCloseOthers } from './dropbear-fault.ts';
import { openFastLane, type FastLane } from './fast-lane.ts';
import { forwardsOver, type Forwards } from './forwards.ts';
import type { HostKeyCheck } from './host-key-guard.ts';
import type { OfferedHostKey } from './host-key.ts';
import { keepAlive } from './keep-alive.ts';
import { LentAgent } from './lent-agent.ts';
import { Login } from './login.ts';
import { LoginTry } from './login-try.ts';
import { exec, type RemoteProcess } from './remote-process.ts';
import { openTerminal, type RemoteTerminal, type TerminalOptions } from './remote-terminal.ts';
import { openSftp, type SftpChannel } from './sftp-channel.ts';
import { roundTrip } from './round-trip.ts';
import { noSshServer, toProblem } from './to-problem.ts';
import { untilEnd } from './until-end.ts';
import { preferKnownTypes, readUsableHostKey } from './usable-host-key.ts';
import { VerifiedClient } from './verified-client.ts';
import type { OpenWay, Way } from './way.ts';

export const HANDSHAKE_TIMEOUT_MS = 20_000;

// A half-open link must be found within 30 s: two unanswered questions, ten seconds apart.
const KEEPALIVE_EVERY_MS = 10_000;
const KEEPALIVE_MISSES = 2;

const CLOSE_GRACE_MS = 2000;

/** A text for people; a server may send many of them. */
const BANNER_MAX_CHARS = 4000;

/** SECURITY: the host key is asked about before anything is sent that an impostor could use. */
export interface ConnectOptions
  extends Pick<HostKeyCheck, 'judgeHostKey'>, Partial<Omit<HostKeyCheck, 'judgeHostKey'>> {
  readonly address: SshAddress;
  /** TCP straight to the address where nothing else is said. Opened anew for each connection that the log-in takes. */
  readonly openWay?: OpenWay;
  readonly credentials: Credentials;
  /** Null: our own cadence. A longer one is not used. */
  readonly keepaliveEveryS?: number | null;
  /** Whether terminals may use the person's SSH agent. Nothing else ever does. */
  readonly isAgentLent?: boolean;
  /** Bytes that came from the machine, over this log-in and what is opened with it. Called often: must be cheap. */
  readonly onReceived?: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** A greeting and a key exchange take a few kB; what comes without end would keep everything else here waiting. */
const MAX_BYTES_BEFORE_PROOF = 48 * 1024;

/** In ssh2's own words, so that there is one translation. */
const UNUSABLE_KEY = { level: 'handshake', message: 'Received malformed host public key' };

/** One log-in. Its sessions are not counted: `openConnection` shares them out. */
export interface SingleConnection extends Forwards {
  /** The time in which the box's TCP stack answered: one round trip. Null: something in between answered instead. */
  readonly latencyMs: number | null;
  /** What the server showed before the log-in was complete, cut to a bounded length; null: nothing. */
  readonly banner: string | null;
  /** Settles with the reason when the connection is gone, however it went. */
  readonly closed: Promise<Problem>;
  /** True as soon as the connection ends; why it did, which `closed` tells, may take a moment longer to find out. */
  readonly isGone: () => boolean;
  /** Asks the box whether it still answers; false: it stayed silent, and the connection ends. */
  prove(): Promise<boolean>;
  /** Hands a command line to the box's login shell. */
  exec(commandLine: string, signal?: AbortSignal): Promise<Result<RemoteProcess, Problem>>;
  openSftp(): Promise<Result<SftpChannel, Problem>>;
  openFiles(): Promise<Result<BoxFiles, Problem>>;
  openTerminal(options: TerminalOptions): Promise<Result<RemoteTerminal, Problem>>;
  /** The system's ssh to the same box with the same key, for bulk data; refused where that is not possible. */
  openFastLane(signal: AbortSignal): Promise<Result<FastLane, Problem>>;
  /** The end of one of its programs may close what is opened beside it. */
  readonly keepsApart: boolean;
  /** Settles when the server has answered something that it was asked just now, or the connection is gone. */
  roundTrip(): Promise<unknown>;
  /** For a further log-in to this very server that asks nobody; null where only the person could repeat it. */
  readonly again: Omit<ConnectOptions, 'signal'> | null;
  close(): void;
}

export async function logIn(options: ConnectOptions): Promise<Result<SingleConnection, Problem>> {
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
): Promise<Result<SingleConnection, Problem>> {
  const {
    address,
    judgeHostKey,
    knownKeyTypes = [],
    onHostKeyProven,
    keepaliveEveryS,
    isAgentLent = false,
    onReceived = () => undefined,
    signal,
  } = options;
  let whyClosed: Problem | null = null;
  let hostKey: OfferedHostKey | null = null;
  const lentAgent = isAgentLent ? new LentAgent(selectAgent(process.env, process.platform)) : null;
  const client = new VerifiedClient((blob) => {
    hostKey = readUsableHostKey(blob);
    if (hostKey === null) whyClosed ??= toProblem(UNUSABLE_KEY, address);
    return hostKey !== null && judgeHostKey(hostKey) === 'accept';
  }, lentAgent);
  let isReady = false;
  let isGone = false;
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
      isGone = true;
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

  const liftBound = boundReceived(way.stream, MAX_BYTES_BEFORE_PROOF, () => {
    fail(noSshServer(address));
  });
  // The first key exchange is complete: the server has signed with the key it showed, and nothing else was sent yet.
  client.once('handshake', () => {
    liftBound();
    if (hostKey !== null) login.meets(hostKey.fingerprint);
    const noted = onHostKeyProven?.();
    if (noted !== undefined && !noted.ok) fail(noted.error);
  });

  const ready = new Promise<Result<SingleConnection, Problem>>((resolve) => {
    client.once('ready', () => {
      isReady = true;
      keepAlive(
        client,
        way.stream,
        closed,
        {
          everyMs: Math.min(KEEPALIVE_EVERY_MS, (keepaliveEveryS ?? Infinity) * 1000),
          misses: KEEPALIVE_MISSES,
        },
        () => fail(toProblem({ level: 'client-timeout', message: 'Keepalive timeout' }, address)),
      );
      login.person?.loggedIn(attempt.way, attempt.passwords);
      // Always there: no log-in without a host key that was judged.
      if (hostKey === null) return;
      const key: OfferedHostKey = hostKey;
      const prove = async (): Promise<boolean> => {
        const isAlive = await answersOver(client, way.stream, closed);
        const silent = { level: 'client-timeout', message: 'no answer when asked for one' };
        if (!isAlive) fail(toProblem(silent, address));
        return isAlive;
      };
      const close = (): void => {
        isGone = true;
        closeGently(client, way, closed);
      };
      resolve(
        ok({
          ...connectionOver(client, way, { closed, isGone: () => isGone }),
          banner,
          openFastLane: (laneSignal) =>
            openFastLane({
              signal: laneSignal,
              address,
              isDirect: way.isDirect,
              signer: attempt.signer,
              hostKey: key,
              onReceived,
            }),
          again: onceMore(options, attempt.repetition, key),
          prove,
          close,
        }),
      );
    });
    client.once('change password', () => attempt.passwordExpired());
    void closed.then((reason) => resolve(err(reason)));
  });
  countReceived(way.stream, onReceived);
  client.connect({
    sock: way.stream,
    username: address.user,
    authHandler: attempt.handler,
    readyTimeout: 0, // ours knows when it is the person who takes time
    keepaliveInterval: 0, // ours asks only who says nothing
    algorithms: preferKnownTypes(knownKeyTypes),
  });
  if (signal.aborted) abort();
  return ready.finally(() => {
    deadline.stop();
    signal.removeEventListener('abort', abort);
  });
}

/** SECURITY: only the server that is logged in to already is taken for it, and only what it has accepted is sent to it. */
function onceMore(
  { address, openWay, keepaliveEveryS, isAgentLent, onReceived }: ConnectOptions,
  credentials: Credentials | null,
  hostKey: OfferedHostKey,
): SingleConnection['again'] {
  if (credentials === null) return null;
  return {
    address,
    ...(openWay !== undefined && { openWay }),
    ...(keepaliveEveryS !== undefined && { keepaliveEveryS }),
    ...(isAgentLent !== undefined && { isAgentLent }),
    ...(onReceived !== undefined && { onReceived }),
    credentials,
    knownKeyTypes: [hostKey.type],
    judgeHostKey: ({ publicKey }) => (publicKey === hostKey.publicKey ? 'accept' : 'refuse'),
  };
}

function connectionOver(
  client: VerifiedClient,
  way: Way,
  life: ConnectionLife,
): Omit<SingleConnection, 'banner' | 'openFastLane' | 'again' | 'prove' | 'close'> {
  const { closed, isGone } = life;
  return {
    latencyMs: way.latencyMs,
    keepsApart: endsCloseOthers(client),
    closed,
    isGone,
    exec: (commandLine, signal) => exec(client, commandLine, life, signal),
    openSftp: () => openSftp(client, life),
    openFiles: () => openFiles(client, life),
    openTerminal: ({ command, ...options }) =>
      openTerminal(
        client,
        command === undefined ? options : { ...options, command: forAnyShell(command) },
        life,
      ),
    roundTrip: () => untilEnd(roundTrip(client), closed, () => false),
    ...forwardsOver(client, closed),
  };
}

function closeGently(client: VerifiedClient, way: Way, closed: Promise<Problem>): void {
  client.end();
  way.close();
  // A machine that no longer answers would keep its half open for ever.
  const timer = setTimeout(() => way.stream.destroy(), CLOSE_GRACE_MS);
  void closed.then(() => clearTimeout(timer));
}
