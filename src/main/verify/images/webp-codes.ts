import { Damaged } from '../damage.ts';

const MAX_BITS = 15;
/** As many bits are looked up at once; longer codes are rare. */
const TABLE_BITS = 8;
const SYMBOL_BITS = 12;
/** In which order the lengths of the codes of lengths come. */
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const REPEAT = 16;
/** Of what repeats a length or zeros: how many bits say how often, and from how often on. */
const REPEATS = [
  { bits: 2, from: 3 },
  { bits: 3, from: 3 },
  { bits: 7, from: 11 },
] as const;
const FIRST_LENGTH = 8;
/** As many as can be told by themselves. */
const SIMPLE_SYMBOLS = 256;
const NONE = new Uint16Array(0);

/** Codes of up to fifteen bits. */
export interface Code {
  /** The one symbol, which takes no bits; null: there are several. */
  readonly only: number | null;
  /** By what the next bits are: how many of them are a code, and its symbol. 0: it is longer. */
  readonly table: Uint16Array;
  /** How many codes there are of each length, and their symbols in that order. */
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

/** The bits of a chunk, the lowest of each byte first. */
export class LowBits {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** No more than 24. */
  take(bits: number): number {
    this.#fill();
    const value = this.#held & ((1 << bits) - 1);
    this.#drop(bits);
    return value;
  }

  code({ only, table, counts, symbols }: Code): number {
    if (only !== null) return only;
    this.#fill();
    const found = table[this.#held & (table.length - 1)] ?? 0;
    if (found !== 0) {
      this.#drop(found >> SYMBOL_BITS);
      return found & ((1 << SYMBOL_BITS) - 1);
    }
    let [code, first, index] = [0, 0, 0];
    for (let bits = 1; bits <= MAX_BITS; bits += 1) {
      code |= (this.#held >> (bits - 1)) & 1;
      const count = counts[bits] ?? 0;
      if (code - count < first) {
        this.#drop(bits);
        return symbols[index + code - first] ?? 0;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Damaged('its pixels have a code that stands for nothing');
  }

  /** What is behind the end is zero, until it is taken. */
  #fill(): void {
    while (this.#count < 24) {
      this.#held |= (this.#bytes[this.#at] ?? 0) << this.#count;
      this.#at += 1;
      this.#count += 8;
    }
  }

  #drop(bits: number): void {
    this.#held >>>= bits;
    this.#count -= bits;
    if (this.#at * 8 - this.#count > this.#bytes.length * 8) {
      throw new Damaged('a part of its pixels is missing');
    }
  }
}

/** A table of codes as it is written: one or two symbols, or the length of the code of each. */
export function readCode(bits: LowBits, symbols: number): Code {
  if (bits.take(1) === 0) {
    const lengths = new Uint8Array(symbols);
    readLengths(bits, lengths);
    return codeOf(lengths);
  }
  const isTwo = bits.take(1) === 1;
  const first = bits.take(bits.take(1) === 1 ? 8 : 1);
  const second = isTwo ? bits.take(8) : first;
  if (first === second && first < symbols) return codeOfOne(first);
  const lengths = new Uint8Array(Math.min(symbols, SIMPLE_SYMBOLS));
  for (const symbol of [first, second]) if (symbol < symbols) lengths[symbol] = 1;
  return codeOf(lengths);
}

function readLengths(bits: LowBits, lengths: Uint8Array): void {
  const ofLengths = new Uint8Array(LENGTH_ORDER.length);
  const given = bits.take(4) + 4;
  for (const symbol of LENGTH_ORDER.slice(0, given)) ofLengths[symbol] = bits.take(3);
  const code = codeOf(ofLengths);
  let left = lengths.length;
  if (bits.take(1) === 1) {
    left = 2 + bits.take(2 + 2 * bits.take(3));
    if (left > lengths.length) throw tooMany();
  }
  let before = FIRST_LENGTH;
  for (let at = 0; at < lengths.length && left > 0; left -= 1) {
    const length = bits.code(code);
    const repeats = REPEATS[length - REPEAT];
    if (repeats === undefined) {
      lengths[at] = length;
      if (length > 0) before = length;
      at += 1;
      continue;
    }
    const end = at + repeats.from + bits.take(repeats.bits);
    if (end > lengths.length) throw tooMany();
    lengths.fill(length === REPEAT ? before : 0, at, end);
    at = end;
  }
}

const tooMany = (): Damaged => new Damaged('a table of codes has more than there can be');

const codeOfOne = (only: number): Code => ({ only, table: NONE, counts: NONE, symbols: NONE });

/** As many codes as there can be, neither more nor fewer, but for one alone. */
function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const places = new Uint16Array(MAX_BITS + 2);
  let [open, most] = [1, 0];
  for (let bits = 1; bits <= MAX_BITS; bits += 1) {
    const count = counts[bits] ?? 0;
    places[bits + 1] = (places[bits] ?? 0) + count;
    open = open * 2 - count;
    if (count > 0) most = bits;
    if (open < 0) throw tooMany();
  }
  const total = places[MAX_BITS + 1] ?? 0;
  const symbols = new Uint16Array(total);
  const next = places.slice();
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const place = next[length] ?? 0;
    symbols[place] = symbol;
    next[length] = place + 1;
  }
  if (total === 1) return codeOfOne(symbols[0] ?? 0);
  if (open !== 0) throw new Damaged('a table of codes has fewer than there must be');
  return {
    only: null,
    table: tableOf(counts, symbols, Math.min(most, TABLE_BITS)),
    counts,
    symbols,
  };
}

/** Of codes that come with their first bit lowest. */
function tableOf(counts: Uint16Array, symbols: Uint16Array, tableBits: number): Uint16Array {
  const table = new Uint16Array(1 << tableBits);
  let [code, no] = [0, 0];
  for (let bits = 1; bits <= tableBits; bits += 1) {
    for (let left = counts[bits] ?? 0; left > 0; left -= 1) {
      const entry = (bits << SYMBOL_BITS) | (symbols[no] ?? 0);
      for (let at = reversed(code, bits); at < table.length; at += 1 << bits) table[at] = entry;
      code += 1;
      no += 1;
    }
    code <<= 1;
  }
  return table;
}

function reversed(code: number, bits: number): number {
  let turned = 0;
  for (let bit = 0; bit < bits; bit += 1) turned |= ((code >> bit) & 1) << (bits - 1 - bit);
  return turned;
}
