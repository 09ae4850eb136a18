import { Damaged } from './damage.ts';

/** A text that comes in pieces; bytes that are none are damage, and never a question mark. */
export class StrictUtf8 {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #of: string;

  /** @param of What is read, to begin a clause with. */
  constructor(of = 'it') {
    this.#of = of;
  }

  /** @param isMore Whether more follows, so that a letter may be cut off. */
  decode(bytes: Uint8Array, isMore = false): string {
    try {
      return this.#decoder.decode(bytes, { stream: isMore });
    } catch {
      throw new Damaged(`${this.#of} is not UTF-8`);
    }
  }
}
