import type { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { quoted } from '../quoted.ts';
import {
  chunksInArray,
  chunksInGrowing,
  chunksInRow,
  chunksInTree,
  chunksInTree2,
} from './chunk-indexes.ts';
import { readChunks, readFilters, shortOf, type Chunk, type Cut } from './chunks.ts';
import { messagesOf, type Message } from './messages.ts';
import { isNowhere, uint, type Hdf5File } from './parts.ts';
import { readElement, readShape, type Element } from './types.ts';

const [SPACE, TYPE, LAYOUT, FILTERS] = [0x01, 0x03, 0x08, 0x0b];
const [COMPACT, CONTIGUOUS, CHUNKED, VIRTUAL] = [0, 1, 2, 3];
const MAX_RANK = 32;

export interface Dataset {
  readonly numbers: number;
  readonly spans: readonly NumberSpan[];
}

/** A set of data: as many bytes as its shape and its type say, in one piece or in chunks, each unpacked. */
export function readDataset(
  file: Hdf5File,
  name: string,
  messages: readonly Message[],
  halfOfChunks: number,
): Dataset {
  const of = `the data ${quoted(name)}`;
  const find = (type: number): Message | undefined => messages.find((each) => each.type === type);
  const [space, type, layout] = [find(SPACE), find(TYPE), find(LAYOUT)];
  if (space === undefined || type === undefined || layout === undefined) {
    throw new Damaged(`${of} are not described`);
  }
  const { shape, most } = readShape(file, space);
  const element = readElement(file, type.isShared ? namedType(file, type, of) : type);
  const numbers = shape.reduce((product, size) => product * size, 1);
  const bytes = numbers * element.bytes;
  if (!Number.isSafeInteger(bytes)) throw new Damaged(`${of} have a shape beyond all sizes`);
  const span = (at: number, length: number): readonly NumberSpan[] => {
    file.lists.take({ at, bytes: length, element, of });
    return element.scanned === null || length === 0
      ? []
      : [{ tensor: name, at, bytes: length, type: element.scanned }];
  };
  const cursor = file.cursor(layout.at, layout.bytes, of);
  const [version, kind] = [cursor.u8(), cursor.u8()];
  if (version < 3 || version > 5) {
    if (version < 1 || version > 5) throw new Damaged(`${of} lie in no known way`);
    throw new NotLoadable(`${of} lie in a way that Leasehold does not look into`);
  }
  if (kind === COMPACT) {
    const said = cursor.u16();
    if (said !== bytes) throw new Damaged(shortOf(of, said));
    cursor.skip(said);
    return { numbers, spans: span(cursor.at - said, said) };
  }
  if (kind === CONTIGUOUS) {
    const [at, said] = [cursor.u64(), cursor.u64()];
    if (isNowhere(at)) return { numbers, spans: [] };
    if (said !== bytes) throw new Damaged(shortOf(of, said));
    file.extents.claim(at, bytes, of);
    return { numbers, spans: span(at, bytes) };
  }
  if (kind === VIRTUAL) throw new NotLoadable(`${of} are put together from other data`);
  if (kind !== CHUNKED) throw new Damaged(`${of} lie in no known way`);
  const told = { file, of, shape, most, element, cursor, span };
  const filters = find(FILTERS);
  const spans = version === 3 ? chunked(told, filters, halfOfChunks) : newChunked(told, filters);
  return { numbers, spans };
}

interface Told {
  readonly file: Hdf5File;
  readonly of: string;
  readonly shape: readonly number[];
  readonly most: readonly number[];
  readonly element: Element;
  /** Behind the version and the kind of its layout. */
  readonly cursor: Cursor;
  readonly span: Cut['span'];
}

function cutOf(
  { file, of, shape, most, element, span }: Told,
  sides: readonly number[],
  filters: Message | undefined,
  isEdgePlain: boolean,
): Cut {
  if (sides.length !== shape.length + 1 || sides.at(-1) !== element.bytes || sides.includes(0)) {
    throw new Damaged(`${of} have chunks of another shape`);
  }
  const bytes = sides.reduce((product, size) => product * size, 1);
  const sizes = sides.slice(0, -1);
  return {
    of,
    shape,
    most,
    sizes,
    bytes,
    filters: readFilters(file, filters, of),
    isEdgePlain,
    span,
  };
}

function chunked(
  told: Told,
  filters: Message | undefined,
  halfOfChunks: number,
): readonly NumberSpan[] {
  const { cursor, file } = told;
  const sides = Math.min(cursor.u8(), MAX_RANK + 1);
  const at = cursor.u64();
  const cut = cutOf(
    told,
    Array.from({ length: sides }, () => cursor.u32()),
    filters,
    false,
  );
  return isNowhere(at) ? [] : readChunks(file, cut, chunksInTree(file, at, halfOfChunks, cut));
}

const FLAG = { edgePlain: 1, hasOneFiltered: 2 };
const [ONE, ROW, ARRAY, GROWING, TREE] = [1, 2, 3, 4, 5];
/** What an index tells of itself before where it lies. */
const INDEX_BYTES: Readonly<Record<number, number>> = { [ARRAY]: 1, [GROWING]: 5, [TREE]: 6 };

/** Since version 1.10: with an index of five kinds. */
function newChunked(told: Told, filters: Message | undefined): readonly NumberSpan[] {
  const { cursor, file, of } = told;
  const flags = cursor.u8();
  const sides = Math.min(cursor.u8(), MAX_RANK + 1);
  const width = cursor.u8();
  if (width < 1 || width > 8 || flags > 3) throw new Damaged(`${of} lie in no known way`);
  const sizes = Array.from({ length: sides }, () => uint(cursor, width));
  const cut = cutOf(told, sizes, filters, (flags & FLAG.edgePlain) !== 0);
  const kind = cursor.u8();
  if (kind < ONE || kind > TREE) throw new Damaged(`${of} lie in no known way`);
  cursor.skip(INDEX_BYTES[kind] ?? 0);
  const isOneFiltered = kind === ONE && (flags & FLAG.hasOneFiltered) !== 0;
  const one = isOneFiltered
    ? { stored: cursor.u64(), mask: cursor.u32() }
    : { stored: null, mask: 0 };
  const at = cursor.u64();
  if (isNowhere(at)) return [];
  const chunks = (): Iterable<Chunk> => {
    if (kind === ONE) return [{ at, ...one, place: cut.shape.map(() => 0) }];
    if (kind === ROW) return chunksInRow(at, cut);
    if (kind === ARRAY) return chunksInArray(file, at, cut);
    return kind === GROWING ? chunksInGrowing(file, at, cut) : chunksInTree2(file, at, cut);
  };
  return readChunks(file, cut, chunks());
}

const COMMITTED = 2;

/** A type that has a name of its own, and lies as an object. */
function namedType(file: Hdf5File, { at, bytes }: Message, of: string): Message {
  const cursor = file.cursor(at, bytes, of);
  const [version, kind] = [cursor.u8(), cursor.u8()];
  if (version < 1 || version > 3) throw new Damaged(`${of} are of a type that is none`);
  if (version === 3 && kind !== COMMITTED) {
    throw new NotLoadable(`${of} are of a type that lies elsewhere`);
  }
  if (version === 1) cursor.skip(6);
  // Its messages belong to that object, which is looked at by its own name.
  const there = messagesOf(file.aside(), cursor.u64()).find(({ type }) => type === TYPE);
  if (there === undefined || there.isShared) throw new Damaged(`${of} are of a type that is none`);
  return there;
}
