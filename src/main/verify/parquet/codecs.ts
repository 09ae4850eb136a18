import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { Damaged, notUnpacked } from '../damage.ts';
import { lz4BlockLength } from '../packed/lz4-block.ts';
import { snappyLength } from '../packed/snappy.ts';
import { unpackZstd } from '../packed/zstd.ts';

interface Codec {
  readonly name: string;
  /** How many bytes it unpacks to, which are put where there is room for so many as were said. Absent: it is not unpacked. */
  readonly unpack?: (packed: Uint8Array, into: Uint8Array) => number;
}

/** By their numbers in `parquet.thrift`. */
export const CODECS: readonly Codec[] = [
  { name: 'nothing' },
  { name: 'Snappy', unpack: snappyLength },
  { name: 'gzip', unpack: byZlib(unzipSync) },
  { name: 'LZO' },
  { name: 'Brotli', unpack: byZlib(brotliDecompressSync) },
  { name: 'LZ4', unpack: unpackLz4Frames },
  { name: 'Zstandard', unpack: byZstd },
  { name: 'LZ4', unpack: unpackLz4 },
];

function byZlib(
  unpack: (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array,
): (packed: Uint8Array, into: Uint8Array) => number {
  return (packed, into) => {
    try {
      const bytes = unpack(packed, { maxOutputLength: Math.max(1, into.length) });
      into.set(bytes.subarray(0, into.length));
      return bytes.length;
    } catch {
      // Longer than it claims, or no such stream.
      throw notUnpacked();
    }
  };
}

function byZstd(packed: Uint8Array, into: Uint8Array): number {
  let at = 0;
  return unpackZstd(packed, into.length, (piece) => {
    into.set(piece, at);
    at += piece.length;
  });
}

function unpackLz4(packed: Uint8Array, into: Uint8Array): number {
  return lz4BlockLength(packed, 0, into);
}

/** The older LZ4 has each block's two sizes before it, as Hadoop writes it; some writers left them out. */
function unpackLz4Frames(packed: Uint8Array, into: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let [at, made] = [0, 0];
  while (at + 8 <= packed.length) {
    const [bytes, packedBytes] = [view.getUint32(at), view.getUint32(at + 4)];
    const end = at + 8 + packedBytes;
    if (end > packed.length || made + bytes > into.length) return unpackLz4(packed, into);
    if (unpackLz4(packed.subarray(at + 8, end), into.subarray(made)) !== bytes) {
      throw new Damaged('what LZ4 packed in it unpacks to another length than it says');
    }
    made += bytes;
    at = end;
  }
  return at === packed.length ? made : unpackLz4(packed, into);
}
