import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { describeEndpoint } from '../../shared/tunnels/describe-endpoint.ts';
import type { Tunnel, TunnelCheck } from '../../shared/tunnels/tunnel.ts';
import type { OpenStream } from './forward.ts';
import { LOOPBACK } from './listener.ts';

const CHECK_TIMEOUT_MS = 10_000;
/** A server that greets does so within this time; after that, silence is what it is going to be. */
const GREETING_MS = 1500;
const HEAD_MAX_BYTES = 16 * 1024;

export interface CheckOptions {
  readonly tunnel: Tunnel;
  /** A remote forward is asked from the box's side, where its port is. */
  readonly openStream: OpenStream;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Why connections through the tunnel were refused lately: a reset alone does not tell. */
  readonly whyRefused: () => Problem | null;
}

type Finding = Pick<TunnelCheck, 'outcome' | 'saw'>;

/** Sends one small request through the whole tunnel, from its listener to its target, and says exactly what came back. */
export async function checkTunnel(options: CheckOptions): Promise<TunnelCheck> {
  const { tunnel, now } = options;
  const atMs = now();
  const seen = await askThrough(options);
  const endMs = now();
  const tookMs = Math.max(0, endMs - atMs);
  if (seen.ok) return { atMs: endMs, tookMs, ...seen.value, problem: null };
  const why = options.whyRefused() ?? seen.error;
  return { atMs: endMs, tookMs, outcome: 'failed', saw: describeQuestion(tunnel), problem: why };
}

function describeQuestion({ kind, service }: Tunnel): string {
  if (kind === 'dynamic') return 'asked the proxy for the box’s own port 22';
  return service === 'tcp' ? 'opened a connection' : 'sent HTTP GET /';
}

async function askThrough(options: CheckOptions): Promise<Result<Finding, Problem>> {
  const { tunnel, signal } = options;
  const opened =
    tunnel.kind === 'remote'
      ? await options.openStream({ host: LOOPBACK, port: tunnel.listenPort }, signal)
      : await dialListener(tunnel.listenPort);
  if (!opened.ok) return opened;
  const stream = opened.value;
  const stop = (): void => hangUp(stream);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (tunnel.kind === 'dynamic') return await askProxy(stream, options.whyRefused);
    return tunnel.service === 'tcp'
      ? await listenForGreeting(stream)
      : await askHttp(stream, tunnel);
  } finally {
    signal.removeEventListener('abort', stop);
    hangUp(stream);
  }
}

/** By a reset: after an orderly end, a far end that never ends its own half would hold the connection for ever. */
function hangUp(stream: Duplex): void {
  if (stream instanceof Socket) stream.resetAndDestroy();
  else stream.destroy();
}

function dialListener(port: number): Promise<Result<Socket, Problem>> {
  return new Promise((resolve) => {
    // A socket that answers the other end's end with its own cannot be reset meanwhile: Node then loses it, still open,
    // and the process never exits.
    const socket = connect({ host: LOOPBACK, port, noDelay: true, allowHalfOpen: true });
    socket.once('error', ({ message }) =>
      resolve(
        err(
          problem('tunnel-not-open', 'The tunnel’s own port did not answer.', { detail: message }),
        ),
      ),
    );
    socket.once('connect', () => resolve(ok(socket)));
  });
}

type Ending = 'bytes' | 'closed' | 'silent';

/** Collects until `isEnough`, the end of the stream, or the time limit. */
function collect(
  stream: Duplex,
  timeoutMs: number,
  isEnough: (seen: Buffer) => boolean,
): Promise<{ readonly ending: Ending; readonly seen: Buffer }> {
  return new Promise((resolve) => {
    let seen: Buffer = Buffer.alloc(0);
    const finish = (ending: Ending): void => {
      clearTimeout(timer);
      stream.off('data', take);
      resolve({ ending, seen });
    };
    const take = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      if (isEnough(seen) || seen.length >= HEAD_MAX_BYTES) finish('bytes');
    };
    const timer = setTimeout(() => finish('silent'), timeoutMs);
    stream.on('data', take);
    for (const ending of ['end', 'close', 'error']) stream.once(ending, () => finish('closed'));
  });
}

async function askHttp(stream: Duplex, { target }: Tunnel): Promise<Result<Finding, Problem>> {
  const host = target === null ? LOOPBACK : describeEndpoint(target);
  stream.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\nConnection: close\r\n\r\n`);
  const { ending, seen } = await collect(stream, CHECK_TIMEOUT_MS, (head) => head.includes('\n'));
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(seen.toString('latin1', 0, 64))?.[1];
  if (status !== undefined) return ok({ outcome: 'answered', saw: `HTTP ${status} to GET /` });
  if (seen.length > 0) return ok({ outcome: 'answered', saw: 'an answer that is not HTTP' });
  return err(noAnswer(ending));
}

async function listenForGreeting(stream: Duplex): Promise<Result<Finding, Problem>> {
  const { ending, seen } = await collect(stream, GREETING_MS, ({ length }) => length > 0);
  if (seen.length > 0) return ok({ outcome: 'answered', saw: 'the first bytes of its greeting' });
  if (ending === 'closed') return err(noAnswer('closed'));
  return ok({ outcome: 'accepted', saw: 'took the connection, said nothing' });
}

const SOCKS_GREETING = Uint8Array.of(5, 1, 0);
const SOCKS_ASK_PORT_22 = Uint8Array.of(5, 1, 0, 1, 127, 0, 0, 1, 0, 22);
const SOCKS_REPLY_BYTES = 12; // 2 for the greeting, 10 for the request
const SOCKS_REFUSED = 5;

/** That nothing listens at the box's port 22 is an answer too: only the box can know it. */
async function askProxy(
  stream: Duplex,
  whyRefused: () => Problem | null,
): Promise<Result<Finding, Problem>> {
  stream.write(Buffer.concat([SOCKS_GREETING, SOCKS_ASK_PORT_22]));
  const { ending, seen } = await collect(
    stream,
    CHECK_TIMEOUT_MS,
    ({ length }) => length >= SOCKS_REPLY_BYTES,
  );
  const code = seen[3];
  if (code === 0)
    return ok({ outcome: 'answered', saw: 'the box’s own port 22 took a connection' });
  if (code === SOCKS_REFUSED && whyRefused() === null)
    return ok({ outcome: 'answered', saw: 'the box said that its port 22 is closed' });
  return err(noAnswer(ending));
}

function noAnswer(ending: Ending): Problem {
  return ending === 'closed'
    ? problem('target-refused', 'The far end closed the connection without an answer.')
    : problem('target-silent', 'The far end took the connection and did not answer in time.');
}
