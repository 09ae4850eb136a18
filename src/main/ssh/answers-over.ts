import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import { roundTrip } from './round-trip.ts';
import { onEnd } from './until-end.ts';

/** A box far away, or behind a full link, needs a second or two; a person who has just woken the laptop is waiting. */
export const SILENCE_MS = 5000;

/**
 * Whether the box still answers. While anything comes from it, the answer may be waiting behind that: only silence says
 * that nobody is there.
 */
export function answersOver(
  client: Client,
  stream: Duplex,
  closed: Promise<unknown>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), SILENCE_MS);
    const heard = (): void => void timer.refresh();
    const settle = (isAlive: boolean): void => {
      clearTimeout(timer);
      leave();
      stream.off('data', heard);
      resolve(isAlive);
    };
    const leave = onEnd(closed, () => settle(false));
    if (!stream.writable) {
      settle(false);
      return;
    }
    stream.on('data', heard);
    void roundTrip(client).then(settle);
  });
}
