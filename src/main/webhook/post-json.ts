import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { parseRetryAfter } from '../../shared/webhook/back-off.ts';
import { openWayOut, type Connection, type FindProxies } from './way-out.ts';

/** For the whole of it: finding the way, looking the host up, connecting, and the head of the answer. */
const TIMEOUT_MS = 15_000;

export type PostOutcome =
  | { readonly kind: 'delivered' }
  /** Another try may help; `askedMs`: what the other end asked for. */
  | { readonly kind: 'failed'; readonly because: string; readonly askedMs: number | null }
  /** Another try would be answered the same. */
  | { readonly kind: 'refused'; readonly because: string };

export interface Post {
  readonly url: URL;
  readonly body: string;
  /** The same for every try of one delivery. */
  readonly id: string;
  /** What stands in the header of that name; null: it is not sent. */
  readonly authorization: string | null;
  readonly findProxies: FindProxies;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/** One try, in bounded time whoever is slow: the system, the proxy, the name, the other end. */
export async function postJson({
  signal,
  timeoutMs = TIMEOUT_MS,
  ...post
}: Post): Promise<PostOutcome> {
  const over = new AbortController();
  const onAbort = (): void => over.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    over.abort();
  }, timeoutMs);
  try {
    const outcome = await attempt(post, over.signal);
    if (!isLate || outcome.kind === 'delivered') return outcome;
    return failed(`no answer within ${timeoutMs / 1000} s`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function attempt(
  { url, findProxies, ...post }: Omit<Post, 'signal' | 'timeoutMs'>,
  signal: AbortSignal,
): Promise<PostOutcome> {
  const opened = await openWayOut(url, findProxies, signal);
  if (!opened.ok) return failed(inSentence(opened.error.message));
  return send(url, post, opened.value, signal);
}

/**
 * One POST. The status decides; the answer's text is not read, because nothing in it is wanted. A redirect is followed
 * nowhere: it would send the alarm, and the secrets in address and header, to a host that nobody entered.
 */
function send(
  url: URL,
  { body, id, authorization }: Pick<Post, 'body' | 'id' | 'authorization'>,
  connection: Connection,
  signal: AbortSignal,
): Promise<PostOutcome> {
  return new Promise((resolve) => {
    const start = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = start(url, {
      method: 'POST',
      // A connection of its own, closed after it: nothing stays open between alarms.
      ...(connection === null ? { agent: false } : { createConnection: () => connection }),
      signal,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Leasehold',
        'idempotency-key': id,
        ...(authorization !== null && { authorization }),
      },
    });
    function finish(outcome: PostOutcome): void {
      resolve(outcome);
      request.destroy();
    }
    // A proxy's connection comes paused, so that nothing of what follows its answer is lost.
    request.on('socket', (socket) => socket.resume());
    // Stays: what is destroyed may complain once more.
    request.on('error', (cause: NodeJS.ErrnoException) => finish(failed(wordsOf(cause))));
    request.on('response', (answer) => finish(judge(answer)));
    request.end(body);
  });
}

function failed(because: string): PostOutcome {
  return { kind: 'failed', because, askedMs: null };
}

/** A problem's sentence, as it stands behind "the webhook was not reached". */
function inSentence(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;
}

function judge({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  const because = `answered ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) {
    return { kind: 'refused', because: `${because}: it wants an access token, or another one` };
  }
  if (statusCode >= 300 && statusCode < 400) {
    return { kind: 'refused', because: `${because}, a redirect, which is not followed` };
  }
  if (statusCode >= 500 || [408, 425, 429].includes(statusCode)) {
    const askedMs = parseRetryAfter(headers['retry-after'], Date.now());
    return { kind: 'failed', because, askedMs };
  }
  return { kind: 'refused', because };
}

/** By code only: the message of an error may hold the address. */
function wordsOf({ code }: NodeJS.ErrnoException): string {
  const words: Readonly<Record<string, string>> = {
    ENOTFOUND: 'the host was not found',
    EAI_AGAIN: 'the host could not be looked up',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    EPIPE: 'the connection was cut',
    ENETUNREACH: 'the network is not reachable',
    EHOSTUNREACH: 'the host is not reachable',
    ETIMEDOUT: 'the connection timed out',
    ABORT_ERR: 'Leasehold was closed',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  };
  return words[code ?? ''] ?? `it failed (${code ?? 'for an unknown reason'})`;
}
