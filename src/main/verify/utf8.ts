import { Damaged } from './damage.ts';

/** A whole text, also one of two bytes a letter that says so by its first ones. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (!isLittle && !(first === 0xfe && second === 0xff)) return new StrictUtf8().decode(bytes);
  try {
    return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes);
  } catch {
    throw new Damaged('it is not UTF-16');
  }
}

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
