import type { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import type { Chunk, Cut } from './chunks.ts';
import { leavesOf } from './groups.ts';
import { isNowhere, SUM_BYTES, uint, type Hdf5File } from './parts.ts';
import { recordsOf } from './tree-2.ts';

const ADDRESS_BYTES = 8;
/** Of an array or one of its blocks: a mark, a version, who it is for, where its header lies. */
const LEAD_BYTES = 14;
/** Who uses an array: chunks without filters and with. */
const [PLAIN, FILTERED] = [0, 1];
const CHUNK_TREES = [10, 11];
const MAX_BITS = 40;

/** By a tree, as it was before version 1.10; each key is followed by where its chunk lies. */
export function chunksInTree(
  file: Hdf5File,
  at: number,
  halfOfChunks: number,
  { shape, sizes }: Cut,
): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const onKey = (key: Cursor, child: number): void => {
    const [stored, mask] = [key.u32(), key.u32()];
    chunks.push({ at: child, stored, mask, place: shape.map(() => key.u64()) });
  };
  Array.from(leavesOf(file, at, halfOfChunks, 8 + 8 * (sizes.length + 1), onKey));
  return chunks;
}

/** By a tree of the newer kind. */
export function* chunksInTree2(file: Hdf5File, at: number, cut: Cut): Generator<Chunk, void> {
  const isFiltered = cut.filters.length > 0;
  for (const record of recordsOf(file, at, CHUNK_TREES)) {
    const view = new DataView(record.buffer, record.byteOffset, record.length);
    const placeAt = record.length - 8 * cut.sizes.length;
    if (placeAt < (isFiltered ? ADDRESS_BYTES + 5 : ADDRESS_BYTES)) throw new Damaged(OTHER);
    const place = cut.sizes.map(
      (size, no) => Number(view.getBigUint64(placeAt + 8 * no, true)) * size,
    );
    const told = isFiltered
      ? {
          stored: little(record.subarray(ADDRESS_BYTES, placeAt - 4)),
          mask: view.getUint32(placeAt - 4, true),
        }
      : PLAIN_CHUNK;
    yield { at: Number(view.getBigUint64(0, true)), place, ...told };
  }
}

const PLAIN_CHUNK = { stored: null, mask: 0 };
const little = (bytes: Uint8Array): number =>
  bytes.reduceRight((value, byte) => value * 256 + byte, 0);

/** One behind the other, with nothing between them. */
export function* chunksInRow(at: number, cut: Cut): Generator<Chunk, void> {
  const count = mostChunks(cut);
  for (let no = 0; no < count; no += 1) {
    yield { at: at + no * cut.bytes, place: placeOf(no, cut), ...PLAIN_CHUNK };
  }
}

/** How many there may be; those of a set without end are not counted. */
const mostChunks = ({ most, sizes }: Cut): number =>
  most.reduce((product, each, no) => product * Math.ceil(each / (sizes[no] ?? 1)), 1);

/** Of the chunk that has this number, counted row by row; null: beyond the data, or nobody knows. */
function placeOf(no: number, { most, sizes, shape }: Cut): readonly number[] | null {
  if (most.includes(Infinity)) return null;
  const place = new Array<number>(sizes.length).fill(0);
  let rest = no;
  for (let dimension = sizes.length - 1; dimension >= 0; dimension -= 1) {
    const size = sizes[dimension] ?? 1;
    const count = Math.max(1, Math.ceil((most[dimension] ?? 0) / size));
    place[dimension] = (rest % count) * size;
    rest = Math.floor(rest / count);
  }
  return place.every((each, dimension) => each < (shape[dimension] ?? 0)) ? place : null;
}

/** An array of chunks in their order, of which some may not be there. */
interface Elements {
  readonly bytes: number;
  readonly isFiltered: boolean;
}

function readElement(cursor: Cursor, { bytes, isFiltered }: Elements): Omit<Chunk, 'place'> | null {
  const at = cursor.u64();
  const told = isFiltered
    ? { stored: uint(cursor, bytes - ADDRESS_BYTES - 4), mask: cursor.u32() }
    : PLAIN_CHUNK;
  return isNowhere(at) ? null : { at, ...told };
}

