import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { Budget } from '../../shared/terminal/budget.ts';
import { wrapHandler } from './honest-channels.ts';

/**
 * A server asks whether we are there once a second at most, and each connection to a port that we have it listen at is one
 * channel. Each of these costs an answer.
 */
const REQUESTS = { burst: 10_000, perSecond: 1000 };
/** A server that goes on asking without reading the answers to these wants our memory. */
const MAX_UNSENT = 4096;
const NOTHING = Buffer.alloc(0);

/** Each is answered. A round of questions with no question in it ssh2 answers by itself, before a person has logged in. */
const ANSWERED = ['GLOBAL_REQUEST', 'CHANNEL_REQUEST', 'CHANNEL_OPEN', 'USERAUTH_INFO_REQUEST'];

/** ssh2 keeps it to itself. */
interface Internals {
  readonly _sock: Duplex;
}

/**
 * SECURITY: ssh2 answers every request of a server at once and keeps what the socket does not take. A server that asks without
 * end, and reads nothing, would have all our memory: 1.5 GB in 20 s. `onFlood` ends the connection.
 */
export function boundUnasked(
  client: Client,
  onFlood: (cause: Error) => void,
  nowMs: () => number = () => performance.now(),
): void {
  const { _sock } = client as unknown as Internals;
  const budget = new Budget(REQUESTS.burst, REQUESTS.perSecond, nowMs());
  let unsent = 0;
  let isFenced = false;

  /** What was written before is on its way when this is: a stream writes in order. */
  function fence(): void {
    if (isFenced || !_sock.writable) return;
    isFenced = true;
    const upTo = unsent;
    _sock.write(NOTHING, () => {
      isFenced = false;
      unsent -= upTo;
      if (unsent > 0) fence();
    });
  }

  /** Returns whether it may be handled. */
  function count(): boolean {
    const isTooOften = !budget.take(nowMs());
    if (isTooOften || unsent >= MAX_UNSENT) {
      const what = isTooOften
        ? 'it asks more than anybody answers'
        : 'it asks without reading what it is answered';
      onFlood(new Error(`The server broke the SSH protocol: ${what}.`));
      return false;
    }
    unsent += 1;
    return true;
  }

  for (const message of ANSWERED) {
    wrapHandler(client, message, (handle) => {
      if (!count()) return;
      handle();
      fence();
    });
  }
}
