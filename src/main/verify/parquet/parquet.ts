import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { Extents } from '../extents.ts';
import { plural } from '../plural.ts';
import type { Format } from '../reading.ts';
import {
  ENCRYPTED,
  readChunk,
  readMeta,
  readMetadata,
  type Chunk,
  type Metadata,
} from './metadata.ts';
import { PagePass } from './page-pass.ts';
import { pagesOf } from './pages.ts';
import { readWhole, THRIFT, thriftFields } from './thrift.ts';

export const parquet: Format = {
  name: 'parquet',
  ends: /\.(?:parquet|parq|pq)$/i,
  open: (source) => {
    const { rows, columns, groups, chunks } = readTable(source);
    const pass = new PagePass(pagesOf(source, chunks));
    return {
      take: (piece, at) => pass.take(piece, at),
      end: () => {
        if (pass.notUnpacked !== null) throw new NotLoadable(pass.notUnpacked);
        const holds = `${plural(rows, 'row')}, ${plural(columns, 'column')}, ${plural(groups, 'group')} of rows`;
        return { kind: 'loaded', format: 'parquet', holds };
      },
    };
  },
};

const MARK = 'PAR1';
const ENCRYPTED_MARK = 'PARE';
/** A number of 32 bits, the first of a column’s description: its type. */
const META_BEGINS = 0x15;
const ZEROS_BYTES = 64 * 1024;

/** What its end says, against the file: each column within it and over nothing else, in the order in which they lie in it. */
function readTable(source: ByteSource): Metadata {
  const { sizeBytes } = source;
  if (sizeBytes < 12) throw new Damaged('it is shorter than any table');
  const mark = (at: number): string => String.fromCharCode(...source.read(at, 4));
  const [first, last] = [mark(0), mark(sizeBytes - 4)];
  if (first !== MARK && first !== ENCRYPTED_MARK) {
    throw new Damaged('it does not begin as a Parquet file does');
  }
  if (last !== first) throw new Damaged('it does not end as it begins: it is cut off');
  const footBytes = new Cursor(source, 'its end', sizeBytes - 8).u32();
  const footAt = sizeBytes - 8 - footBytes;
  if (footAt < 4) throw new Damaged('its end is longer than it');
  if (first === ENCRYPTED_MARK) throw new NotLoadable(ENCRYPTED);
  const metadata = readMetadata(new Cursor(source, 'its end', footAt, sizeBytes - 8));
  checkPlaces(source, metadata.chunks, footAt);
  return { ...metadata, chunks: [...metadata.chunks].sort((a, b) => a.at - b.at) };
}

function checkPlaces(source: ByteSource, chunks: readonly Chunk[], footAt: number): void {
  const extents = new Extents(footAt);
  extents.claim(0, 4, 'its beginning');
  for (const { of, at, bytes, indexes, bloom } of chunks) {
    extents.claim(at, bytes, of);
    for (const index of indexes) extents.claim(index.at, index.bytes, `the index of ${of}`);
    if (bloom === null) continue;
    const filterBytes = bloom.bytes > 0 ? bloom.bytes : bloomBytes(source, bloom.at, footAt);
    extents.claim(bloom.at, filterBytes, `the filter of ${of}`);
  }
  const byEnd = new Map(chunks.map((chunk) => [chunk.at + chunk.bytes, chunk]));
  extents.checkOverlaps((at, end) => {
    const chunk = byEnd.get(at);
    checkZeros(source, chunk === undefined ? at : behindColumn(source, chunk, end), end);
  });
}

/** Some writers describe each column once more behind it. Where that ends. */
function behindColumn(source: ByteSource, chunk: Chunk, end: number): number {
  const at = chunk.at + chunk.bytes;
  const [first] = source.read(at, 1);
  if (first === 0) return at;
  const cursor = new Cursor(source, `what stands behind ${chunk.of}`, at, end, 1024);
  // Either as it stands at the end of the file, or without what is around it there.
  const again =
    first === META_BEGINS
      ? readMeta(cursor, thriftFields(cursor), chunk.leaf)
      : readChunk(cursor, chunk.leaf);
  if (again.at !== chunk.at || again.bytes !== chunk.bytes || again.values !== chunk.values) {
    throw new Damaged(`${chunk.of} is described in two ways`);
  }
  return cursor.at;
}

/** A filter of a writer that does not say how long it is: how many bytes follow is told before them. */
function bloomBytes(source: ByteSource, at: number, end: number): number {
  const cursor = new Cursor(source, 'a filter', Math.min(at, end), end, 64);
  let bytes = 0;
  for (const field of thriftFields(cursor)) {
    if (field.id === 1) bytes = readWhole(cursor, field, THRIFT.i32);
  }
  if (bytes < 0) throw new Damaged('a filter is of no length');
  return cursor.at - at + bytes;
}

/** Groups of rows may begin where a block of a file system does. */
function checkZeros(source: ByteSource, from: number, end: number): void {
  for (let at = from; at < end; at += ZEROS_BYTES) {
    const bytes = source.read(at, Math.min(ZEROS_BYTES, end - at));
    if (bytes.some((byte) => byte !== 0)) {
      throw new Damaged(`the bytes from ${String(from)} to ${String(end)} belong to nothing`);
    }
  }
}
