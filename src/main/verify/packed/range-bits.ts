import { notUnpacked } from '../damage.ts';

const CHANCE_BITS = 11;
const EVEN = 1 << (CHANCE_BITS - 1);
const LEARN_BITS = 5;
const HEAD_BYTES = 5;

/** So many chances of one half each; those of an array are set to that. */
export function evenChances(of: number | Uint16Array): Uint16Array {
  return (typeof of === 'number' ? new Uint16Array(of) : of).fill(EVEN);
}

/** The bits of one chunk of LZMA, each by its chance, which it changes. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = HEAD_BYTES;
  #range = 0xffffffff;
  #code: number;

  constructor(bytes: Uint8Array) {
    if (bytes.length < HEAD_BYTES || bytes[0] !== 0) throw notUnpacked();
    this.#bytes = bytes;
    this.#code = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  }

  read(chances: Uint16Array, place: number): 0 | 1 {
    this.#refill();
    const chance = chances[place] ?? 0;
    const bound = (this.#range >>> CHANCE_BITS) * chance;
    if (this.#code < bound) {
      this.#range = bound;
      chances[place] = chance + (((1 << CHANCE_BITS) - chance) >>> LEARN_BITS);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    chances[place] = chance - (chance >>> LEARN_BITS);
    return 1;
  }

  readTree(chances: Uint16Array, bits: number): number {
    let symbol = 1;
    for (let no = 0; no < bits; no += 1) symbol = (symbol << 1) | this.read(chances, symbol);
    return symbol - (1 << bits);
  }

  /** The lowest bit first; its chances begin behind `from`. */
  readReverse(chances: Uint16Array, from: number, bits: number): number {
    let [symbol, value] = [1, 0];
    for (let no = 0; no < bits; no += 1) {
      const bit = this.read(chances, from + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << no;
    }
    return value;
  }

  /** Bits of which nothing is known. */
  readEven(bits: number): number {
    let value = 0;
    for (let no = 0; no < bits; no += 1) {
      this.#refill();
      this.#range >>>= 1;
      const isSet = this.#code >= this.#range;
      if (isSet) this.#code -= this.#range;
      value = value * 2 + (isSet ? 1 : 0);
    }
    return value;
  }

  /** All of its bytes are used, and say that this is the end. */
  isAtEnd(): boolean {
    this.#refill();
    return this.#at === this.#bytes.length && this.#code === 0;
  }

  #refill(): void {
    if (this.#range >= 2 ** 24) return;
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw notUnpacked();
    this.#at += 1;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | byte) >>> 0;
  }
}