function elementsOf(client: number, bytes: number, cut: Cut): Elements {
  const isFiltered = cut.filters.length > 0;
  const least = isFiltered ? ADDRESS_BYTES + 5 : ADDRESS_BYTES;
  const isOf = client === (isFiltered ? FILTERED : PLAIN);
  if (!isOf || bytes < least || bytes > ADDRESS_BYTES + 12) throw new Damaged(OTHER);
  return { bytes, isFiltered };
}

/** By an array that has a place for each chunk. */
export function* chunksInArray(file: Hdf5File, at: number, cut: Cut): Generator<Chunk, void> {
  const what = 'an index of chunks';
  const head = file.summed({ at, bytes: 28, what, mark: 'FAHD' });
  const [version, client, elementBytes, pageBits] = [head.u8(), head.u8(), head.u8(), head.u8()];
  const [count, blockAt] = [head.u64(), head.u64()];
  const elements = elementsOf(client, elementBytes, cut);
  if (version !== 0 || pageBits > MAX_BITS || count !== mostChunks(cut)) throw new Damaged(OTHER);
  if (isNowhere(blockAt)) return;
  const inPage = 2 ** pageBits;
  const pages = count > inPage ? Math.ceil(count / inPage) : 0;
  const bitBytes = Math.ceil(pages / 8);
  const block = file.summed({
    ...{ at: blockAt, what, mark: 'FADB' },
    bytes: LEAD_BYTES + bitBytes + (pages === 0 ? count * elementBytes : 0) + SUM_BYTES,
  });
  checkLead(block, client, at);
  const tell = function* (cursor: Cursor, from: number, to: number): Generator<Chunk, void> {
    for (let no = from; no < to; no += 1) {
      const chunk = readElement(cursor, elements);
      if (chunk !== null) yield { ...chunk, place: placeOf(no, cut) };
    }
  };
  if (pages === 0) return yield* tell(block, 0, count);
  const bits = block.bytes(bitBytes);
  let pageAt = blockAt + LEAD_BYTES + bitBytes + SUM_BYTES;
  for (let page = 0; page < pages; page += 1) {
    const from = page * inPage;
    const to = Math.min(count, from + inPage);
    const bytes = (to - from) * elementBytes + SUM_BYTES;
    if (isSet(bits, page)) {
      yield* tell(file.summed({ at: pageAt, bytes, what, mark: null }), from, to);
    }
    pageAt += bytes;
  }
}

/** The highest bit of a byte comes first. */
const isSet = (bits: Uint8Array, no: number): boolean =>
  ((bits[no >> 3] ?? 0) & (0x80 >> (no & 7))) !== 0;

function checkLead(block: Cursor, client: number, headerAt: number): void {
  if (block.u8() !== 0 || block.u8() !== client || block.u64() !== headerAt) {
    throw new Damaged(OTHER);
  }
}

interface GrowingArray {
  readonly at: number;
  readonly client: number;
  readonly elements: Elements;
  readonly placeBytes: number;
  readonly inPage: number;
}

