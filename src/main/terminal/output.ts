/**
 * A message's own cost hardly counts, xterm parses it in a few milliseconds. With its envelope it must stay below 64 KiB: from
 * there on Chromium makes a piece of shared memory for each message, which costs main half as much again.
 */
const BATCH_BYTES = 60 * 1024;
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
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #collecting: NodeJS.Timeout | null = null;

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
  }

  push(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > BATCH_BYTES) this.flush();
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#collecting === null) this.flush();
  }

  /** Sends what waits, for something else is to follow it. */
  flush(): void {
    if (this.#collecting !== null) clearTimeout(this.#collecting);
    this.#collecting = null;
    if (this.#waitingBytes === 0) return;
    // A copy of exactly these bytes: a view would take along the whole buffer that it looks into.
    const message = new Uint8Array(this.#waitingBytes);
    let at = 0;
    for (const bytes of this.#waiting) {
      message.set(bytes, at);
      at += bytes.length;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#collecting = setTimeout(() => this.flush(), COLLECT_MS);
    this.#send(message);
  }

  /** What waits is for nobody any more. */
  drop(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.flush();
  }
}
