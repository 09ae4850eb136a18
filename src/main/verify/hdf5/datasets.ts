import { inflateSync } from 'node:zlib';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan, NumberType } from '../number-scan.ts';
import { quoted } from '../quoted.ts';
import { fletcher32 } from './fletcher.ts';
import { leavesOf } from './groups.ts';
import { isNowhere, type Hdf5File, type Message } from './parts.ts';

const [SPACE, TYPE, LAYOUT, FILTERS] = [0x01, 0x03, 0x08, 0x0b];
const [DEFLATE, SHUFFLE, FLETCHER] = [1, 2, 3];
const [COMPACT, CONTIGUOUS, CHUNKED] = [0, 1, 2];
const MAX_RANK = 32;
/** A chunk is held in memory while it is unpacked, and no larger one is. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

export interface Dataset {
  readonly numbers: number;
  readonly spans: readonly NumberSpan[];
}

interface Element {
  readonly bytes: number;
  readonly scanned: NumberType | null;
}

/** A set of data: as many bytes as its shape and its type say, in one piece or in chunks, each unpacked. */
export function readDataset(
  file: Hdf5File,
  name: string,
  messages: readonly Message[],
  halfOfChunks: number,
): Dataset {
  const of = `the data ${quoted(name)}`;
  const find = (type: number): Message | undefined => messages.find((each) => each.type === type);
  const [space, type, layout] = [find(SPACE), find(TYPE), find(LAYOUT)];
  if (space === undefined || type === undefined || layout === undefined) {
    throw new Damaged(`${of} are not described`);
  }
  const shape = readShape(file, space);
  if (type.isShared) throw new NotLoadable(`${of} are of a type that lies elsewhere`);
  const element = readElement(file, type);
  const numbers = shape.reduce((product, size) => product * size, 1);
  const bytes = numbers * element.bytes;
  if (!Number.isSafeInteger(bytes)) throw new Damaged(`${of} have a shape beyond all sizes`);
  const span = (at: number, length: number): readonly NumberSpan[] =>
    element.scanned === null || length === 0
      ? []
      : [{ tensor: name, at, bytes: length, type: element.scanned }];
  const cursor = file.cursor(layout.at, layout.bytes, of);
  const [version, kind] = [cursor.u8(), cursor.u8()];
  if (version !== 3) {
    if (version < 1 || version > 4) throw new Damaged(`${of} lie in no known way`);
    throw new NotLoadable(`${of} lie in a way that Leasehold does not look into`);
  }
  if (kind === COMPACT) {
    const said = cursor.u16();
    if (said !== bytes) throw new Damaged(shortOf(of, said));
    cursor.skip(said);
    return { numbers, spans: span(cursor.at - said, said) };
  }
  if (kind === CONTIGUOUS) {
    const [at, said] = [cursor.u64(), cursor.u64()];
    if (isNowhere(at)) return { numbers, spans: [] };
    if (said !== bytes) throw new Damaged(shortOf(of, said));
    file.extents.claim(at, bytes, of);
    return { numbers, spans: span(at, bytes) };
  }
  if (kind !== CHUNKED) throw new Damaged(`${of} lie in no known way`);
  const sides = cursor.u8();
  const at = cursor.u64();
  const sizes = Array.from({ length: Math.min(sides, MAX_RANK + 1) }, () => cursor.u32());
  if (sides !== shape.length + 1 || sizes.at(-1) !== element.bytes) {
    throw new Damaged(`${of} have chunks of another shape`);
  }
  if (isNowhere(at)) return { numbers, spans: [] };
  const chunk = { of, bytes: sizes.reduce((product, size) => product * size, 1), sizes, shape };
  const filters = readFilters(file, find(FILTERS), of);
  return { numbers, spans: readChunks(file, { at, halfOfChunks, chunk, filters, span }) };
}

const shortOf = (of: string, bytes: number): string =>
  `${of} take ${String(bytes)} bytes, which their shape does not fill`;

