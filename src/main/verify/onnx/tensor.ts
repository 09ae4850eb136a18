import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan, NumberType } from '../number-scan.ts';
import { quoted } from '../quoted.ts';

/** What a file says of one tensor, as its fields come. */
export interface SaidTensor {
  name: string;
  readonly dims: number[];
  type: number;
  isExternal: boolean;
  isSegment: boolean;
  /** Where its bytes lie; null: they are given one by one, or elsewhere. */
  raw: { readonly at: number; readonly bytes: number } | null;
  /** Numbers that are given one by one, by the field that they lie in. */
  readonly given: Map<number, number>;
  /** Parts of the file in which they lie together. */
  readonly packed: { readonly field: number; readonly at: number; readonly bytes: number }[];
  readonly external: Map<string, string>;
}

/** A tensor whose bytes lie in another file. */
export interface ExternalTensor {
  readonly name: string;
  readonly location: string;
  readonly offset: number;
  /** Null: up to the end of that file. */
  readonly length: number | null;
  /** As its shape and its type say. */
  readonly bytes: number;
}

interface TensorType {
  readonly bits: number;
  /** The field that holds its numbers where they are given one by one, and how many of that make one of it. */
  readonly field: number;
  readonly parts: number;
  readonly scanned?: NumberType;
}

const [FLOATS, INT32S, TEXTS, INT64S, DOUBLES, UINT64S] = [4, 5, 6, 7, 10, 11];
const STRING = 8;

const type = (bits: number, field: number, scanned?: NumberType, parts = 1): TensorType => ({
  ...{ bits, field, parts },
  ...(scanned === undefined ? {} : { scanned }),
});

/** By the numbers of `TensorProto.DataType`. */
const TYPES: ReadonlyMap<number, TensorType> = new Map([
  [1, type(32, FLOATS, 'f32')],
  [2, type(8, INT32S)],
  [3, type(8, INT32S)],
  [4, type(16, INT32S)],
  [5, type(16, INT32S)],
  [6, type(32, INT32S)],
  [7, type(64, INT64S)],
  [STRING, type(0, TEXTS)],
  [9, type(8, INT32S)],
  [10, type(16, INT32S, 'f16')],
  [11, type(64, DOUBLES, 'f64')],
  [12, type(32, UINT64S)],
  [13, type(64, UINT64S)],
  [14, type(64, FLOATS, 'f32', 2)],
  [15, type(128, DOUBLES, 'f64', 2)],
  [16, type(16, INT32S, 'bf16')],
  [17, type(8, INT32S, 'f8_e4m3')],
  [18, type(8, INT32S)],
  [19, type(8, INT32S, 'f8_e5m2')],
  [20, type(8, INT32S)],
  [21, type(4, INT32S, undefined, 0.5)],
  [22, type(4, INT32S, undefined, 0.5)],
  [23, type(4, INT32S, undefined, 0.5)],
  [24, type(8, INT32S)],
  [25, type(2, INT32S, undefined, 0.25)],
  [26, type(2, INT32S, undefined, 0.25)],
  [27, type(6, INT32S)],
  [28, type(6, INT32S)],
]);

export interface JudgedTensor {
  readonly numbers: number;
  readonly spans: readonly NumberSpan[];
  readonly external: ExternalTensor | null;
}

/** Its shape and its type against what is there of it. */
export function judgeTensor(said: SaidTensor): JudgedTensor {
  const of = `the tensor ${quoted(said.name)}`;
  const kind = TYPES.get(said.type);
  if (kind === undefined) {
    if (said.type === 0 || said.type > 64) throw new Damaged(`${of} is of no type`);
    throw new NotLoadable(`${of} is of a type that Leasehold does not know`);
  }
  if (said.isSegment) throw new NotLoadable(`${of} is only a part of one`);
  const numbers = said.dims.reduce((product, size) => product * size, 1);
  const bytes = Math.ceil((numbers * kind.bits) / 8);
  if (!Number.isSafeInteger(numbers * Math.max(8, kind.bits))) {
    throw new Damaged(`${of} has a shape beyond all sizes`);
  }
  if (said.isExternal) {
    return { numbers, spans: [], external: externalOf(said, of, bytes) };
  }
  if (said.external.size > 0) throw new Damaged(`${of} says where it lies, and that it lies here`);
  if (said.raw !== null) {
    if (said.type === STRING || said.given.size > 0) {
      throw new Damaged(`${of} has bytes beside its values`);
    }
    if (said.raw.bytes !== bytes) {
      throw new Damaged(`${of} has ${String(said.raw.bytes)} bytes, which its shape does not fill`);
    }
    return { numbers, spans: spansOf(said.name, kind, [said.raw]), external: null };
  }
  const wanted = Math.ceil(numbers * kind.parts);
  const given = said.given.get(kind.field) ?? 0;
  if (given !== wanted || said.given.size > (given > 0 ? 1 : 0)) {
    throw new Damaged(`${of} has another number of values than its shape says`);
  }
  const isAsItLies = kind.field === FLOATS || kind.field === DOUBLES;
  return {
    numbers,
    spans: isAsItLies ? spansOf(said.name, kind, said.packed) : [],
    external: null,
  };
}

function spansOf(
  name: string,
  { scanned }: TensorType,
  parts: readonly { readonly at: number; readonly bytes: number }[],
): readonly NumberSpan[] {
  if (scanned === undefined) return [];
  return parts.flatMap(({ at, bytes }) =>
    bytes === 0 ? [] : [{ tensor: name, at, bytes, type: scanned }],
  );
}

function externalOf(said: SaidTensor, of: string, bytes: number): ExternalTensor {
  if (said.raw !== null || said.given.size > 0 || said.type === STRING) {
    throw new Damaged(`${of} lies in another file, and has values here`);
  }
  const location = said.external.get('location');
  if (location === undefined) throw new Damaged(`${of} does not say in which file it lies`);
  return {
    ...{ name: said.name, location, bytes },
    offset: placeOf(said.external.get('offset'), of) ?? 0,
    length: placeOf(said.external.get('length'), of),
  };
}

function placeOf(text: string | undefined, of: string): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw new Damaged(`${of} does not say where in its file it lies`);
  return Number(text);
}
