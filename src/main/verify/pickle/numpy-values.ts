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

function typeOf([code]: readonly Value[]): Value {
  const [, letter = '', size = '0'] =
    typeof code === 'string' ? (/^([A-Za-z?])(\d{0,9})$/.exec(code) ?? []) : [];
  // By a name or another type, as nobody writes it.
  if (letter === '') return { kind: 'made', parts: [] };
  const bytes = Number(size) * (letter === 'U' ? 4 : 1);
  const scan = SCANNED[`${letter}${size}`] ?? null;
  return { kind: 'type', bytes, scan, isObject: letter === 'O' };
}

/** Its state: a version, the order of its bytes, and of a table each column and the size of a row. */
export function fillType(type: ElementType, state: Value): void {
  if (!isGroup(state)) throw new Damaged(WRONG_TYPE);
  const [, order, , , , size] = state.items;
  if (typeof order !== 'string') throw new Damaged(WRONG_TYPE);
  if (order === '>') type.scan = null;
  if (typeof size === 'number' && size >= 0) type.bytes = size;
}

const emptyArray = (): NumberArray => ({
  ...{ kind: 'array', elements: 0, data: null, type: null, parts: [] },
});

/** Its state: a version, shape, type, order, and the bytes or a list of objects. */
export function fillArray(array: NumberArray, state: Value): void {
  if (!isGroup(state)) throw new Damaged(WRONG_ARRAY);
  const [, shape, type, , data] = state.items;
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
    return;
  }
  const length = lengthOf(data);
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
  fill(array, { kind: 'tuple', items: [] }, type, data);
  array.parts.push(...(isThing(data) ? [data] : []));
  return array;
}

function fromBuffer([data, type, shape]: readonly Value[]): Value {
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
    [keyOf(`${module}.multiarray`, '_reconstruct'), { call: emptyArray }],
    [keyOf(`${module}.multiarray`, 'scalar'), { call: scalar }],
    [keyOf(`${module}.numeric`, '_frombuffer'), { call: fromBuffer }],
  ]),
];
