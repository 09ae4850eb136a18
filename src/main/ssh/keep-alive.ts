import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { roundTrip } from './round-trip.ts';
import { onEnd } from './until-end.ts';

export interface KeepAlive {
  /** After so long without a byte the box is asked for an answer; */
  readonly everyMs: number;
  /** and where so many questions are unanswered after as long again, nobody is there. */
  readonly misses: number;
}

/**
 * Tells when a link is dead that nothing else ends. Like OpenSSH's ServerAliveInterval it counts from the last byte: a box whose
 * rows come every second says by that that it lives. ssh2's own asks every box all the same, and the answers are more packets.
 */
export function keepAlive(
  client: Client,
  stream: Duplex,
  closed: Promise<unknown>,
  { everyMs, misses }: KeepAlive,
  onSilent: () => void,
): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === misses) onSilent();
    else if (stream.writable) {
      unanswered += 1;
      void roundTrip(client);
    }
  }, everyMs);
  const heard = (): void => {
    unanswered = 0;
    timer.refresh();
  };
  stream.on('data', heard);
  onEnd(closed, () => {
    clearInterval(timer);
    stream.off('data', heard);
  });
}