function readShape(file: Hdf5File, { at, bytes }: Message): readonly number[] {
  const cursor = file.cursor(at, bytes, 'a shape');
  const [version, rank, , type] = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()];
  if ((version !== 1 && version !== 2) || rank > MAX_RANK) throw new Damaged('a shape is none');
  if (version === 1) cursor.skip(4);
  // Of the second version, one that holds nothing at all.
  if (version === 2 && type === 2) return [0];
  return Array.from({ length: rank }, () => cursor.u64());
}

/** By the width of their exponent, in bits: all others are passed over. */
const FLOATS: Readonly<Record<string, NumberType>> = {
  ...{ '2 5': 'f16', '2 8': 'bf16', '4 8': 'f32', '8 11': 'f64' },
};
const FLOAT = 1;
const MAX_CLASS = 12;

function readElement(file: Hdf5File, { at, bytes }: Message): Element {
  const cursor = file.cursor(at, bytes, 'a type');
  const [first, order] = [cursor.u8(), cursor.u8()];
  const [version, kind] = [first >> 4, first & 0x0f];
  if (version < 1 || version > 5 || kind > MAX_CLASS) throw new Damaged('a type is none');
  cursor.skip(2);
  const size = cursor.u32();
  if (size === 0) throw new Damaged('a type is of no size');
  if (kind !== FLOAT) return { bytes: size, scanned: null };
  cursor.skip(5);
  const exponent = cursor.u8();
  const isLittle = (order & 0x41) === 0;
  const scanned = isLittle ? FLOATS[`${String(size)} ${String(exponent)}`] : undefined;
  return { bytes: size, scanned: scanned ?? null };
}

/** In the order in which they were applied. */
function readFilters(file: Hdf5File, message: Message | undefined, of: string): readonly number[] {
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
    if (id !== DEFLATE && id !== SHUFFLE && id !== FLETCHER) {
      throw new NotLoadable(`${of} are packed in a way that Leasehold does not unpack`);
    }
    return id;
  });
}

interface Chunks {
  readonly at: number;
  readonly halfOfChunks: number;
  readonly chunk: {
    readonly of: string;
    readonly bytes: number;
    readonly sizes: readonly number[];
    readonly shape: readonly number[];
  };
  readonly filters: readonly number[];
  readonly span: (at: number, bytes: number) => readonly NumberSpan[];
}

function readChunks(
  file: Hdf5File,
  { at, halfOfChunks, chunk, filters, span }: Chunks,
): readonly NumberSpan[] {
  const { of, bytes, sizes, shape } = chunk;
  if (bytes > MAX_CHUNK_BYTES && filters.length > 0) {
    throw new NotLoadable(`${of} have chunks that are larger than Leasehold unpacks`);
  }
  const spans: NumberSpan[] = [];
  const places = new Set<string>();
  const onKey = (key: { u32(): number; u64(): number }, child: number): void => {
    const [stored, mask] = [key.u32(), key.u32()];
    const place = shape.map(() => key.u64());
    const isPlace = place.every(
      (each, no) => each % (sizes[no] ?? 1) === 0 && each < Math.max(1, shape[no] ?? 0),
    );
    if (!isPlace || places.has(place.join())) throw new Damaged(`${of} have a chunk out of place`);
    places.add(place.join());
    file.extents.claim(child, stored, `a chunk of ${of}`);
    const applied = filters.filter((_, no) => (mask & (1 << no)) === 0);
    if (applied.length === 0) {
      if (stored !== bytes) throw new Damaged(`a chunk of ${shortOf(of, stored)}`);
      spans.push(...span(child, stored));
    } else if (unpacked(file.source.read(child, stored), applied, bytes, of) !== bytes) {
      throw new Damaged(`a chunk of ${of} has another size when it is unpacked`);
    }
  };
  // Each key is followed by where its chunk lies.
  Array.from(leavesOf(file, at, halfOfChunks, 8 + 8 * sizes.length, onKey));
  return spans;
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
