import { inflateSync } from 'node:zlib';
import { Damaged, notUnpacked } from '../damage.ts';
import { lz4BlockLength } from '../packed/lz4-block.ts';
import { unpackZstd } from '../packed/zstd.ts';

const HEAD_BYTES = 16;
const FLAG = { isCopied: 0x02, isOne: 0x10 };
/** By the three highest bits of the flags; what the others are packed with is not unpacked. */
const [LZ4, ZLIB, ZSTD] = [1, 3, 4];

/** How many bytes a chunk of Blosc unpacks to: its blocks lie within it, and unpack to as many where there is a way. */
export function bloscLength(packed: Uint8Array): number {
  if (packed.length < HEAD_BYTES) throw notUnpacked();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const [flags = 0, typeBytes = 0] = packed.subarray(2);
  const [bytes, blockBytes, packedBytes] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  if (packedBytes !== packed.length || (blockBytes === 0 && bytes > 0)) throw notUnpacked();
  if ((flags & FLAG.isCopied) !== 0) {
    if (bytes + HEAD_BYTES !== packed.length) throw notUnpacked();
    return bytes;
  }
  const blocks = blockBytes === 0 ? 0 : Math.ceil(bytes / blockBytes);
  const firstAt = HEAD_BYTES + 4 * blocks;
  if (firstAt > packed.length) throw notUnpacked();
  for (let no = 0; no < blocks; no += 1) {
    const at = view.getUint32(HEAD_BYTES + 4 * no, true);
    const length = Math.min(blockBytes, bytes - no * blockBytes);
    const isOne = (flags & FLAG.isOne) !== 0 || length < blockBytes;
    if (at < firstAt) throw notUnpacked();
    checkBlock(packed, { at, length, streams: isOne ? 1 : typeBytes, how: flags >> 5 });
  }
  return bytes;
}

interface Block {
  readonly at: number;
  readonly length: number;
  /** It is packed in so many parts of the same length. */
  readonly streams: number;
  readonly how: number;
}

function checkBlock(packed: Uint8Array, { at, length, streams, how }: Block): void {
  const each = length / streams;
  if (!Number.isInteger(each)) throw notUnpacked();
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let [no, from] = [0, at]; no < streams; no += 1) {
    if (from + 4 > packed.length) throw notUnpacked();
    const bytes = view.getInt32(from, true);
    const part = packed.subarray(from + 4, from + 4 + bytes);
    if (bytes < 0 || part.length !== bytes) throw notUnpacked();
    if (bytes !== each && unpackedLength(part, how, each) !== each) throw notUnpacked();
    from += 4 + bytes;
  }
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
