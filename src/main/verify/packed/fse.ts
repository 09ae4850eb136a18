import { Damaged } from '../damage.ts';
import type { BackwardBits } from './backward-bits.ts';

export const BROKEN = 'what Zstandard packed in it cannot be unpacked';

/** A table of finite state entropy: for each state its symbol, and how the next state is found. */
export interface FseTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** @param counts Of each symbol, of `2 ** log` together; -1: less than one. */
export function fseTable(log: number, counts: readonly number[]): FseTable {
  const size = 1 << log;
  const [symbols, bits, bases] = [
    new Uint8Array(size),
    new Uint8Array(size),
    new Uint16Array(size),
  ];
  const next = counts.map((count) => (count === -1 ? 1 : count));
  let high = size;
  for (const [symbol, count] of counts.entries()) if (count === -1) symbols[(high -= 1)] = symbol;
  let at = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let no = 0; no < count; no += 1) {
      symbols[at] = symbol;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= high);
    }
  }
  for (let state = 0; state < size; state += 1) {
    const symbol = symbols[state] ?? 0;
    const value = next[symbol] ?? 0;
    next[symbol] = value + 1;
    const width = log - (31 - Math.clz32(value));
    bits[state] = width;
    bases[state] = (value << width) - size;
  }
  return { log, symbols, bits, bases };
}

/** Of one symbol alone. */
export const oneSymbol = (symbol: number): FseTable => ({
  log: 0,
  symbols: Uint8Array.of(symbol),
  bits: Uint8Array.of(0),
  bases: Uint16Array.of(0),
});

/** A table as it is written, and how many bytes it takes. */
export function readFseTable(
  bytes: Uint8Array,
  maxLog: number,
  maxSymbol: number,
): { readonly table: FseTable; readonly bytes: number } {
  let bit = 0;
  const read = (count: number): number => {
    let value = 0;
    for (let no = 0; no < count; no += 1, bit += 1) {
      value |= (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) << no;
    }
    return value;
  };
  const log = read(4) + 5;
  if (log > maxLog) throw new Damaged(BROKEN);
  const counts: number[] = [];
  let left = 1 << log;
  while (left > 0 && bit <= bytes.length * 8) {
    const width = 32 - Math.clz32(left + 1);
    const lower = (1 << (width - 1)) - 1;
    const threshold = (1 << width) - 2 - left;
    let value = read(width);
    if ((value & lower) < threshold) {
      bit -= 1;
      value &= lower;
    } else if (value > lower) value -= threshold;
    left -= value === 0 ? 1 : value - 1;
    counts.push(value - 1);
    if (value !== 1) continue;
    for (let more = 3; more === 3;) {
      more = read(2);
      for (let no = 0; no < more; no += 1) counts.push(0);
      if (counts.length > maxSymbol + 1) throw new Damaged(BROKEN);
    }
  }
  const used = Math.ceil(bit / 8);
  if (left !== 0 || counts.length > maxSymbol + 1 || used > bytes.length) throw new Damaged(BROKEN);
  return { table: fseTable(log, counts), bytes: used };
}

/** One reader of such a table. */
export class FseState {
  readonly #table: FseTable;
  readonly #bits: BackwardBits;
  #state: number;

  constructor(table: FseTable, bits: BackwardBits) {
    this.#table = table;
    this.#bits = bits;
    this.#state = bits.read(table.log);
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] ?? 0;
  }

  next(): void {
    const width = this.#table.bits[this.#state] ?? 0;
    this.#state =
      (this.#table.bases[this.#state] ?? 0) + (width === 0 ? 0 : this.#bits.read(width));
  }
}
