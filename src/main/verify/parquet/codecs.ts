import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { Damaged, notUnpacked } from '../damage.ts';
import { lz4BlockLength } from '../packed/lz4-block.ts';
import { snappyLength } from '../packed/snappy.ts';
import { unpackZstd } from '../packed/zstd.ts';

interface Codec {
  readonly name: string;
  /** How many bytes it unpacks to, and no more memory than `most` for them. Absent: it is not unpacked. */
  readonly unpackedLength?: (packed: Uint8Array, most: number) => number;
}

/** By their numbers in `parquet.thrift`. */
export const CODECS: readonly Codec[] = [
  { name: 'nothing' },
  { name: 'Snappy', unpackedLength: snappyLength },
  { name: 'gzip', unpackedLength: byZlib(unzipSync) },
  { name: 'LZO' },
  { name: 'Brotli', unpackedLength: byZlib(brotliDecompressSync) },
  { name: 'LZ4', unpackedLength: lz4FramesLength },
  { name: 'Zstandard', unpackedLength: (packed, most) => unpackZstd(packed, most) },
  { name: 'LZ4', unpackedLength: (packed) => lz4BlockLength(packed) },
];

function byZlib(
  unpack: (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array,
): (packed: Uint8Array, most: number) => number {
  return (packed, most) => {
    try {
      return unpack(packed, { maxOutputLength: Math.max(1, most) }).length;
    } catch {
      // Longer than it claims, or no such stream.
      throw notUnpacked();
    }
  };
}

/** The older LZ4 has each block's two sizes before it, as Hadoop writes it; some writers left them out. */
function lz4FramesLength(packed: Uint8Array, most: number): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  let [at, made] = [0, 0];
  while (at + 8 <= packed.length) {
    const [bytes, packedBytes] = [view.getUint32(at), view.getUint32(at + 4)];
    const end = at + 8 + packedBytes;
    if (end > packed.length || made + bytes > most) return lz4BlockLength(packed);
    if (lz4BlockLength(packed.subarray(at + 8, end)) !== bytes) {
      throw new Damaged('what LZ4 packed in it unpacks to another length than it says');
    }
    made += bytes;
    at = end;
  }
  return at === packed.length ? made : lz4BlockLength(packed);
}
