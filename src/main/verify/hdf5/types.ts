import { Damaged } from '../damage.ts';
import type { NumberType } from '../number-scan.ts';
import { isNowhere, type Hdf5File } from './parts.ts';

/** Where it stands that something is of this shape or type. */
interface Part {
  readonly at: number;
  readonly bytes: number;
}

export interface Element {
  readonly bytes: number;
  readonly scanned: NumberType | null;
  /** How long each part is of lists of any length, texts among them; absent: it is no such list. */
  readonly itemBytes?: number;
}

const MAX_RANK = 32;

export interface Shape {
  readonly shape: readonly number[];
  /** As far as it may grow; Infinity: without end. */
  readonly most: readonly number[];
}

export function readShape(file: Hdf5File, { at, bytes }: Part): Shape {
  const cursor = file.cursor(at, bytes, 'a shape');
  const [version, rank, flags, type] = [cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()];
  if ((version !== 1 && version !== 2) || rank > MAX_RANK) throw new Damaged('a shape is none');
  if (version === 1) cursor.skip(4);
  // Of the second version, one that holds nothing at all.
  if (version === 2 && type === 2) return { shape: [0], most: [0] };
  const shape = Array.from({ length: rank }, () => cursor.u64());
  if ((flags & 1) === 0) return { shape, most: shape };
  const most = Array.from({ length: rank }, () => cursor.u64());
  return { shape, most: most.map((each) => (isNowhere(each) ? Infinity : each)) };
}

/** By the width of their exponent, in bits: all others are passed over. */
const FLOATS: Readonly<Record<string, NumberType>> = {
  ...{ '2 5': 'f16', '2 8': 'bf16', '4 8': 'f32', '8 11': 'f64' },
};
/** Names of whole numbers, and lists of any length, are made of another type. */
const [WHOLE, FLOAT, NAMES, LISTS] = [0, 1, 8, 9];
const MAX_LEVELS = 32;
/** Of complex numbers, since version 2.0. */
const MAX_CLASS = 12;

/** A type of numbers or of anything else: how long it is, and of numbers where their bits are. */
export function readElement(file: Hdf5File, { at, bytes }: Part, level = 0): Element {
  const cursor = file.cursor(at, bytes, 'a type');
  const [first, order, signAt] = [cursor.u8(), cursor.u8(), cursor.u8()];
  const [version, kind] = [first >> 4, first & 0x0f];
  if (version < 1 || version > 5 || kind > MAX_CLASS) throw new Damaged('a type is none');
  cursor.skip(1);
  const size = cursor.u32();
  if (size === 0) throw new Damaged('a type is of no size');
  if (kind === NAMES || kind === LISTS) {
    if (level > MAX_LEVELS) throw new Damaged('a type is made of others without end');
    const item = readElement(file, { at: cursor.at, bytes: cursor.left }, level + 1);
    if (kind === LISTS) return { bytes: size, scanned: null, itemBytes: item.bytes };
  }
  if (kind !== WHOLE && kind !== FLOAT) return { bytes: size, scanned: null };
  const [offset, bits] = [cursor.u16(), cursor.u16()];
  if (bits === 0 || offset + bits > 8 * size)
    throw new Damaged('a type has bits that are not its own');
  if (kind === WHOLE) return { bytes: size, scanned: null };
  const [exponentAt, exponent, mantissaAt, mantissa] = [
    ...[cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8()],
  ] as [number, number, number, number];
  const isBeside = (one: number, length: number, other: number, otherLength: number): boolean =>
    one + length <= other || other + otherLength <= one;
  const isOwn =
    signAt < bits &&
    exponent > 0 &&
    mantissa > 0 &&
    exponentAt + exponent <= bits &&
    mantissaAt + mantissa <= bits &&
    isBeside(exponentAt, exponent, mantissaAt, mantissa) &&
    isBeside(signAt, 1, exponentAt, exponent) &&
    isBeside(signAt, 1, mantissaAt, mantissa);
  if (!isOwn) throw new Damaged('a type has bits that are not its own');
  const isLittle = (order & 0x41) === 0;
  const scanned = isLittle ? FLOATS[`${String(size)} ${String(exponent)}`] : undefined;
  return { bytes: size, scanned: scanned ?? null };
}
