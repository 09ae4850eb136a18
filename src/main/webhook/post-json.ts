import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { parseRetryAfter } from '../../shared/webhook/back-off.ts';

/** For the whole of it: looking the host up, connecting, and the head of the answer. */
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
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * One POST. The status decides; the answer's text is not read, because nothing in it is wanted. A redirect is followed
 * nowhere: it would send the alarm, and the secret in the address, to a host that nobody entered.
 */
export function postJson({
  url,
  body,
  id,
  signal,
  timeoutMs = TIMEOUT_MS,
}: Post): Promise<PostOutcome> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? requestSecure : requestPlain;
    const request = send(url, {
      method: 'POST',
      // A connection of its own, closed after it: nothing stays open between alarms.
      agent: false,
      signal,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Leasehold',
        'idempotency-key': id,
      },
    });
    const timer = setTimeout(() => {
      finish({ kind: 'failed', because: `no answer within ${timeoutMs / 1000} s`, askedMs: null });
    }, timeoutMs);
    function finish(outcome: PostOutcome): void {
      clearTimeout(timer);
      resolve(outcome);
      request.destroy();
    }
    // Stays: what is destroyed may complain once more.
    request.on('error', (cause: NodeJS.ErrnoException) => {
      finish({ kind: 'failed', because: wordsOf(cause), askedMs: null });
    });
    request.on('response', (answer) => finish(judge(answer)));
    request.end(body);
  });
}

function judge({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  const because = `answered ${statusCode}`;
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
