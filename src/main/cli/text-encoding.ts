/** How the bytes of a text stand for characters. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Enough to tell: each second byte of UTF-16 is 0 wherever the text is English, as all that is read here mostly is. */
const HEAD_BYTES = 128;
/** A path or a user's name in other letters has no zeros. */
const LEAST_ZEROS = 0.7;

/**
 * From the mark at the beginning, or from where the zeros stand: Windows PowerShell writes UTF-16 with `>`, and what is cut
 * out of such a file has no mark. A text in UTF-8 has no zeros at all, so it is never taken for another.
 */
export function judgeEncoding(head: Uint8Array): TextEncoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  const zeros = { first: 0, second: 0 };
  for (let i = 0; i < pairs; i += 1) {
    if (head[2 * i] === 0) zeros.first += 1;
    if (head[2 * i + 1] === 0) zeros.second += 1;
  }
  const least = Math.max(1, pairs * LEAST_ZEROS);
  if (zeros.first === 0 && zeros.second >= least) return 'utf-16le';
  return zeros.second === 0 && zeros.first >= least ? 'utf-16be' : 'utf-8';
}

/** Decodes a text that comes in pieces, in the encoding that its beginning shows. Bytes that are no text become U+FFFD. */
export class TextBytes {
  #held: Uint8Array = new Uint8Array();
  #decoder: InstanceType<typeof TextDecoder> | null = null;

  /** What can be told by now: nothing until the encoding is known. */
  push(piece: Uint8Array): string {
    if (this.#decoder !== null) return this.#decoder.decode(piece, { stream: true });
    this.#held = Buffer.concat([this.#held, piece]);
    return this.#held.length < HEAD_BYTES ? '' : this.#begin().decode(this.#held, { stream: true });
  }

  end(): string {
    return this.#decoder === null ? this.#begin().decode(this.#held) : this.#decoder.decode();
  }

  #begin(): InstanceType<typeof TextDecoder> {
    this.#decoder = new TextDecoder(judgeEncoding(this.#held));
    return this.#decoder;
  }
}
