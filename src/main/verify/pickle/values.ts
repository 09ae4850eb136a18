import type { NumberType } from '../number-scan.ts';

/** What a pickle says, with no Python behind it: nothing is imported, made or called. */
export type Value = null | boolean | number | bigint | string | Thing;
export type Thing =
  | Group
  | Bytes
  | LongText
  | Global
  | Made
  | ElementType
  | NumberArray
  | Storage
  | Tensor;

/** Of a dict, names and values take turns. */
export interface Group {
  readonly kind: 'list' | 'tuple' | 'set' | 'dict';
  readonly items: Value[];
}

export interface Bytes {
  readonly kind: 'bytes';
  /** Null: they do not stand in the file as they are. */
  readonly at: number | null;
  readonly length: number;
  /** What it is where it is one byte. */
  readonly byte?: number;
}

/** Longer than any name: numbers of arrays stand so in old protocols. */
export interface LongText {
  readonly kind: 'text';
  readonly chars: number;
}

/** A name out of a module. */
export interface Global {
  readonly kind: 'global';
  readonly module: string;
  readonly name: string;
  /** Null: nobody knows what it would do. */
  readonly rule: Rule | null;
}

/** What only Python would make; its parts are all that is known of it. */
export interface Made {
  readonly kind: 'made';
  readonly parts: Value[];
}

/** What an array or a tensor consists of. */
export interface ElementType {
  readonly kind: 'type';
  bytes: number;
  scan: NumberType | null;
  isObject: boolean;
  /** Numbers that share a byte, of which each row begins anew; absent: none do. */
  readonly perByte?: number;
}

export interface NumberArray {
  readonly kind: 'array';
  elements: number;
  /** Null: not filled, or not bytes. */
  data: Bytes | null;
  type: ElementType | null;
  readonly parts: Value[];
}

/** The bytes of one tensor or of many, which lie outside of the pickle. */
export interface Storage {
  readonly kind: 'storage';
  readonly key: string;
  readonly elements: number;
  readonly elementBytes: number;
  readonly perByte?: number;
  scan: NumberType | null;
}

export interface Tensor {
  readonly kind: 'tensor';
  readonly storage: Storage;
  readonly elements: number;
  /** Of one of them; a storage may be of single bytes, whatever lies in it. */
  readonly elementBytes: number;
}

/** What may be named in a pickle: it gives a value of which everything is known. */
export interface Rule {
  readonly call?: (args: readonly Value[]) => Value;
  readonly type?: ElementType;
}

/** The names that are known, by module and name. */
export type Vocabulary = ReadonlyMap<string, Rule>;

/** No module has a blank in its name. */
export const keyOf = (module: string, name: string): string => `${module} ${name}`;

export const isThing = (value: Value | undefined): value is Thing =>
  typeof value === 'object' && value !== null;

export const isKind = <K extends Thing['kind']>(
  value: Value | undefined,
  kind: K,
): value is Extract<Thing, { kind: K }> => isThing(value) && value.kind === kind;

export const isGroup = (value: Value | undefined): value is Group =>
  isThing(value) && 'items' in value;

/** A list or tuple of sizes; null: it is none. */
export function sizesOf(value: Value | undefined): readonly number[] | null {
  if (!isGroup(value)) return null;
  const sizes = value.items.filter((each) => typeof each === 'number');
  const isSize = (each: number): boolean => Number.isSafeInteger(each) && each >= 0;
  return sizes.length === value.items.length && sizes.every(isSize) ? sizes : null;
}
