import { Damaged } from '../damage.ts';
import type { NumberType } from '../number-scan.ts';
import {
  isGroup,
  isKind,
  isThing,
  keyOf,
  sizesOf,
  type Bytes,
  type ElementType,
  type NumberArray,
  type Rule,
  type Value,
} from './values.ts';

const SCANNED: Readonly<Record<string, NumberType>> = {
  f2: 'f16',
  f4: 'f32',
  f8: 'f64',
  c8: 'f32',
  c16: 'f64',
};

/** A letter and a size, as numpy writes them; what is of another library is named by its class. */
const TYPE = /^(?:b1|[iu][1248]|f(?:2|4|8|12|16)|c(?:8|16|24|32)|[OMmT]\d{1,2}|[SUV]\d{1,9})$/;

function typeOf([code]: readonly Value[]): Value {
  if (typeof code !== 'string') return { kind: 'made', parts: [] };
  if (!TYPE.test(code)) throw new Damaged(WRONG_TYPE);
  const [letter, size] = [code.charAt(0), code.slice(1)];
  const bytes = Number(size) * (letter === 'U' ? 4 : 1);
  return { kind: 'type', bytes, scan: SCANNED[code] ?? null, isObject: letter === 'O' };
}

const NEWEST_STATE = { type: 4, array: 1 };
/** Of a type whose values stand in a list. */
const AS_LIST = 2;

/** Its state: a version, the order of its bytes, and of a table each column, the size of a row, how it lies, and flags. */
export function fillType(type: ElementType, state: Value): void {
  if (!isGroup(state)) throw new Damaged(WRONG_TYPE);
  const [version, order, , , columns, size, step, flags = null] = state.items;
  const isOrder = typeof order === 'string' && /^[<>=|]$/.test(order);
  if (!isOrder || !isVersion(version, NEWEST_STATE.type) || typeof step !== 'number') {
    throw new Damaged(WRONG_TYPE);
  }
  if (isGroup(columns) && columns.kind === 'dict' && !columns.items.every(isColumnPart)) {
    throw new Damaged(WRONG_TYPE);
  }
  if (order === '>') type.scan = null;
  if (typeof size === 'number' && size >= 0) type.bytes = size;
  if (flags === null) return;
  if (typeof flags !== 'number') throw new Damaged(WRONG_TYPE);
  type.isObject = (flags & AS_LIST) !== 0;
}

/** In turn its name, and its type with where in a row it begins. */
const isColumnPart = (part: Value, no: number): boolean =>
  no % 2 === 0 || !isGroup(part) || typeof part.items[1] === 'number';

const isVersion = (version: Value | undefined, newest: number): boolean =>
  typeof version === 'number' && version >= 0 && version <= newest;

const emptyArray = (): NumberArray => ({
  ...{ kind: 'array', elements: 0, data: null, type: null, parts: [] },
});

/** Its state: a version, shape, type, order, and the bytes or a list of objects. */
export function fillArray(array: NumberArray, state: Value): void {
  if (!isGroup(state)) throw new Damaged(WRONG_ARRAY);
  const [version, shape, type, , data] = state.items;
  if (!isVersion(version, NEWEST_STATE.array)) throw new Damaged(WRONG_ARRAY);
  fill(array, shape, type, data);
}

function fill(
  array: NumberArray,
  shape: Value | undefined,
  type: Value | undefined,
  data: Value | undefined,
): void {
  const sizes = sizesOf(shape);
  if (sizes === null) throw new Damaged(WRONG_ARRAY);
  // Of what is not known it cannot be said how long it is.
  if (!isKind(type, 'type')) return;
  array.type = type;
  array.elements = sizes.reduce((product, size) => product * size, 1);
  if (type.isObject) {
    if (isGroup(data) && data.items.length !== array.elements) throw new Damaged(WRONG_LENGTH);
    if (!isGroup(data) && !isKind(data, 'made')) throw new Damaged(WRONG_ARRAY);
    return;
  }
  const length = lengthOf(data);
  if (length === null && !isKind(data, 'made')) throw new Damaged(WRONG_ARRAY);
  if (length !== null && length !== array.elements * type.bytes) throw new Damaged(WRONG_LENGTH);
  array.data = isKind(data, 'bytes') ? data : null;
}

const WRONG_TYPE = 'it describes a type of numbers that is none';
const WRONG_ARRAY = 'it describes an array that is none';
const WRONG_LENGTH = 'an array in it has another number of bytes than its shape takes';

/** Of bytes, or of a text with a sign for each; null: not known. */
function lengthOf(data: Value | undefined): number | null {
  if (typeof data === 'string') return data.length;
  if (isKind(data, 'bytes')) return data.length;
  return isKind(data, 'text') ? data.chars : null;
}

function scalar([type, data]: readonly Value[]): Value {
  const array = emptyArray();
  // One object, or a zero of any type, for which nothing stands there.
  const isFilled = data !== undefined && !(isKind(type, 'type') && type.isObject);
  if (isFilled) fill(array, { kind: 'tuple', items: [] }, type, data);
  array.parts.push(...(isThing(data) ? [data] : []));
  return array;
}

/** Before it is filled: what makes it, no size, and a type that it does not keep. */
function reconstruct([made, shape, code]: readonly Value[]): Value {
  const isCode = code === 'b' || (isKind(code, 'bytes') && (code.byte ?? CODE) === CODE);
  if (!isKind(made, 'global') || sizesOf(shape) === null || !isCode) throw new Damaged(WRONG_ARRAY);
  return emptyArray();
}

/** Of bytes. */
const CODE = 0x62;

function fromBuffer([data, type, shape, order]: readonly Value[]): Value {
  if (typeof order !== 'string' || !/^[CFAK]$/.test(order)) throw new Damaged(WRONG_ARRAY);
  const array = emptyArray();
  fill(array, shape, type, data);
  return array;
}

/** Text of which each sign stands for a byte, as old protocols have bytes. */
export function encode([text]: readonly Value[]): Bytes {
  const length = lengthOf(text);
  if (length === null) throw new Damaged('it encodes what is no text');
  return { kind: 'bytes', at: null, length };
}

const NUMBER_TYPES =
  'bool_ bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longdouble complex64 complex128 str_ bytes_'.split(
    ' ',
  );

export const NUMPY_RULES: readonly (readonly [string, Rule])[] = [
  [keyOf('numpy', 'dtype'), { call: typeOf }],
  [keyOf('numpy', 'ndarray'), {}],
  ...NUMBER_TYPES.map((name): [string, Rule] => [keyOf('numpy', name), {}]),
  ...['numpy.core', 'numpy._core'].flatMap((module): [string, Rule][] => [
    [keyOf(`${module}.multiarray`, '_reconstruct'), { call: reconstruct }],
    [keyOf(`${module}.multiarray`, 'scalar'), { call: scalar }],
    [keyOf(`${module}.numeric`, '_frombuffer'), { call: fromBuffer }],
  ]),
];
