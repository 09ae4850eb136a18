/**
 * A message's own cost hardly counts, xterm parses it in a few milliseconds. With its envelope it must stay below 64 KiB: from
 * there on Chromium makes a piece of shared memory for each message, which costs main half as much again.
 */
const BATCH_BYTES = 60 * 1024;

/**
 * Joins what the box prints into messages for the window. A terminal's output comes in packets of a few kilobytes, each of
 * which would cost a message and an acknowledgement. The first one goes at once, so an echo never waits; while the window has
 * not answered, the next ones are collected until there is a batch or the answer comes. No timer, and nothing grows: what may
 * be on its way at all is bounded by the channel's window.
 */
export class TerminalOutput {
  readonly #send: (bytes: Uint8Array) => void;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #unanswered = 0;

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
  }

  push(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > BATCH_BYTES && this.#waitingBytes > 0) this.#flush();
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#unanswered === 0) this.#flush();
  }

  /** The window has parsed that much. */
  answered(bytes: number): void {
    this.#unanswered = Math.max(0, this.#unanswered - bytes);
    if (this.#unanswered === 0 && this.#waitingBytes > 0) this.#flush();
  }

  #flush(): void {
    // A copy of exactly these bytes: a view would take along the whole buffer that it looks into.
    const message = new Uint8Array(this.#waitingBytes);
    let at = 0;
    for (const bytes of this.#waiting) {
      message.set(bytes, at);
      at += bytes.length;
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#unanswered += message.length;
    this.#send(message);
  }
}
