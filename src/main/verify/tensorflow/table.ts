import { maskedCrc32c } from '../../../shared/verify/crc32c.ts';
import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { readVarint } from '../protobuf.ts';

/** Two handles, what fills them up, and the mark that each such table ends with. */
const FOOTER_BYTES = 48;
const MAGIC_LOW = 0x8b80fb57;
const MAGIC_HIGH = 0xdb477524;
/** How it is compressed, and its checksum. */
const TRAILER_BYTES = 5;
/** A writer begins a new block long before. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

export interface TableEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

interface Handle {
  readonly at: number;
  readonly bytes: number;
}

/** Whether a file ends as such a table does. */
export function isTable(source: ByteSource): boolean {
  if (source.sizeBytes < FOOTER_BYTES) return false;
  const cursor = new Cursor(source, 'its end', source.sizeBytes - 8);
  return cursor.u32() === MAGIC_LOW && cursor.u32() === MAGIC_HIGH;
}

/** The entries of a sorted table, as LevelDB has them, in their order: each block with its checksum, and the whole file covered. */
export function* readTable(source: ByteSource): Generator<TableEntry, void> {
  if (!isTable(source)) throw new Damaged('it does not end as a table does');
  const footerAt = source.sizeBytes - FOOTER_BYTES;
  const footer = new Cursor(source, 'its end', footerAt, source.sizeBytes - 8);
  const [meta, index] = [readHandle(footer), readHandle(footer)];
  if (footer.bytes(footer.left).some((byte) => byte !== 0)) throw new Damaged('its end is not one');
  let covered = 0;
  const cover = ({ at, bytes }: Handle): void => {
    if (at !== covered) {
      throw new Damaged(`its blocks do not lie one behind the other, at byte ${String(at)}`);
    }
    covered = at + bytes + TRAILER_BYTES;
  };
  let last: Uint8Array = new Uint8Array(0);
  let isFirst = true;
  for (const { value } of entriesOf(readBlock(source, index, footerAt))) {
    const handle = readHandle(cursorOf(value));
    cover(handle);
    for (const entry of entriesOf(readBlock(source, handle, footerAt))) {
      if (!isFirst && compare(last, entry.key) >= 0) throw new Damaged('its keys are not in order');
      [last, isFirst] = [entry.key, false];
      yield entry;
    }
  }
  cover(meta);
  readBlock(source, meta, footerAt);
  cover(index);
  if (covered !== footerAt) throw new Damaged('bytes before its end belong to nothing');
}

function readHandle(cursor: Cursor): Handle {
  const from = cursor.at;
  const handle = { at: readVarint(cursor), bytes: readVarint(cursor) };
  // No checksum is over those at the end of the file, and a zero more would make the same numbers.
  if (cursor.at - from !== varintBytes(handle.at) + varintBytes(handle.bytes)) {
    throw new Damaged('the place of a block is not written as it is');
  }
  return handle;
}

const varintBytes = (value: number): number =>
  value < 128 ? 1 : 1 + varintBytes(Math.floor(value / 128));

function readBlock(source: ByteSource, { at, bytes }: Handle, end: number): Uint8Array {
  if (at + bytes + TRAILER_BYTES > end) throw new Damaged('a block of it ends behind its end');
  if (bytes > MAX_BLOCK_BYTES)
    throw new NotLoadable('a block of it is longer than Leasehold reads');
  const block = source.read(at, bytes + TRAILER_BYTES);
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  if (view.getUint32(bytes + 1, true) !== maskedCrc32c(block.subarray(0, bytes + 1))) {
    throw new Damaged(`the checksum of the block at byte ${String(at)} is wrong`);
  }
  if (block[bytes] !== 0) throw new NotLoadable('it is compressed');
  return block.subarray(0, bytes);
}

/** Each key is the beginning of the one before it and what is new. */
function* entriesOf(block: Uint8Array): Generator<TableEntry, void> {
  const restarts = block.length < 4 ? -1 : cursorOf(block, block.length - 4).u32();
  const end = block.length - 4 - restarts * 4;
  if (restarts < 0 || end < 0) throw new Damaged('a block of it is shorter than its own list');
  const cursor = cursorOf(block, 0, end);
  let key: Uint8Array = new Uint8Array(0);
  while (cursor.left > 0) {
    const [shared, added, valueBytes] = [
      readVarint(cursor),
      readVarint(cursor),
      readVarint(cursor),
    ];
    if (shared > key.length) throw new Damaged('a key of it goes on from nothing');
    const fresh = cursor.bytes(added);
    const next = new Uint8Array(shared + added);
    next.set(key.subarray(0, shared));
    next.set(fresh, shared);
    key = next;
    yield { key, value: cursor.bytes(valueBytes) };
  }
}

/** Of bytes that are here already. */
export function cursorOf(bytes: Uint8Array, at = 0, end = bytes.length): Cursor {
  const source = {
    sizeBytes: bytes.length,
    read: (from: number, length: number) => bytes.subarray(from, from + length),
  };
  return new Cursor(source, 'a record of it', at, end);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
