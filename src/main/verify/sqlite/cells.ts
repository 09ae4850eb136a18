import { Damaged } from '../damage.ts';

export type Key = number | bigint;

/** A row, or what leads to other pages. */
export interface Cell {
  /** Null: it is of a leaf. */
  readonly child: number | null;
  /** Of a table; an index has none. */
  readonly key: Key | null;
  /** Null: a table’s inner pages have keys alone. */
  readonly payload: Payload | null;
}

export interface Payload {
  readonly bytes: number;
  /** What of it stands in the page itself. */
  readonly local: Buffer;
  /** Where the rest is; 0: there is none. */
  readonly restAt: number;
}

export interface BtreePage {
  readonly isLeaf: boolean;
  readonly isTable: boolean;
  readonly cells: readonly Cell[];
  /** What is behind all cells; null: it is a leaf. */
  readonly last: number | null;
}

const [INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE] = [2, 5, 10, 13];
const MIN_CELL_BYTES = 4;

/** A page of a tree: each cell and each free part in its own place, and as many bytes between them as it says. */
export function readBtreePage(page: Buffer, headerAt: number, of: string): BtreePage {
  const kind = page[headerAt] ?? 0;
  const isLeaf = kind === LEAF_INDEX || kind === LEAF_TABLE;
  const isTable = kind === INNER_TABLE || kind === LEAF_TABLE;
  if (!isLeaf && !isTable && kind !== INNER_INDEX) throw new Damaged(`${of} has a page of no kind`);
  const count = page.readUInt16BE(headerAt + 3);
  const contentAt = page.readUInt16BE(headerAt + 5) || 65_536;
  const cellsAt = headerAt + (isLeaf ? 8 : 12);
  if (cellsAt + 2 * count > contentAt || contentAt > page.length) {
    throw new Damaged(`${of} has a page with more rows than there is room for`);
  }
  const parts: Part[] = freeParts(page, page.readUInt16BE(headerAt + 1), of);
  const cells: Cell[] = [];
  for (let no = 0; no < count; no += 1) {
    const at = page.readUInt16BE(cellsAt + 2 * no);
    const { cell, end } = readCell(page, at, isLeaf, isTable, of);
    parts.push({ at, end: Math.max(end, at + MIN_CELL_BYTES) });
    cells.push(cell);
  }
  checkParts(parts, { from: contentAt, end: page.length, loose: page[headerAt + 7] ?? 0 }, of);
  return { isLeaf, isTable, cells, last: isLeaf ? null : page.readUInt32BE(headerAt + 8) };
}

interface Part {
  readonly at: number;
  readonly end: number;
}

/** A list through the page, in its order. */
function freeParts(page: Buffer, firstAt: number, of: string): Part[] {
  const parts: Part[] = [];
  for (let at = firstAt; at !== 0;) {
    if (at + 4 > page.length) throw new Damaged(`${of} has free room behind its page`);
    const end = at + page.readUInt16BE(at + 2);
    const next = page.readUInt16BE(at);
    if (end < at + 4 || (next !== 0 && next < end)) {
      throw new Damaged(`${of} has free room that overlaps`);
    }
    parts.push({ at, end });
    at = next;
  }
  return parts;
}

function checkParts(
  parts: Part[],
  { from, end, loose }: { readonly from: number; readonly end: number; readonly loose: number },
  of: string,
): void {
  parts.sort((a, b) => a.at - b.at);
  let [covered, between] = [from, 0];
  for (const part of parts) {
    if (part.at < covered) throw new Damaged(`${of} has rows that overlap`);
    between += part.at - covered;
    covered = part.end;
  }
  between += end - covered;
  if (covered > end || between !== loose) {
    throw new Damaged(`${of} has a page with another number of free bytes than it says`);
  }
}

function readCell(
  page: Buffer,
  from: number,
  isLeaf: boolean,
  isTable: boolean,
  of: string,
): { readonly cell: Cell; readonly end: number } {
  let at = from;
  const u32 = (): number => {
    if (at + 4 > page.length) throw new Damaged(`${of} has a row behind its page`);
    at += 4;
    return page.readUInt32BE(at - 4);
  };
  const varint = (): Key => {
    const read = readVarint(page, at);
    if (read === null) throw new Damaged(`${of} has a row behind its page`);
    at = read.end;
    return read.value;
  };
  const child = isLeaf ? null : u32();
  if (isTable && !isLeaf) {
    const key = varint();
    return { cell: { child, key, payload: null }, end: at };
  }
  const bytes = Number(varint());
  const key = isTable ? varint() : null;
  const localBytes = localOf(page.length, bytes, isTable);
  if (bytes < 0 || localBytes > page.length - at) {
    throw new Damaged(`${of} has a row that is longer than its page`);
  }
  const local = page.subarray(at, at + localBytes);
  at += localBytes;
  const restAt = localBytes < bytes ? u32() : 0;
  return { cell: { child, key, payload: { bytes, local, restAt } }, end: at };
}

/** How much of a row stands in its page, as the format has it. */
function localOf(usable: number, bytes: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (bytes <= most) return bytes;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const even = least + ((bytes - least) % (usable - 4));
  return even <= most ? even : least;
}

/** Seven bits a byte, the most significant first, and eight of the ninth. Null: it is cut off. */
export function readVarint(
  bytes: Uint8Array,
  at: number,
): { readonly value: Key; readonly end: number } | null {
  let value = 0;
  for (let no = 0; no < 8; no += 1) {
    const byte = bytes[at + no];
    if (byte === undefined) return null;
    // Beyond the exact numbers only what is nine bytes long can be.
    if (no === 7 && byte >= 0x80) break;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + no + 1 };
  }
  const last = bytes[at + 8];
  if (last === undefined) return null;
  let all = 0n;
  for (let no = 0; no < 8; no += 1) all = (all << 7n) | BigInt((bytes[at + no] ?? 0) & 0x7f);
  return { value: BigInt.asIntN(64, (all << 8n) | BigInt(last)), end: at + 9 };
}
