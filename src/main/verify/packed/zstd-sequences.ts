import { Damaged } from '../damage.ts';
import { BackwardBits } from './backward-bits.ts';
import { BROKEN, FseState, fseTable, oneSymbol, readFseTable, type FseTable } from './fse.ts';

/**
 * Of each its letters as they are, how much of what has been before follows, and how far back that is or which of the places that were used
 * last: one behind the other in one row, since a block may have some ten thousand of them.
 */
export type SequenceRow = Uint32Array;
export const IN_ROW = 3;

/** The tables of the block before, which the next may go on with. */
export interface SequenceTables {
  readonly literals: FseTable;
  readonly offsets: FseTable;
  readonly lengths: FseTable;
}

const times = (count: number, value: number): readonly number[] =>
  new Array<number>(count).fill(value);

/** From what number each code counts, and how many bits it adds. */
interface Codes {
  readonly from: Uint32Array;
  readonly bits: Uint8Array;
}

function codesOf(plain: number, from: number, bits: readonly number[]): Codes {
  const all = [...times(plain, 0), ...bits];
  let next = from;
  const starts = all.map((width) => (next += 1 << width) - (1 << width));
  return { from: Uint32Array.from(starts), bits: Uint8Array.from(all) };
}

const LITERALS = codesOf(
  16,
  0,
  [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
const LENGTHS = codesOf(
  32,
  3,
  [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
const MAX_OFFSET_CODE = 31;

/** The tables that are used where none is written. */
const FIXED: SequenceTables = {
  literals: fseTable(6, [
    4,
    3,
    ...times(11, 2),
    1,
    1,
    1,
    ...times(9, 2),
    3,
    2,
    ...times(5, 1),
    ...times(4, -1),
  ]),
  offsets: fseTable(5, [...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)]),
  lengths: fseTable(6, [1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)]),
};

export interface Sequences {
  readonly sequences: SequenceRow;
  readonly tables: SequenceTables | null;
}

/** What follows the letters of a block, to its end. */
export function readSequences(bytes: Uint8Array, before: SequenceTables | null): Sequences {
  const [first = 0, second = 0, third = 0] = bytes;
  if (bytes.length === 0) throw new Damaged(BROKEN);
  if (first === 0) {
    if (bytes.length > 1) throw new Damaged(BROKEN);
    return { sequences: new Uint32Array(0), tables: before };
  }
  const headBytes = first < 128 ? 1 : first < 255 ? 2 : 3;
  const count =
    first < 128
      ? first
      : first < 255
        ? ((first - 128) << 8) + second
        : second + (third << 8) + 0x7f00;
  const modes = bytes[headBytes] ?? 3;
  if ((modes & 3) !== 0) throw new Damaged(BROKEN);
  let at = headBytes + 1;
  const table = (
    shift: number,
    kind: keyof SequenceTables,
    maxLog: number,
    max: number,
  ): FseTable => {
    const mode = (modes >> shift) & 3;
    if (mode === 0) return FIXED[kind];
    if (mode === 3) {
      if (before === null) throw new Damaged(BROKEN);
      return before[kind];
    }
    if (mode === 1) {
      const symbol = bytes[at] ?? Infinity;
      at += 1;
      if (symbol > max) throw new Damaged(BROKEN);
      return oneSymbol(symbol);
    }
    const read = readFseTable(bytes.subarray(at), maxLog, max);
    at += read.bytes;
    return read.table;
  };
  const literals = table(6, 'literals', 9, LITERALS.bits.length - 1);
  const offsets = table(4, 'offsets', 8, MAX_OFFSET_CODE);
  const lengths = table(2, 'lengths', 9, LENGTHS.bits.length - 1);
  const tables = { literals, offsets, lengths };
  return { sequences: unpack(bytes.subarray(at), count, tables), tables };
}

function unpack(bytes: Uint8Array, count: number, tables: SequenceTables): SequenceRow {
  const bits = new BackwardBits(bytes);
  const literals = new FseState(tables.literals, bits);
  const offsets = new FseState(tables.offsets, bits);
  const lengths = new FseState(tables.lengths, bits);
  const value = (codes: Codes, code: number): number => {
    const width = codes.bits[code] ?? 0;
    return (codes.from[code] ?? 0) + (width === 0 ? 0 : bits.read(width));
  };
  const sequences = new Uint32Array(count * IN_ROW);
  for (let no = 0; no < count; no += 1) {
    const code = offsets.symbol;
    const at = no * IN_ROW;
    sequences[at + 2] = code === 0 ? 1 : 2 ** code + bits.read(code);
    sequences[at + 1] = value(LENGTHS, lengths.symbol);
    sequences[at] = value(LITERALS, literals.symbol);
    if (bits.left < 0) throw new Damaged(BROKEN);
    if (no === count - 1) break;
    literals.next();
    lengths.next();
    offsets.next();
  }
  if (bits.left !== 0) throw new Damaged(BROKEN);
  return sequences;
}
