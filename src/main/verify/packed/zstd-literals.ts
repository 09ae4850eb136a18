import { Damaged } from '../damage.ts';
import { BROKEN } from './fse.ts';
import { readHuffmanTable, unpackHuffman, type HuffmanTable } from './huffman.ts';

const MAX_LITERALS = 128 * 1024;
const [RAW, ONE, PACKED] = [0, 1, 2];
/** Of a packed section, by its format: how many bytes its head takes, and how many bits each of its two sizes. */
const HEADS = [
  [3, 10],
  [3, 10],
  [4, 14],
  [5, 18],
] as const;

export interface Literals {
  readonly bytes: Uint8Array;
  /** How much of the block it takes. */
  readonly used: number;
  /** The next section may go on with it. */
  readonly table: HuffmanTable | null;
}

/** The letters of a block, of which its sequences are made. */
export function readLiterals(block: Uint8Array, before: HuffmanTable | null): Literals {
  const [first = 0, second = 0, third = 0] = block;
  const [kind, format] = [first & 3, (first >> 2) & 3];
  if (kind !== RAW && kind !== ONE)
    return readPacked(block, kind === PACKED ? null : before, format);
  const headBytes = format === 1 ? 2 : format === 3 ? 3 : 1;
  const length =
    [
      first >> 3,
      (first >> 4) | (second << 4),
      first >> 3,
      (first >> 4) | (second << 4) | (third << 12),
    ][format] ?? 0;
  const used = headBytes + (kind === RAW ? length : 1);
  if (used > block.length || length > MAX_LITERALS) throw new Damaged(BROKEN);
  const bytes =
    kind === RAW
      ? block.subarray(headBytes, used)
      : new Uint8Array(length).fill(block[headBytes] ?? 0);
  return { bytes, used, table: before };
}

/** @param known Of a section that has no table of its own. */
function readPacked(block: Uint8Array, known: HuffmanTable | null, format: number): Literals {
  const isOwn = ((block[0] ?? 0) & 3) === PACKED;
  const [headBytes, bits] = HEADS[format] ?? [0, 0];
  let head = 0;
  for (let no = 0; no < headBytes; no += 1) head += (block[no] ?? 0) * 256 ** no;
  const length = Math.floor(head / 16) % 2 ** bits;
  const packedBytes = Math.floor(head / 2 ** (4 + bits)) % 2 ** bits;
  const used = headBytes + packedBytes;
  if (used > block.length || length > MAX_LITERALS) throw new Damaged(BROKEN);
  let packed = block.subarray(headBytes, used);
  let table = known;
  if (isOwn) {
    const read = readHuffmanTable(packed);
    table = read.table;
    packed = packed.subarray(read.bytes);
  }
  if (table === null) throw new Damaged(BROKEN);
  const bytes = new Uint8Array(length);
  if (format === 0) unpackHuffman(table, packed, bytes);
  else unpackFour(table, packed, bytes);
  return { bytes, used, table };
}

/** The lengths of the first three stand before all. */
function unpackFour(table: HuffmanTable, packed: Uint8Array, to: Uint8Array): void {
  const each = Math.ceil(to.length / 4);
  let [at, made] = [6, 0];
  for (let no = 0; no < 4; no += 1) {
    const told = (packed[2 * no] ?? 0) | ((packed[2 * no + 1] ?? 0) << 8);
    const end = no === 3 ? packed.length : at + told;
    const madeEnd = no === 3 ? to.length : made + each;
    if (at > end || end > packed.length || madeEnd > to.length) throw new Damaged(BROKEN);
    unpackHuffman(table, packed.subarray(at, end), to.subarray(made, madeEnd));
    [at, made] = [end, madeEnd];
  }
}
