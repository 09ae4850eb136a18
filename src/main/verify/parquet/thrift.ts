import type { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { readVarint } from '../protobuf.ts';

export const THRIFT = {
  true: 1,
  false: 2,
  i32: 5,
  i64: 6,
  binary: 8,
  list: 9,
  struct: 12,
} as const;
const [BYTE, I16, DOUBLE, SET, MAP, UUID] = [3, 4, 7, 10, 11, 13];
/** More than the definition of any format nests. */
const MAX_LEVELS = 24;

/** A field of a struct in the compact form of Thrift. */
export interface ThriftField {
  readonly id: number;
  readonly type: number;
}

/** Each field of a struct once; whoever asks reads the value of the cursor, or leaves it where it is, and it is passed over. */
export function* thriftFields(cursor: Cursor): Generator<ThriftField, void> {
  const known = new Set<number>();
  let id = 0;
  for (let head = cursor.u8(); head !== 0; head = cursor.u8()) {
    const type = head & 0x0f;
    id = head < 0x10 ? readSigned(cursor) : id + (head >> 4);
    if (known.has(id) || type === 0 || type > UUID) {
      throw new Damaged(`at byte ${String(cursor.at)} is no field of a description`);
    }
    known.add(id);
    const { at } = cursor;
    yield { id, type };
    if (cursor.at === at) skipValue(cursor, type, 0);
  }
}

/** A whole number, signed, of just this width: the libraries pass over a field of another one. */
export function readWhole(cursor: Cursor, { type }: ThriftField, width: number): number {
  if (type !== width) throw otherThan(cursor);
  return readSigned(cursor);
}

function readSigned(cursor: Cursor): number {
  const value = readVarint(cursor);
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

export function readText(cursor: Cursor, { type }: ThriftField): string {
  if (type !== THRIFT.binary) throw otherThan(cursor);
  return readLetters(cursor);
}

export function readLetters(cursor: Cursor): string {
  return Buffer.from(cursor.bytes(readVarint(cursor))).toString();
}

/** How many values of this type follow, each of a byte at least. */
export function readList(cursor: Cursor, { type }: ThriftField, of: number): number {
  if (type !== THRIFT.list) throw otherThan(cursor);
  const list = readListHead(cursor);
  if (list.count > 0 && list.type !== of) throw otherThan(cursor);
  return list.count;
}

/** The fields of a struct within one. */
export function readStruct(cursor: Cursor, { type }: ThriftField): Generator<ThriftField, void> {
  if (type !== THRIFT.struct) throw otherThan(cursor);
  return thriftFields(cursor);
}

/** Which fields a struct must have and of what type each is; a list has such structs. Others are passed over. */
export interface Shape {
  readonly needs: Readonly<Record<number, keyof typeof THRIFT | 'truth' | Shape>>;
  /** Fields that it may have. */
  readonly has?: Readonly<Record<number, Shape>>;
}

/** A struct, or each of a list, against what it must have. */
export function checkShape(cursor: Cursor, { type }: ThriftField, shape: Shape): void {
  if (type === THRIFT.struct) return checkStruct(cursor, shape);
  if (type !== THRIFT.list) throw otherThan(cursor);
  const list = readListHead(cursor);
  if (list.count > 0 && list.type !== THRIFT.struct) throw otherThan(cursor);
  for (let no = 0; no < list.count; no += 1) checkStruct(cursor, shape);
}

function checkStruct(cursor: Cursor, { needs, has = {} }: Shape): void {
  let found = 0;
  for (const field of thriftFields(cursor)) {
    const need = needs[field.id];
    const inner = typeof need === 'object' ? need : has[field.id];
    if (inner !== undefined) checkShape(cursor, field, inner);
    if (need === undefined) continue;
    found += 1;
    const isTruth = field.type === THRIFT.true || field.type === THRIFT.false;
    const isNeeded =
      need === 'truth' ? isTruth : typeof need === 'object' || field.type === THRIFT[need];
    if (!isNeeded) throw otherThan(cursor);
  }
  if (found < Object.keys(needs).length) throw otherThan(cursor);
}

const otherThan = (cursor: Cursor): Damaged =>
  new Damaged(`at byte ${String(cursor.at)} something else is described than must be there`);

function readListHead(cursor: Cursor): { readonly count: number; readonly type: number } {
  const head = cursor.u8();
  const count = head >> 4 === 15 ? readVarint(cursor) : head >> 4;
  const type = head & 0x0f;
  if (count > cursor.left || type > UUID) {
    throw new Damaged(`at byte ${String(cursor.at)} is a list that is longer than what it is in`);
  }
  return { count, type };
}

/** @param isInList There a truth takes a byte; in a struct, its type tells it. */
function skipValue(cursor: Cursor, type: number, level: number, isInList = false): void {
  if (level > MAX_LEVELS) throw new NotLoadable('its description is nested deeper than any is');
  switch (type) {
    case THRIFT.true:
    case THRIFT.false:
      return cursor.skip(isInList ? 1 : 0);
    case BYTE:
      return cursor.skip(1);
    case I16:
    case THRIFT.i32:
    case THRIFT.i64:
      readVarint(cursor);
      return;
    case DOUBLE:
      return cursor.skip(8);
    case UUID:
      return cursor.skip(16);
    case THRIFT.binary:
      return cursor.skip(readVarint(cursor));
    case THRIFT.list:
    case SET: {
      const list = readListHead(cursor);
      for (let no = 0; no < list.count; no += 1) skipValue(cursor, list.type, level + 1, true);
      return;
    }
    case MAP: {
      const count = readVarint(cursor);
      const types = count === 0 ? 0 : cursor.u8();
      for (let no = 0; no < count; no += 1) {
        skipValue(cursor, types >> 4, level + 1, true);
        skipValue(cursor, types & 0x0f, level + 1, true);
      }
      return;
    }
    case THRIFT.struct:
      return skipStruct(cursor, level + 1);
    default:
      throw new Damaged(`at byte ${String(cursor.at)} is no value of a description`);
  }
}

function skipStruct(cursor: Cursor, level: number): void {
  for (let head = cursor.u8(); head !== 0; head = cursor.u8()) {
    if (head < 0x10) readVarint(cursor);
    skipValue(cursor, head & 0x0f, level);
  }
}
