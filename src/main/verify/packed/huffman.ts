import { Damaged } from '../damage.ts';
import { BackwardBits } from './backward-bits.ts';
import { BROKEN, FseState, readFseTable } from './fse.ts';

const MAX_BITS = 11;
const [MAX_WEIGHT_LOG, MAX_WEIGHT] = [6, 12];
const MAX_WEIGHTS = 255;

/** For each of the next bits that may come, the symbol and how many of them are its own. */
export interface HuffmanTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
}

/** A table as it is written, and how many bytes it takes. */
export function readHuffmanTable(bytes: Uint8Array): {
  readonly table: HuffmanTable;
  readonly bytes: number;
} {
  const [head = 0] = bytes;
  const packedBytes = head < 128 ? head : Math.ceil((head - 127) / 2);
  const packed = bytes.subarray(1, 1 + packedBytes);
  if (bytes.length === 0 || packed.length < packedBytes) throw new Damaged(BROKEN);
  const weights =
    head < 128
      ? readWeights(packed)
      : Array.from({ length: head - 127 }, (_, no) =>
          no % 2 === 0 ? (packed[no >> 1] ?? 0) >> 4 : (packed[no >> 1] ?? 0) & 15,
        );
  return { table: tableOf(weights), bytes: 1 + packedBytes };
}

/** Two readers take turns, until there are no bits left. */
function readWeights(packed: Uint8Array): number[] {
  const { table, bytes } = readFseTable(packed, MAX_WEIGHT_LOG, MAX_WEIGHT);
  const bits = new BackwardBits(packed.subarray(bytes));
  let [state, other] = [new FseState(table, bits), new FseState(table, bits)];
  const weights: number[] = [];
  if (bits.left < 0) throw new Damaged(BROKEN);
  while (weights.length < MAX_WEIGHTS) {
    weights.push(state.symbol);
    state.next();
    if (bits.left < 0) {
      weights.push(other.symbol);
      return weights;
    }
    [state, other] = [other, state];
  }
  throw new Damaged(BROKEN);
}

/** The weight of the last symbol is what the others leave of a power of two. */
function tableOf(weights: readonly number[]): HuffmanTable {
  const sum = weights.reduce((all, weight) => all + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  if (sum === 0 || sum >= 1 << MAX_BITS || weights.length > MAX_WEIGHTS) throw new Damaged(BROKEN);
  const log = 32 - Math.clz32(sum);
  const rest = (1 << log) - sum;
  if ((rest & (rest - 1)) !== 0) throw new Damaged(BROKEN);
  const all = [...weights, 32 - Math.clz32(rest)];
  const [symbols, bits] = [new Uint8Array(1 << log), new Uint8Array(1 << log)];
  let at = 0;
  for (let weight = 1; weight <= log; weight += 1) {
    for (const [symbol, own] of all.entries()) {
      if (own !== weight) continue;
      const end = at + (1 << (weight - 1));
      symbols.fill(symbol, at, end);
      bits.fill(log + 1 - weight, at, end);
      at = end;
    }
  }
  return { log, symbols, bits };
}

/** One stream of symbols, to its last bit. */
export function unpackHuffman(table: HuffmanTable, packed: Uint8Array, to: Uint8Array): void {
  const bits = new BackwardBits(packed);
  for (let at = 0; at < to.length; at += 1) {
    const next = bits.peek(table.log);
    to[at] = table.symbols[next] ?? 0;
    bits.left -= table.bits[next] ?? 0;
  }
  if (bits.left !== 0) throw new Damaged(BROKEN);
}
