import { Damaged, NotLoadable } from '../damage.ts';

export type Json = Readonly<Record<string, unknown>>;

/** How a chunk is packed, in the order in which that was done. */
export type Packing =
  | { readonly kind: 'gzip' | 'zlib' | 'zstd' | 'blosc' | 'lz4' | 'crc32c' }
  /** Nothing but that it is there is known of it then. */
  | { readonly kind: 'unknown' };

export interface Sharding {
  readonly chunk: readonly number[];
  readonly packing: readonly Packing[];
  readonly hasSum: boolean;
  readonly isIndexFirst: boolean;
}

/** What an array tells of itself. */
export interface ZarrArray {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  /** Of one number; null: of no fixed length. */
  readonly elementBytes: number | null;
  readonly packing: readonly Packing[];
  readonly sharding: Sharding | null;
  /** Before the places of a chunk in its name, and between them. */
  readonly lead: string;
  readonly separator: string;
}

const MAX_RANK = 64;
/** Each may unpack a chunk anew, and no array has more than a few. */
const MAX_CODECS = 16;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `.zarray`. */
export function readVersion2(told: Json): ZarrArray {
  if (told['zarr_format'] !== 2) throw new Damaged('its version is not known');
  const filters = Array.isArray(told['filters']) ? told['filters'] : [];
  const compressor = told['compressor'];
  return {
    shape: sizesOf(told['shape'], 0),
    chunk: sizesOf(told['chunks'], 1),
    // What a filter leaves is of another length.
    elementBytes: filters.length > 0 ? null : bytesOfType(told['dtype']),
    packing: isObject(compressor) ? [packingOf(compressor['id'])] : [],
    sharding: null,
    lead: '',
    separator: told['dimension_separator'] === '/' ? '/' : '.',
  };
}

/** `zarr.json`; null: of a group. */
export function readVersion3(told: Json): ZarrArray | null {
  if (told['zarr_format'] !== 3) throw new Damaged('its version is not known');
  if (told['node_type'] === 'group') return null;
  if (told['node_type'] !== 'array') throw new Damaged('it is neither an array nor a group');
  const [grid, keys] = [inside(told['chunk_grid']), inside(told['chunk_key_encoding'])];
  if (grid.name !== 'regular') throw new NotLoadable('its chunks are of several sizes');
  const isDefault = keys.name === 'default';
  if (!isDefault && keys.name !== 'v2') {
    throw new NotLoadable('its chunks are named in a way that Leasehold does not know');
  }
  const separator = keys.settings['separator'] ?? (isDefault ? '/' : '.');
  if (separator !== '/' && separator !== '.') throw new Damaged('the names of its chunks are none');
  const codecs = codecsOf(told['codecs']);
  const [shards, ...others] = codecs.filter(({ name }) => name === 'sharding_indexed');
  if (others.length > 0) throw new NotLoadable('its shards hold shards');
  return {
    shape: sizesOf(told['shape'], 0),
    chunk: sizesOf(grid.settings['chunk_shape'], 1),
    elementBytes: lengthAfter(codecs, told['data_type']),
    packing: packingsOf(codecs),
    sharding: shards === undefined ? null : shardingOf(shards, told['data_type']),
    lead: isDefault ? `c${separator}` : '',
    separator,
  };
}

interface Named {
  readonly name: string;
  readonly settings: Json;
}

function inside(value: unknown): Named {
  if (typeof value === 'string') return { name: value, settings: {} };
  if (!isObject(value) || typeof value['name'] !== 'string') {
    throw new Damaged('a part of its description is none');
  }
  const settings = value['configuration'];
  return { name: value['name'], settings: isObject(settings) ? settings : {} };
}

function codecsOf(value: unknown): readonly Named[] {
  if (!Array.isArray(value)) throw new Damaged('it does not say how its chunks are packed');
  if (value.length > MAX_CODECS) {
    throw new NotLoadable('its chunks are packed more often than Leasehold unpacks');
  }
  return value.map(inside);
}

/** Those that leave a chunk as long as it is, or make bytes of it. */
const PLAIN = ['bytes', 'transpose', 'sharding_indexed'];

const packingsOf = (codecs: readonly Named[]): readonly Packing[] =>
  codecs.filter(({ name }) => !PLAIN.includes(name)).map(({ name }) => packingOf(name));

const lengthAfter = (codecs: readonly Named[], type: unknown): number | null =>
  codecs.some(({ name }) => name === 'bytes' || name === 'sharding_indexed')
    ? bytesOfType(type)
    : null;

function shardingOf({ settings }: Named, type: unknown): Sharding {
  const codecs = codecsOf(settings['codecs']);
  const index = codecsOf(settings['index_codecs']).map(({ name }) => name);
  if (index.some((name) => name !== 'bytes' && name !== 'crc32c')) {
    throw new NotLoadable('the index of its shards is packed');
  }
  // Where its numbers are of no fixed length, nothing is said of that of a chunk.
  const unknown: readonly Packing[] =
    lengthAfter(codecs, type) === null ? [{ kind: 'unknown' }] : [];
  return {
    chunk: sizesOf(settings['chunk_shape'], 1),
    packing: [...unknown, ...packingsOf(codecs)],
    hasSum: index.includes('crc32c'),
    isIndexFirst: settings['index_location'] === 'start',
  };
}

const KINDS = ['gzip', 'zlib', 'zstd', 'blosc', 'lz4', 'crc32c'] as const;

function packingOf(name: unknown): Packing {
  const kind = KINDS.find((each) => each === name);
  return { kind: kind ?? 'unknown' };
}

function sizesOf(value: unknown, least: number): readonly number[] {
  const isSize = (each: unknown): each is number =>
    typeof each === 'number' && Number.isSafeInteger(each) && each >= least;
  if (!Array.isArray(value) || value.length > MAX_RANK || !value.every(isSize)) {
    throw new Damaged('its shape is none');
  }
  return value;
}

const NUMBERED = /^(?:u?int|float|complex|r)(\d{1,4})$/;
const NAMED: Readonly<Record<string, number>> = {
  bool: 1,
  bfloat16: 2,
  int2: 1,
  int4: 1,
  uint4: 1,
};
const OF_NUMPY = /^[<>|]?([a-zA-Z])(\d{1,9})(?:\[[^\]]{1,20}\])?$/;
const ONE_BYTE = /^(?:float8|float6|float4)_/;

/** As numpy writes it in version 2, or by its name; null: of no fixed length, or nobody knows. */
function bytesOfType(type: unknown): number | null {
  if (isObject(type)) {
    const { settings } = inside(type);
    const bytes = settings['length_bytes'];
    return typeof bytes === 'number' ? bytes : null;
  }
  if (typeof type !== 'string') return null;
  const [, bits] = NUMBERED.exec(type) ?? [];
  if (bits !== undefined) return Math.ceil(Number(bits) / 8);
  if (ONE_BYTE.test(type)) return 1;
  const named = Object.hasOwn(NAMED, type) ? NAMED[type] : undefined;
  if (named !== undefined) return named;
  const [, letter, bytes] = OF_NUMPY.exec(type) ?? [];
  if (letter === undefined || letter === 'O') return null;
  return Number(bytes) * (letter === 'U' ? 4 : 1);
}
