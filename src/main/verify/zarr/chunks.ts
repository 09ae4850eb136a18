import { gunzipSync, inflateSync } from 'node:zlib';
import { Crc32c } from '../../../shared/verify/crc32c.ts';
import { partOf, type ByteSource } from '../byte-source.ts';
import { Damaged, notUnpacked } from '../damage.ts';
import { Extents } from '../extents.ts';
import { lz4BlockLength } from '../packed/lz4-block.ts';
import { unpackZstd, unpackZstdOf } from '../packed/zstd.ts';
import type { Packing, Sharding, ZarrArray } from './array-metadata.ts';
import { readBlosc } from './blosc.ts';

/** A chunk is held in memory while it is unpacked, and no larger one is. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;
const MAX_INNER_CHUNKS = 100_000;
const SUM_BYTES = 4;
const ENTRY_BYTES = 16;
/** No chunk. */
const EMPTY = 2n ** 64n - 1n;

/** How far a chunk was looked at: all of it, or no further than how it is packed allows. */
export type Looked = 'unpacked' | 'not unpacked';

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** One chunk of an array, which is a shard where it has such. */
export function checkChunk(source: ByteSource, array: ZarrArray): Looked {
  const { sharding, elementBytes, chunk, packing } = array;
  if (sharding === null) {
    const bytes = elementBytes === null ? null : product(chunk) * elementBytes;
    return checkPacked(source, packing, bytes);
  }
  // A shard that is packed as a whole is one that nobody can read a part of.
  if (packing.length > 0) return 'not unpacked';
  return checkShard(source, array, sharding);
}

/** Its index against its checksum, and each of its chunks within it and over no other. */
function checkShard(source: ByteSource, array: ZarrArray, sharding: Sharding): Looked {
  const inner = array.chunk.map((size, no) => size / (sharding.chunk[no] ?? 0));
  const count = product(inner);
  if (!inner.every(Number.isInteger) || sharding.chunk.length !== array.chunk.length) {
    throw new Damaged('its shards are not made up of its chunks');
  }
  if (count > MAX_INNER_CHUNKS) return 'not unpacked';
  const indexBytes = count * ENTRY_BYTES + (sharding.hasSum ? SUM_BYTES : 0);
  if (indexBytes > source.sizeBytes) throw new Damaged('it is shorter than its index');
  const indexAt = sharding.isIndexFirst ? 0 : source.sizeBytes - indexBytes;
  const index = Buffer.from(source.read(indexAt, indexBytes));
  if (sharding.hasSum) checkSum(index);
  const extents = new Extents(source.sizeBytes);
  extents.claim(indexAt, indexBytes, 'its index');
  const { elementBytes } = array;
  const bytes = elementBytes === null ? null : product(sharding.chunk) * elementBytes;
  const looks = new Set<Looked>();
  for (let no = 0; no < count; no += 1) {
    const [at, length] = [0, 8].map((from) => index.readBigUInt64LE(no * ENTRY_BYTES + from));
    if (at === EMPTY && length === EMPTY) continue;
    extents.claim(Number(at), Number(length), 'a chunk of it');
    looks.add(checkPacked(partOf(source, Number(at), Number(length)), sharding.packing, bytes));
  }
  extents.checkOverlaps();
  return looks.has('not unpacked') ? 'not unpacked' : 'unpacked';
}

/** @param bytes What it unpacks to; null: nobody knows. */
function checkPacked(
  source: ByteSource,
  packing: readonly Packing[],
  bytes: number | null,
): Looked {
  const [first] = packing;
  if (first === undefined) {
    if (bytes === null) return 'not unpacked';
    if (source.sizeBytes !== bytes) throw unfilled(source.sizeBytes);
    return 'unpacked';
  }
  const most = bytes ?? MAX_CHUNK_BYTES;
  if (packing.length === 1 && first.kind === 'zstd' && bytes !== null) {
    if (unpackZstdOf(source, most) !== bytes) throw unfilled(most);
    return 'unpacked';
  }
  if (source.sizeBytes > MAX_CHUNK_BYTES || most > MAX_CHUNK_BYTES) return 'not unpacked';
  let content = source.read(0, source.sizeBytes);
  for (const [no, { kind }] of [...packing.entries()].reverse()) {
    if (kind === 'unknown') return 'not unpacked';
    if (kind === 'crc32c') {
      checkSum(content);
      content = content.subarray(0, -SUM_BYTES);
    } else if (kind === 'blosc' || kind === 'lz4') {
      const found =
        kind === 'blosc'
          ? readBlosc(content, MAX_CHUNK_BYTES)
          : { bytes: lz4Length(content), isUnpacked: true };
      // What it makes is not held, so that nothing before it in the list can be undone.
      if (no > 0) return 'not unpacked';
      if (bytes !== null && found.bytes !== bytes) throw unfilled(found.bytes);
      return found.isUnpacked ? 'unpacked' : 'not unpacked';
    } else content = unpacked(content, kind, most + SUM_BYTES * packing.length);
  }
  if (bytes !== null && content.length !== bytes) throw unfilled(content.length);
  return 'unpacked';
}

const unfilled = (bytes: number): Damaged =>
  new Damaged(`it is of ${String(bytes)} bytes, which the shape of a chunk does not fill`);

function checkSum(bytes: Uint8Array): void {
  const content = bytes.subarray(0, -SUM_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (
    bytes.length < SUM_BYTES ||
    new Crc32c().add(content).value !== view.getUint32(content.length, true)
  ) {
    throw new Damaged('its checksum is wrong');
  }
}

/** Its length, and a block. */
function lz4Length(bytes: Uint8Array): number {
  if (bytes.length < 4) throw notUnpacked();
  const said = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (lz4BlockLength(bytes.subarray(4)) !== said) throw notUnpacked();
  return said;
}

function unpacked(bytes: Uint8Array, kind: 'gzip' | 'zlib' | 'zstd', most: number): Uint8Array {
  if (kind === 'zstd') {
    const pieces: Uint8Array[] = [];
    unpackZstd(bytes, most, (piece) => pieces.push(piece.slice()));
    return Buffer.concat(pieces);
  }
  try {
    const options = { maxOutputLength: Math.max(1, most) };
    return kind === 'gzip' ? gunzipSync(bytes, options) : inflateSync(bytes, options);
  } catch {
    throw notUnpacked();
  }
}
