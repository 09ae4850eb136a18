import { inflateSync } from 'node:zlib';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { fletcher32 } from './fletcher.ts';
import { unpackLzf } from './lzf.ts';
import type { Message } from './messages.ts';
import type { Hdf5File } from './parts.ts';

const [DEFLATE, SHUFFLE, FLETCHER, LZF] = [1, 2, 3, 32_000];
/** A chunk is held in memory while it is unpacked, and no larger one is. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

/** How a set of data is cut up. */
export interface Cut {
  readonly of: string;
  readonly shape: readonly number[];
  /** As far as it may grow; Infinity: without end. */
  readonly most: readonly number[];
  /** Of a chunk, without that of an element. */
  readonly sizes: readonly number[];
  /** Of a chunk, unpacked. */
  readonly bytes: number;
  /** In the order in which they were applied. */
  readonly filters: readonly number[];
  /** Chunks that reach beyond the data are left as they are. */
  readonly isEdgePlain: boolean;
  readonly span: (at: number, bytes: number) => readonly NumberSpan[];
}

/** One chunk, as its index tells it. */
export interface Chunk {
  readonly at: number;
  /** Null: as long as it is unpacked. */
  readonly stored: number | null;
  /** A bit for each filter that was left out. */
  readonly mask: number;
  /** Of its first element; null: it has no place of its own that would be told. */
  readonly place: readonly number[] | null;
}

/** Each in its place, over nothing else, and as long as it should be when it is unpacked. */
export function readChunks(file: Hdf5File, cut: Cut, chunks: Iterable<Chunk>): NumberSpan[] {
  const { of, bytes, sizes, shape, filters } = cut;
  if (bytes > MAX_CHUNK_BYTES && filters.length > 0) {
    throw new NotLoadable(`${of} have chunks that are larger than Leasehold unpacks`);
  }
  const spans: NumberSpan[] = [];
  const places = new Set<string>();
  for (const { at, stored: told, mask, place } of chunks) {
    if (place !== null) {
      const isPlace = place.every(
        (each, no) => each % (sizes[no] ?? 1) === 0 && each < Math.max(1, shape[no] ?? 0),
      );
      if (!isPlace || places.has(place.join()))
        throw new Damaged(`${of} have a chunk out of place`);
      places.add(place.join());
    }
    const isEdge =
      cut.isEdgePlain &&
      place?.some((each, no) => each + (sizes[no] ?? 0) > (shape[no] ?? 0)) === true;
    const stored = told ?? bytes;
    file.extents.claim(at, stored, `a chunk of ${of}`);
    const applied = isEdge ? [] : filters.filter((_, no) => (mask & (1 << no)) === 0);
    if (applied.length === 0) {
      if (stored !== bytes) throw new Damaged(`a chunk of ${shortOf(of, stored)}`);
      for (const span of cut.span(at, stored)) spans.push(span);
    } else if (unpacked(file.source.read(at, stored), applied, bytes, of) !== bytes) {
      throw new Damaged(`a chunk of ${of} has another size when it is unpacked`);
    }
  }
  return spans;
}

export const shortOf = (of: string, bytes: number): string =>
  `${of} take ${String(bytes)} bytes, which their shape does not fill`;

/** In the order in which they were applied. */
export function readFilters(
  file: Hdf5File,
  message: Message | undefined,
  of: string,
): readonly number[] {
  if (message === undefined) return [];
  const cursor = file.cursor(message.at, message.bytes, of);
  const [version, count] = [cursor.u8(), cursor.u8()];
  if (version !== 1 && version !== 2) throw new Damaged(`${of} are packed in no known way`);
  if (version === 1) cursor.skip(6);
  return Array.from({ length: count }, () => {
    const id = cursor.u16();
    const nameBytes = version === 1 || id >= 256 ? cursor.u16() : 0;
    cursor.skip(2);
    const values = cursor.u16();
    cursor.skip(version === 1 ? Math.ceil(nameBytes / 8) * 8 : nameBytes);
    cursor.skip(4 * (version === 1 ? values + (values % 2) : values));
    if (![DEFLATE, SHUFFLE, FLETCHER, LZF].includes(id)) {
      throw new NotLoadable(`${of} are packed in a way that Leasehold does not unpack`);
    }
    return id;
  });
}

/** How many bytes there are when all that was done to them is undone. */
function unpacked(
  stored: Uint8Array,
  applied: readonly number[],
  most: number,
  of: string,
): number {
  let bytes = stored;
  for (const filter of [...applied].reverse()) {
    if (filter === FLETCHER) {
      const content = bytes.subarray(0, -4);
      if (bytes.length < 4 || fletcher32(content) !== readU32(bytes, content.length)) {
        throw new Damaged(`the checksum of a chunk of ${of} is wrong`);
      }
      bytes = content;
    } else if (filter === DEFLATE) bytes = inflated(bytes, most, of);
    else if (filter === LZF) {
      const found = unpackLzf(bytes, most + 4);
      if (found === null) throw new Damaged(`a chunk of ${of} cannot be unpacked`);
      bytes = found;
    }
  }
  return bytes.length;
}

const readU32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(at, true);

/** A checksum before it was packed may follow, so that it is a little longer than a chunk. */
function inflated(bytes: Uint8Array, most: number, of: string): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: most + 4 });
  } catch {
    throw new Damaged(`a chunk of ${of} cannot be unpacked`);
  }
}
