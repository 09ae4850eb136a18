import type { ClientChannel } from 'ssh2';
import { keepOwnWindow } from './honest-channels.ts';

/** Each grant is a packet that wakes the server: an eighth of what may be on its way at a time. */
const GRANT_SHARE = 0.125;

/** ssh2 keeps these to itself: the window that it believes the box has left, and the packet that widens it. */
interface Internals {
  readonly incoming: { window: number };
  readonly outgoing: { readonly id: number; readonly state: string };
  readonly _client: {
    readonly _protocol: { channelWindowAdjust(channel: number, bytes: number): void };
  };
}

/**
 * How much a box may have sent on a channel that nobody has consumed, kept by us. ssh2 widens the window by itself, and also for
 * stdout whenever something comes on stderr: a box that sends some of each would fill memory however slowly its output is read.
 */
export class OwnWindow {
  readonly #channel: Internals;
  #inFlightBytes: number;
  /** What the box may still send, as it knows it, and what it has sent and nobody was given yet. */
  #granted: number;
  #unconsumed = 0;

  constructor(channel: ClientChannel, inFlightBytes: number) {
    this.#channel = channel as unknown as Internals;
    this.#inFlightBytes = inFlightBytes;
    const { incoming } = this.#channel;
    this.#granted = incoming.window + channel.readableLength;
    // With an endless window ssh2 never widens the real one by itself; `consumed` does. No reading pauses anywhere.
    incoming.window = Infinity;
    // SECURITY: a box that sends more than it was allowed to wants our memory, and loses its connection.
    keepOwnWindow(channel, () => this.#granted - channel.readableLength);
  }

  /** Never less than before: what was granted cannot be taken back. */
  allow(inFlightBytes: number): void {
    this.#inFlightBytes = Math.max(this.#inFlightBytes, inFlightBytes);
  }

  /** That many bytes were given to somebody. */
  given(bytes: number): void {
    this.#granted -= bytes;
    this.#unconsumed += bytes;
  }

  /** That many of them are done with. */
  consumed(bytes: number): void {
    this.#unconsumed = Math.max(0, this.#unconsumed - bytes);
    const room = this.#inFlightBytes - this.#unconsumed - this.#granted;
    const { outgoing, _client } = this.#channel;
    const isOpen = outgoing.state === 'open' || outgoing.state === 'eof';
    if (room < this.#inFlightBytes * GRANT_SHARE || !isOpen) return;
    this.#granted += room;
    _client._protocol.channelWindowAdjust(outgoing.id, room);
  }
}
