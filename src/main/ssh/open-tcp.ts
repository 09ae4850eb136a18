import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Place } from './dial.ts';

const OPEN_TIMEOUT_MS = 15_000;

/** RFC 4254 §5.1: the server tried and failed, as opposed to refusing to try. */
const CONNECT_FAILED = 2;

interface OpenTcpOptions {
  readonly closed: Promise<Problem>;
  readonly signal: AbortSignal;
}

/** Asks the machine at the other end for a TCP connection from there, within bounded time. */
export function openTcp(
  client: Client,
  { host, port }: Place,
  { closed, signal }: OpenTcpOptions,
): Promise<Result<Duplex, Problem>> {
  return new Promise((resolve) => {
    let isOver = false;
    const finish = (result: Result<Duplex, Problem>): void => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(result);
    };
    const onAbort = (): void => finish(err(problem('aborted', 'Connecting was stopped.')));
    const timer = setTimeout(() => {
      finish(err(problem('connect-timeout', `${host} port ${port} did not answer in time.`)));
    }, OPEN_TIMEOUT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void closed.then((reason) => finish(err(reason)));
    try {
      client.forwardOut('127.0.0.1', 0, host, port, (cause, channel) => {
        // An answer that comes too late must not leave a channel that nobody knows of.
        if (isOver) channel?.destroy();
        else finish(cause === undefined ? ok(channel) : err(refusal(cause, { host, port })));
      });
    } catch (cause) {
      finish(err(refusal(cause, { host, port }))); // ssh2 throws "Not connected" here
    }
  });
}

function refusal(cause: unknown, { host, port }: Place): Problem {
  const { reason, message } = cause as { reason?: unknown; message?: unknown };
  const detail = String(message ?? cause).slice(0, 500);
  return reason === CONNECT_FAILED
    ? problem('unreachable', `It cannot reach ${host} port ${port}.`, { detail })
    : problem('forward-refused', `It does not pass connections on to ${host} port ${port}.`, {
        detail,
      });
}
