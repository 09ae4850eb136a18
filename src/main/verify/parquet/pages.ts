import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged } from '../damage.ts';
import type { Chunk } from './metadata.ts';
import { readStruct, readWhole, THRIFT, thriftFields, type ThriftField } from './thrift.ts';

// The numbers of the fields are those of `parquet.thrift`.
const PAGE = { kind: 1, bytes: 2, packedBytes: 3, crc: 4 };
const [DATA, INDEX, DICTIONARY, DATA_2] = [0, 1, 2, 3];
/** Of each kind of page, the field that tells of it. */
const HEADER_OF = [5, 6, 7, 8];
const [VALUES, ENCODING, DEFINITION_ENCODING, REPETITION_ENCODING] = [1, 2, 3, 4];
const SECOND = {
  nulls: 2,
  rows: 3,
  encoding: 4,
  definitionBytes: 5,
  repetitionBytes: 6,
  packed: 7,
};
const MAX_ENCODING = 9;
/** Of most headers; more would read the content as well. */
const HEADER_WINDOW_BYTES = 256;

/** A part of a column that is packed alone. */
export interface Page {
  readonly chunk: Chunk;
  /** Where its content begins. */
  readonly at: number;
  readonly bytes: number;
  readonly crc: number | null;
  /** How many bytes at its beginning are never packed. */
  readonly plainBytes: number;
  readonly isPacked: boolean;
  /** With those that are never packed. */
  readonly unpackedBytes: number;
  readonly kind: number;
  readonly values: number;
  readonly encoding: number;
  /** Of how deep values are nested, as the older kind of page tells it. */
  readonly definitionEncoding: number;
  readonly repetitionEncoding: number;
  /** As the newer one does. */
  readonly definitionBytes: number;
  readonly repetitionBytes: number;
}

/** The pages of each of these, in the order of the file: one behind the other, to the end of each. */
export function* pagesOf(source: ByteSource, chunks: readonly Chunk[]): Generator<Page, void> {
  for (const chunk of chunks) yield* pagesOfOne(source, chunk);
}

function* pagesOfOne(source: ByteSource, chunk: Chunk): Generator<Page, void> {
  const end = chunk.at + chunk.bytes;
  const cursor = new Cursor(source, chunk.of, chunk.at, end, HEADER_WINDOW_BYTES);
  let [values, pages] = [0, 0];
  while (cursor.left > 0) {
    const header = readHeader(cursor, chunk.of);
    if (header.kind === DICTIONARY && pages > 0) {
      throw new Damaged(`${chunk.of} has a dictionary behind its values`);
    }
    if (header.kind === DATA || header.kind === DATA_2) values += header.values;
    pages += 1;
    const { at } = cursor;
    cursor.skip(header.bytes);
    yield { ...header, chunk, at };
  }
  if (values !== chunk.values) {
    throw new Damaged(`the pages of ${chunk.of} have another number of values than it has`);
  }
}

type Header = Omit<Page, 'chunk' | 'at'>;

function readHeader(cursor: Cursor, of: string): Header {
  const found = new Map<number, number>();
  const numbers = new Set(Object.values(PAGE));
  const headers = new Map<number, ReadonlyMap<number, number>>();
  for (const field of thriftFields(cursor)) {
    if (numbers.has(field.id)) found.set(field.id, readWhole(cursor, field, THRIFT.i32));
    else if (HEADER_OF.includes(field.id)) headers.set(field.id, readDetails(cursor, field));
  }
  const [kind = -1, unpackedBytes = -1, bytes = -1] = [PAGE.kind, PAGE.bytes, PAGE.packedBytes].map(
    (id) => found.get(id),
  );
  const details = headers.get(HEADER_OF[kind] ?? -1);
  if (details === undefined || headers.size !== 1 || unpackedBytes < 0 || bytes < 0) {
    throw new Damaged(`a page of ${of} is not described`);
  }
  const values = kind === INDEX ? 0 : (details.get(VALUES) ?? -1);
  const levels = kind === DATA_2 ? levelsOf(details) : 0;
  const encoding =
    details.get(kind === DATA_2 ? SECOND.encoding : ENCODING) ?? (kind === INDEX ? 0 : -1);
  const isTold =
    kind !== DATA || (details.has(DEFINITION_ENCODING) && details.has(REPETITION_ENCODING));
  const isOne =
    isTold && values >= 0 && encoding >= 0 && encoding <= MAX_ENCODING && encoding !== 1;
  if (!isOne || levels < 0 || levels > bytes || levels > unpackedBytes) {
    throw new Damaged(`a page of ${of} is described with numbers that cannot be`);
  }
  const crc = found.get(PAGE.crc);
  return {
    ...{ kind, values, encoding, bytes, unpackedBytes, plainBytes: levels },
    definitionEncoding: details.get(DEFINITION_ENCODING) ?? -1,
    repetitionEncoding: details.get(REPETITION_ENCODING) ?? -1,
    definitionBytes: details.get(SECOND.definitionBytes) ?? 0,
    repetitionBytes: details.get(SECOND.repetitionBytes) ?? 0,
    crc: crc === undefined ? null : crc >>> 0,
    isPacked: details.get(SECOND.packed) !== 0,
  };
}

/** Before the values of the newer kind of page: how deep each is nested. Below zero: they are not told. */
function levelsOf(details: ReadonlyMap<number, number>): number {
  const [nulls = -1, rows = -1] = [details.get(SECOND.nulls), details.get(SECOND.rows)];
  const values = details.get(VALUES) ?? -1;
  const [definition = -1, repetition = -1] = [
    details.get(SECOND.definitionBytes),
    details.get(SECOND.repetitionBytes),
  ];
  const isOne = nulls >= 0 && rows >= 0 && nulls <= values && rows <= values;
  return isOne && definition >= 0 && repetition >= 0 ? definition + repetition : -1;
}

/** The numbers of one struct, and its truths as 1 and 0. */
function readDetails(cursor: Cursor, struct: ThriftField): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const field of readStruct(cursor, struct)) {
    if (field.type === THRIFT.true) found.set(field.id, 1);
    else if (field.type === THRIFT.false) found.set(field.id, 0);
    else if (field.type === THRIFT.i32) found.set(field.id, readWhole(cursor, field, THRIFT.i32));
  }
  return found;
}
