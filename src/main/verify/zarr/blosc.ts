import { inflateSync } from 'node:zlib';
import { Damaged, notUnpacked } from '../damage.ts';
import { lz4BlockLength } from '../packed/lz4-block.ts';
import { unpackZstd } from '../packed/zstd.ts';

const HEAD_BYTES = 16;
const FLAG = { isCopied: 0x02, isOne: 0x10 };
/** By the three highest bits of the flags; what the others are packed with is not unpacked. */
const [LZ4, ZLIB, ZSTD] = [1, 3, 4];

export interface BloscChunk {
  /** What it unpacks to. */
  readonly bytes: number;
  /** All of it was unpacked, and not only found to be as long as it says. */
  readonly isUnpacked: boolean;
}

/**
 * A chunk of Blosc: its blocks lie within it and over no other, and each unpacks to as many bytes as it should.
 *
 * @param most One that would become more is not looked into.
 */
export function readBlosc(packed: Uint8Array, most: number): BloscChunk {
  if (packed.length < HEAD_BYTES) throw notUnpacked();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const [flags = 0, typeBytes = 0] = packed.subarray(2);
  const [bytes, blockBytes, packedBytes] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  if (packedBytes !== packed.length || (blockBytes === 0 && bytes > 0)) throw notUnpacked();
  // A head of sixteen bytes may claim four GiB.
  if (bytes > most) return { bytes, isUnpacked: false };
  if ((flags & FLAG.isCopied) !== 0) {
    if (bytes + HEAD_BYTES !== packed.length) throw notUnpacked();
    return { bytes, isUnpacked: true };
  }
  const blocks = blockBytes === 0 ? 0 : Math.ceil(bytes / blockBytes);
  const firstAt = HEAD_BYTES + 4 * blocks;
  if (firstAt > packed.length) throw notUnpacked();
  const how = flags >> 5;
  let left = packed.length - firstAt;
  for (let no = 0; no < blocks; no += 1) {
    const at = view.getUint32(HEAD_BYTES + 4 * no, true);
    const length = Math.min(blockBytes, bytes - no * blockBytes);
    const isOne = (flags & FLAG.isOne) !== 0 || length < blockBytes;
    if (at < firstAt) throw notUnpacked();
    left -= checkBlock(packed, { at, length, streams: isOne ? 1 : typeBytes, how, left });
  }
  return { bytes, isUnpacked: blocks === 0 || [LZ4, ZLIB, ZSTD].includes(how) };
}

interface Block {
  readonly at: number;
  readonly length: number;
  /** It is packed in so many parts of the same length. */
  readonly streams: number;
  readonly how: number;
  /** What the blocks before it have left: they come in any order, and none lies over another. */
  readonly left: number;
}

/** How many bytes it takes. */
function checkBlock(packed: Uint8Array, { at, length, streams, how, left }: Block): number {
  const each = length / streams;
  if (!Number.isInteger(each)) throw notUnpacked();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let from = at;
  for (let no = 0; no < streams; no += 1) {
    if (from + 4 > packed.length) throw notUnpacked();
    const bytes = view.getInt32(from, true);
    const part = packed.subarray(from + 4, from + 4 + bytes);
    if (bytes < 0 || part.length !== bytes) throw notUnpacked();
    from += 4 + bytes;
    if (from - at > left) throw notUnpacked();
    if (bytes !== each && unpackedLength(part, how, each) !== each) throw notUnpacked();
  }
  return from - at;
}

function unpackedLength(part: Uint8Array, how: number, most: number): number {
  if (how === LZ4) return lz4BlockLength(part);
  if (how === ZSTD) return unpackZstd(part, most);
  if (how !== ZLIB) return most;
  try {
    return inflateSync(part, { maxOutputLength: Math.max(1, most) }).length;
  } catch {
    throw new Damaged('what zlib packed in it cannot be unpacked');
  }
}
