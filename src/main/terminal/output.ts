import { BATCH_BYTES } from '../../shared/terminal/port-messages.ts';

/** In a flood, a batch is full in 2 ms; what trickles costs at most 250 messages a second. */
const COLLECT_MS = 4;

/**
 * Joins what the box prints into messages for the window. A terminal's output comes in packets of a few kilobytes, each of
 * which would cost both processes a message. The first one goes at once, so an echo never waits; what follows within a few
 * milliseconds is collected until there is a batch or the time is over. Nothing grows: what may be on its way at all is bounded
 * by the channel's window.
 */
export class TerminalOutput {
  readonly #send: (bytes: Uint8Array) => void;
  /** The same memory for every batch: a new one for each would keep the collector busy. */
  readonly #batch = new Uint8Array(BATCH_BYTES);
  #length = 0;
  #collecting: NodeJS.Timeout | null = null;

  /** What `send` is given is overwritten later. */
  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
  }

  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#length === BATCH_BYTES) this.flush();
      const part = bytes.subarray(at, at + BATCH_BYTES - this.#length);
      this.#batch.set(part, this.#length);
      this.#length += part.length;
      at += part.length;
    }
    if (this.#collecting === null) this.flush();
  }

  /** Sends what waits, for something else is to follow it. */
  flush(): void {
    if (this.#collecting !== null) clearTimeout(this.#collecting);
    this.#collecting = null;
    if (this.#length === 0) return;
    // A copy of exactly these bytes: a view would take along the whole batch that it looks into.
    const bytes = this.#length === BATCH_BYTES ? this.#batch : this.#batch.slice(0, this.#length);
    this.#length = 0;
    this.#collecting = setTimeout(() => this.flush(), COLLECT_MS);
    this.#send(bytes);
  }

  /** What waits is for nobody any more. */
  drop(): void {
    this.#length = 0;
    this.flush();
  }
}
