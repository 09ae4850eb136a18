import { Damaged } from '../damage.ts';

const MAX_BITS = 16;

export interface Codes {
  /** What each run of sixteen bits begins with: how long that code is, and what it stands for. No bits: it is none. */
  readonly table: Uint16Array;
  /** Of what its codes stand for. */
  readonly most: number;
}

/** From how many codes there are of each length, and what they stand for in their order. */
export function codesOf(counts: Uint8Array, values: Uint8Array): Codes {
  const table = new Uint16Array(1 << MAX_BITS);
  let [at, value] = [0, 0];
  for (let bits = 1; bits <= MAX_BITS; bits += 1) {
    const each = 1 << (MAX_BITS - bits);
    for (let no = 0; no < (counts[bits - 1] ?? 0); no += 1) {
      if (at + each > table.length)
        throw new Damaged('a table of codes has more than there can be');
      table.fill((bits << 8) | (values[value] ?? 0), at, at + each);
      at += each;
      value += 1;
    }
  }
  return { table, most: Math.max(0, ...values) };
}

/** Bits of compressed pixels, of which each byte is one: what is put in between for the marks is gone. */
export class PixelBits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next value of a code. */
  code({ table }: Codes): number {
    const found = table[this.#peek()] ?? 0;
    if (found === 0) throw new Damaged('its pixels have a code that stands for nothing');
    this.skip(found >> 8);
    return found & 0xff;
  }

  /** No more than fifteen. */
  number(bits: number): number {
    const value = this.#peek() >> (MAX_BITS - bits);
    this.skip(bits);
    return value;
  }

  skip(bits: number): void {
    this.#at += bits;
    if (this.#at > this.#bytes.length * 8) throw new Damaged('a part of its pixels is missing');
  }

  /** Sixteen bits; what is behind the end is zero. */
  #peek(): number {
    const byte = this.#at >> 3;
    const three =
      ((this.#bytes[byte] ?? 0) << 16) |
      ((this.#bytes[byte + 1] ?? 0) << 8) |
      (this.#bytes[byte + 2] ?? 0);
    return (three >> (8 - (this.#at & 7))) & 0xffff;
  }
}
