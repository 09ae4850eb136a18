import type { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { readVarint } from '../protobuf.ts';
import { quoted } from '../quoted.ts';
import { readNotes } from './arrow-columns.ts';
import { readSchema, type Leaf } from './schema.ts';
import {
  checkShape,
  readLetters,
  readList,
  readStruct,
  readWhole,
  THRIFT,
  thriftFields,
  type Shape,
  type ThriftField,
} from './thrift.ts';

// The numbers of the fields are those of `parquet.thrift`.
const FILE = { version: 1, schema: 2, rows: 3, groups: 4, notes: 5, encryption: 8 };
const GROUP = { columns: 1, bytes: 2, rows: 3 };
const CHUNK = {
  path: 1,
  at: 2,
  meta: 3,
  offsets: 4,
  offsetBytes: 5,
  index: 6,
  indexBytes: 7,
  crypto: 8,
};
const META_PATH = 3;
const META_ENCODINGS = 2;
const META_PAGES = 13;
const META_SIZES = 16;
/** Of how many pages of a kind have an encoding. */
const PAGES_OF_ENCODING: Shape = { needs: { 1: 'i32', 2: 'i32', 3: 'i32' } };
/** How often each level comes. */
const SIZES = { repeats: 2, depth: 3 };
/** Those of a column that are numbers. */
const META = {
  ...{ type: 1, codec: 4, values: 5, unpacked: 6, bytes: 7, dataAt: 9, dictionaryAt: 11 },
  ...{ bloomAt: 14, bloomBytes: 15 },
};
const NUMBERS: ReadonlySet<number> = new Set(Object.values(META));
const MAX_CODEC = 7;
export const ENCRYPTED = 'it is encrypted';

/** What a file says of one column within one group of rows. */
export interface Chunk {
  readonly leaf: Leaf;
  /** To begin a clause with. */
  readonly of: string;
  readonly at: number;
  readonly bytes: number;
  readonly codec: number;
  readonly values: number;
  readonly rows: number;
  /** Which group of rows it is of. */
  readonly group: number;
  /** What stands elsewhere in the file to find rows by. */
  readonly indexes: readonly Place[];
  /** Where a filter lies; 0 bytes: it says itself how long it is. */
  readonly bloom: Place | null;
}

export interface Place {
  readonly at: number;
  readonly bytes: number;
}

export interface Metadata {
  readonly rows: number;
  readonly columns: number;
  readonly groups: number;
  readonly chunks: readonly Chunk[];
}

/** What stands at the end of a file: its columns, and where each of them lies. */
export function readMetadata(cursor: Cursor): Metadata {
  let leaves: readonly Leaf[] | null = null;
  let [rows, version] = [-1, -1];
  let groups: { readonly count: number; readonly rows: number } | null = null;
  const chunks: Chunk[] = [];
  for (const field of thriftFields(cursor)) {
    if (field.id === FILE.version) version = readWhole(cursor, field, THRIFT.i32);
    if (field.id === FILE.schema) leaves = readSchema(cursor, field);
    if (field.id === FILE.rows) rows = readWhole(cursor, field, THRIFT.i64);
    if (field.id === FILE.notes) readNotes(cursor, field);
    if (field.id === FILE.encryption) throw new NotLoadable(ENCRYPTED);
    if (field.id === FILE.groups) {
      if (leaves === null) throw new Damaged('its rows stand before its columns');
      groups = readGroups(cursor, field, leaves, chunks);
    }
  }
  if (leaves === null || groups === null || version < 0)
    throw new Damaged('its end describes no table');
  if (rows !== groups.rows) throw new Damaged('its groups have another number of rows than it has');
  if (cursor.left > 0) throw new Damaged('bytes of its end belong to nothing');
  return { rows, columns: leaves.length, groups: groups.count, chunks };
}

function readGroups(
  cursor: Cursor,
  field: ThriftField,
  leaves: readonly Leaf[],
  chunks: Chunk[],
): { readonly count: number; readonly rows: number } {
  const count = readList(cursor, field, THRIFT.struct);
  let all = 0;
  for (let no = 0; no < count; no += 1) {
    const first = chunks.length;
    let [rows, bytes] = [-1, -1];
    for (const part of thriftFields(cursor)) {
      if (part.id === GROUP.bytes) bytes = readWhole(cursor, part, THRIFT.i64);
      if (part.id === GROUP.rows) rows = readWhole(cursor, part, THRIFT.i64);
      if (part.id !== GROUP.columns) continue;
      if (readList(cursor, part, THRIFT.struct) !== leaves.length) {
        throw new Damaged('a group of rows has another number of columns than it has');
      }
      for (const leaf of leaves) chunks.push(readChunk(cursor, leaf));
    }
    if (rows < 0 || bytes < 0 || chunks.length - first !== leaves.length) {
      throw new Damaged('a group of rows is not described');
    }
    for (const [column, leaf] of leaves.entries()) {
      const chunk = chunks[first + column];
      if (chunk === undefined) continue;
      if (leaf.isRepeated ? chunk.values < rows : chunk.values !== rows) {
        throw new Damaged(`${chunk.of} has another number of values than there are rows`);
      }
      chunks[first + column] = { ...chunk, rows, group: no };
    }
    all += rows;
  }
  return { count, rows: all };
}

const columnWords = (leaf: Leaf): string => `the column ${quoted(leaf.path.join('.'))}`;

export function readChunk(cursor: Cursor, leaf: Leaf): Chunk {
  const of = columnWords(leaf);
  const found = new Map<number, number>();
  let meta: ColumnMeta | null = null;
  let isPlaced = false;
  for (const field of thriftFields(cursor)) {
    if (field.id === CHUNK.at) isPlaced = field.type === THRIFT.i64;
    if (field.id === CHUNK.path) throw new NotLoadable('its data lie in other files');
    if (field.id === CHUNK.crypto) throw new NotLoadable(ENCRYPTED);
    if (field.id === CHUNK.meta) meta = readMeta(cursor, readStruct(cursor, field), leaf);
    else if (field.id >= CHUNK.offsets && field.id <= CHUNK.indexBytes) {
      found.set(field.id, readPlace(cursor, field, of));
    }
  }
  if (meta === null || !isPlaced) throw new Damaged(`${of} is not described`);
  const indexes = [
    [CHUNK.offsets, CHUNK.offsetBytes],
    [CHUNK.index, CHUNK.indexBytes],
  ].flatMap(([at = 0, bytes = 0]) =>
    found.has(at) ? [{ at: found.get(at) ?? 0, bytes: found.get(bytes) ?? 0 }] : [],
  );
  return { ...meta, leaf, of, indexes, rows: 0, group: 0 };
}

type ColumnMeta = Pick<Chunk, 'at' | 'bytes' | 'codec' | 'values' | 'bloom'>;

/** @param fields Those that describe a column, wherever they stand. */
export function readMeta(cursor: Cursor, fields: Iterable<ThriftField>, leaf: Leaf): ColumnMeta {
  const of = columnWords(leaf);
  const found = new Map<number, number>();
  let path: readonly string[] | null = null;
  let hasEncodings = false;
  for (const field of fields) {
    if (field.id === META_PATH) path = readPath(cursor, field);
    else if (field.id === META_ENCODINGS) hasEncodings = field.type === THRIFT.list;
    else if (field.id === META_PAGES) checkShape(cursor, field, PAGES_OF_ENCODING);
    else if (field.id === META_SIZES) checkSizes(cursor, field, leaf);
    else if (NUMBERS.has(field.id)) found.set(field.id, readPlace(cursor, field, of));
  }
  const [type, codec, values] = [META.type, META.codec, META.values].map((id) => found.get(id));
  const [bytes, dataAt] = [found.get(META.bytes), found.get(META.dataAt)];
  const dictionaryAt = found.get(META.dictionaryAt) ?? 0;
  const isSame =
    path?.length === leaf.path.length && path.every((each, no) => each === leaf.path[no]);
  if (!hasEncodings || !found.has(META.unpacked)) throw new Damaged(`${of} is not described`);
  if (codec === undefined || values === undefined || bytes === undefined || dataAt === undefined) {
    throw new Damaged(`${of} is not described`);
  }
  if (!isSame || type !== leaf.type || codec > MAX_CODEC) {
    throw new Damaged(`${of} is described in two ways`);
  }
  // Some writers say of what is not there that it stands at 0.
  const at = Math.min(...[dictionaryAt, dataAt].map((each) => (each === 0 ? Infinity : each)));
  if (at === Infinity && bytes > 0) throw new Damaged(`${of} is said to be nowhere`);
  const bloomAt = found.get(META.bloomAt);
  const bloom =
    bloomAt === undefined ? null : { at: bloomAt, bytes: found.get(META.bloomBytes) ?? 0 };
  return { at: at === Infinity ? 0 : at, bytes, codec, values, bloom };
}

/** Of how often each level comes, there is a number for each level or none at all. */
function checkSizes(cursor: Cursor, field: ThriftField, leaf: Leaf): void {
  for (const part of readStruct(cursor, field)) {
    if (part.id !== SIZES.repeats && part.id !== SIZES.depth) continue;
    const levels = (part.id === SIZES.repeats ? leaf.repeats : leaf.depth) + 1;
    const count = readList(cursor, part, THRIFT.i64);
    if (count > 0 && count !== levels) {
      throw new Damaged(`${columnWords(leaf)} is described with another number of levels`);
    }
    for (let no = 0; no < count; no += 1) readVarint(cursor);
  }
}

function readPath(cursor: Cursor, field: ThriftField): readonly string[] {
  const count = readList(cursor, field, THRIFT.binary);
  return Array.from({ length: count }, () => readLetters(cursor));
}

/** Where something lies, or how much there is of it. */
function readPlace(cursor: Cursor, field: ThriftField, of: string): number {
  const value = readWhole(cursor, field, field.type === THRIFT.i32 ? THRIFT.i32 : THRIFT.i64);
  if (value < 0) throw new Damaged(`${of} is described with a number below zero`);
  return value;
}