/** By an array that grows: blocks in groups, each of which has more and longer ones than the one before. */
export function* chunksInGrowing(file: Hdf5File, at: number, cut: Cut): Generator<Chunk, void> {
  const what = 'an index of chunks';
  const head = file.summed({ at, bytes: 72, what, mark: 'EAHD' });
  const [version, client, elementBytes, bits] = [head.u8(), head.u8(), head.u8(), head.u8()];
  const [inIndex, inBlock, leastBlocks, pageBits] = [head.u8(), head.u8(), head.u8(), head.u8()];
  head.skip(8 * 6);
  const indexAt = head.u64();
  const isPower = (value: number): boolean => Number.isInteger(Math.log2(value));
  const isKnown = version === 0 && isPower(inBlock) && isPower(leastBlocks);
  if (!isKnown || bits > 64 || pageBits > MAX_BITS || bits < Math.log2(inBlock)) {
    throw new Damaged(OTHER);
  }
  if (isNowhere(indexAt)) return;
  const array: GrowingArray = {
    ...{ at, client, elements: elementsOf(client, elementBytes, cut), inPage: 2 ** pageBits },
    placeBytes: Math.ceil(bits / 8),
  };
  const groups = 1 + bits - Math.log2(inBlock);
  const groupsInIndex = Math.min(groups, 2 * Math.log2(leastBlocks));
  const blocksInIndex = 2 * (leastBlocks - 1);
  const index = file.summed({
    ...{ at: indexAt, what, mark: 'EAIB' },
    bytes:
      LEAD_BYTES +
      inIndex * elementBytes +
      (blocksInIndex + groups - groupsInIndex) * ADDRESS_BYTES +
      SUM_BYTES,
  });
  checkLead(index, client, at);
  for (let no = 0; no < inIndex; no += 1) {
    const chunk = readElement(index, array.elements);
    if (chunk !== null) yield { ...chunk, place: null };
  }
  const addresses = Array.from({ length: blocksInIndex }, () => index.u64());
  let [from, inRow] = [0, 0];
  for (let group = 0; group < groups; group += 1) {
    const blocks = 2 ** Math.floor(group / 2);
    const count = 2 ** Math.floor((group + 1) / 2) * inBlock;
    if (group < groupsInIndex) {
      for (let no = 0; no < blocks; no += 1, inRow += 1) {
        // The library counts these from the first of all, and not from the first of their group.
        const place = { count, from: from + inRow * count, pages: null };
        yield* blockOf(file, array, addresses[inRow] ?? Infinity, place);
      }
    } else yield* groupOf(file, array, index.u64(), { blocks, count, from });
    from += blocks * count;
  }
}

/** Blocks that one block names, and of each which of its pages were ever written. */
function* groupOf(
  file: Hdf5File,
  array: GrowingArray,
  at: number,
  {
    blocks,
    count,
    from,
  }: { readonly blocks: number; readonly count: number; readonly from: number },
): Generator<Chunk, void> {
  if (isNowhere(at)) return;
  const pages = count > array.inPage ? count / array.inPage : 0;
  const bitBytes = Math.ceil(pages / 8);
  const bytes = LEAD_BYTES + array.placeBytes + blocks * (bitBytes + ADDRESS_BYTES) + SUM_BYTES;
  const block = file.summed({ at, bytes, what: 'an index of chunks', mark: 'EASB' });
  checkLead(block, array.client, array.at);
  if (uint(block, array.placeBytes) !== from) throw new Damaged(OTHER);
  const bits = Array.from({ length: blocks }, () => block.bytes(bitBytes));
  for (const [no, each] of bits.entries()) {
    const place = { count, from: from + no * count, pages: pages === 0 ? null : each };
    yield* blockOf(file, array, block.u64(), place);
  }
}

interface DataBlock {
  readonly count: number;
  readonly from: number;
  /** Null: it is one. */
  readonly pages: Uint8Array | null;
}

function* blockOf(
  file: Hdf5File,
  { at: headerAt, client, elements, placeBytes, inPage }: GrowingArray,
  at: number,
  { count, from, pages }: DataBlock,
): Generator<Chunk, void> {
  if (isNowhere(at)) return;
  const what = 'an index of chunks';
  const bytes = LEAD_BYTES + placeBytes + (pages === null ? count * elements.bytes : 0) + SUM_BYTES;
  const block = file.summed({ at, bytes, what, mark: 'EADB' });
  checkLead(block, client, headerAt);
  if (uint(block, placeBytes) !== from) throw new Damaged(OTHER);
  const tell = function* (cursor: Cursor, most: number): Generator<Chunk, void> {
    for (let no = 0; no < most; no += 1) {
      const chunk = readElement(cursor, elements);
      if (chunk !== null) yield { ...chunk, place: null };
    }
  };
  if (pages === null) return yield* tell(block, count);
  const pageBytes = inPage * elements.bytes + SUM_BYTES;
  for (let page = 0; page < count / inPage; page += 1) {
    if (!isSet(pages, page)) continue;
    const pageAt = at + bytes + page * pageBytes;
    yield* tell(file.summed({ at: pageAt, bytes: pageBytes, what, mark: null }), inPage);
  }
}

const OTHER = 'an index of chunks is not the one that it should be';
