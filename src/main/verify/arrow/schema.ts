import { Damaged, NotLoadable } from '../damage.ts';
import { quoted } from '../quoted.ts';
import type { FlatTable } from './flatbuffer.ts';

// The numbers of fields and types are those of `Schema.fbs`.
const FIELD = { name: 0, nullable: 1, type: 2, details: 3, dictionary: 4, children: 5 };
const [STRUCT, UNION, FIXED_LIST, MAP] = [13, 14, 16, 17];
const MAX_LEVELS = 64;
/** Each takes memory; a buffer may name one many times. */
const MAX_COLUMNS = 100_000;

/** What one part of a column is for: so many bytes each, or something of a length that the file does not tell twice. */
export type Part = { readonly kind: 'valid' | 'bits' | 'bytes' | 'more' } | FixedPart;

/** As many as there are values, and `extra` more. */
export interface FixedPart {
  readonly kind: 'fixed';
  readonly width: number;
  readonly extra: number;
  /** What its numbers lead into; absent: they are values. */
  readonly leads?: 'bytes' | 'text' | 'child' | 'views' | 'text views' | 'list' | 'spans' | 'kinds';
  /** Of times of a day: so many are in one. */
  readonly inDay?: number;
  /** Only of those that lead into a list. */
  readonly isSigned?: boolean;
}

/** A column or what is nested in it. */
export interface Column {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly children: readonly Column[];
  /** How many values each of its own has in what is nested in it; absent: its parts tell. */
  readonly each?: number;
  /** Of one that is of several kinds: the number of each kind. */
  readonly kinds?: readonly number[];
  /** The list of values that its numbers lead into; absent: it has its own values. */
  readonly list?: number;
}

export interface Schema {
  readonly columns: readonly Column[];
  /** Of each list of values: what lies in it. */
  readonly dictionaries: ReadonlyMap<number, Column>;
}

/** @param hasOldUnions Before the fifth version, a union has one part more. */
export function readSchema(table: FlatTable, hasOldUnions: boolean): Schema {
  if (table.i16(0) !== 0) throw new NotLoadable('its numbers are written with the other end first');
  const dictionaries = new Map<number, Column>();
  let left = MAX_COLUMNS;
  const read = (field: FlatTable, parent: string, level: number): Column => {
    left -= 1;
    if (left < 0 || level > MAX_LEVELS) {
      throw new NotLoadable('it has more columns than Leasehold looks at');
    }
    const name = parent + field.text(FIELD.name);
    const children = Array.from(field.tables(FIELD.children), (child) =>
      read(child, level < 3 ? `${name}.` : '', level + 1),
    );
    const column = { name, children, parts: layoutOf(field, name), ...nestingOf(field) };
    checkChildren(field.u8(FIELD.type), column);
    if (field.u8(FIELD.type) === MAP && !hasKeys(field)) {
      throw new Damaged(`the column ${quoted(name)} has keys that may be missing`);
    }
    if (hasOldUnions && field.u8(FIELD.type) === UNION) {
      throw new NotLoadable('it has a union as older versions wrote it');
    }
    const encoding = field.table(FIELD.dictionary);
    if (encoding === null) return column;
    const list = encoding.i64(0);
    dictionaries.set(list, column);
    const index = encoding.table(1);
    const width = wholeWidth(index?.i32(0) ?? 32, name);
    const isSigned = index === null || index.u8(1) !== 0;
    const parts: readonly Part[] = [VALID, { ...fixed(width), leads: 'list', isSigned }];
    return { name, parts, children: [], list };
  };
  if (!table.has(1)) throw new Damaged('it has no list of its columns');
  const columns = Array.from(table.tables(1), (field) => read(field, '', 0));
  return { columns, dictionaries };
}

const VALID: Part = { kind: 'valid' };
const BYTES: Part = { kind: 'bytes' };
const fixed = (width: number): FixedPart => ({ kind: 'fixed', width, extra: 0 });
const offsets = (width: number, leads: 'bytes' | 'text' | 'child'): Part => ({
  ...{ kind: 'fixed', width, extra: 1, leads },
});

/** By their units: seconds, and a thousandth of the one before. */
const IN_DAY: readonly number[] = [86_400, 86_400e3, 86_400e6, 86_400e9];

function layoutOf(field: FlatTable, name: string): readonly Part[] {
  const details = field.table(FIELD.details);
  const number = (no: number, otherwise: number): number =>
    details?.i32(no, otherwise) ?? otherwise;
  switch (field.u8(FIELD.type)) {
    case 1: // Null
    case 22: // RunEndEncoded
      return [];
    case 2: // Int
      return [VALID, fixed(wholeWidth(number(0, 0), name))];
    case 3: // FloatingPoint, of half, single or double width
      return [VALID, fixed(2 << (details?.i16(0) ?? 0))];
    case 4: // Binary
      return [VALID, offsets(4, 'bytes'), BYTES];
    case 5: // Utf8
      return [VALID, offsets(4, 'text'), BYTES];
    case 6: // Bool
      return [VALID, { kind: 'bits' }];
    case 7: // Decimal
      return [VALID, fixed(number(2, 128) / 8)];
    case 8: // Date, in days or milliseconds
      return [VALID, fixed((details?.i16(0, 1) ?? 1) === 0 ? 4 : 8)];
    case 9: // Time
      return [VALID, { ...fixed(number(1, 32) / 8), inDay: IN_DAY[details?.i16(0, 1) ?? 1] ?? 0 }];
    case 10: // Timestamp
    case 18: // Duration
      return [VALID, fixed(8)];
    case 11: // Interval
      return [VALID, fixed(4 << (details?.i16(0) ?? 0))];
    case 12: // List
    case 17: // Map
      return [VALID, offsets(4, 'child')];
    case 13: // Struct
    case 16: // FixedSizeList
      return [VALID];
    case UNION: // Union, whose values lie as deep as the others or packed
      return (details?.i16(0) ?? 0) === 0
        ? [{ ...fixed(1), leads: 'kinds' }]
        : [{ ...fixed(1), leads: 'kinds' }, fixed(4)];
    case 15: // FixedSizeBinary
      return [VALID, fixed(number(0, 0))];
    case 19: // LargeBinary
      return [VALID, offsets(8, 'bytes'), BYTES];
    case 20: // LargeUtf8
      return [VALID, offsets(8, 'text'), BYTES];
    case 21: // LargeList
      return [VALID, offsets(8, 'child')];
    case 23: // BinaryView
      return [VALID, { ...fixed(16), leads: 'views' }, { kind: 'more' }];
    case 24: // Utf8View
      return [VALID, { ...fixed(16), leads: 'text views' }, { kind: 'more' }];
    case 25: // ListView
      return [VALID, { ...fixed(4), leads: 'spans' }, fixed(4)];
    case 26: // LargeListView
      return [VALID, { ...fixed(8), leads: 'spans' }, fixed(8)];
    default:
      throw new NotLoadable(`the column ${quoted(name)} is of a type that Leasehold does not know`);
  }
}

/** How what is nested in a column goes with it. */
function nestingOf(field: FlatTable): Pick<Column, 'each' | 'kinds'> {
  const details = field.table(FIELD.details);
  const type = field.u8(FIELD.type);
  if (type === STRUCT) return { each: 1 };
  if (type === FIXED_LIST) return { each: Math.max(0, details?.i32(0) ?? 0) };
  if (type !== UNION) return {};
  const kinds = details?.wholes(1) ?? null;
  const isSparse = (details?.i16(0) ?? 0) === 0;
  return { ...(isSparse ? { each: 1 } : {}), ...(kinds === null ? {} : { kinds }) };
}

/** Of whole numbers there are four. */
function wholeWidth(bits: number, name: string): number {
  if (![8, 16, 32, 64].includes(bits)) {
    throw new Damaged(`the column ${quoted(name)} is of no width`);
  }
  return bits / 8;
}

/** Pairs, of which each has a key. */
function hasKeys(map: FlatTable): boolean {
  const [pairs] = map.tables(FIELD.children);
  if (pairs === undefined || pairs.u8(FIELD.nullable) !== 0) return false;
  const [key] = pairs.tables(FIELD.children);
  return key !== undefined && key.u8(FIELD.nullable) === 0;
}

const ONE_CHILD = [12, 16, 17, 21, 25, 26];
const NESTED = [...ONE_CHILD, 13, UNION, 22];

function checkChildren(type: number, { name, children, parts }: Column): void {
  const isOne = ONE_CHILD.includes(type) ? children.length === 1 : NESTED.includes(type);
  const widths = parts.map((part) => (part.kind === 'fixed' ? part.width : 1));
  if ((!isOne && children.length > 0) || (ONE_CHILD.includes(type) && !isOne)) {
    throw new Damaged(`the column ${quoted(name)} has another number of parts than its type`);
  }
  if (widths.some((width) => !Number.isInteger(width) || width < 0)) {
    throw new Damaged(`the column ${quoted(name)} is of no width`);
  }
}
