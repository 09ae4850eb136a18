import { isUtf8 } from 'node:buffer';
import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { StrictUtf8 } from '../utf8.ts';
import type { Column, FixedPart } from './schema.ts';

const PIECE_BYTES = 1024 * 1024;
/** Of more values it is not looked at which of them are there. */
const MAX_BITMAP_BYTES = 64 * 1024 * 1024;
const VIEW_BYTES = 16;
/** A value that is no longer lies in its view itself. */
const INLINE_BYTES = 12;
const PREFIX_BYTES = 4;
const WINDOW_BYTES = 4096;
/** Texts may lie in one another: so many times what a column has is looked at. */
const MOST_TIMES = 16;
/** Texts that are remembered, for a column that has a long one again and again. */
const MAX_REMEMBERED = 10_000;

export interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** One column of some rows whose parts are not packed. */
export interface ColumnValues {
  readonly column: Column;
  /** To begin a clause with. */
  readonly of: string;
  readonly length: number;
  readonly nulls: number;
  /** Of each part of the column where it lies; those of a part that is several, one behind the other. */
  readonly places: readonly Place[];
  /** How many values each part that is nested in it has. */
  readonly childLengths: readonly number[];
  /** Of the list of values that it refers to; undefined: it has not come so far. */
  readonly listLength: number | undefined;
}

/** What a column says of its values: how many are there, and where each lies. Of what they are, only that times are within a day. */
export function checkValues(source: ByteSource, values: ColumnValues): void {
  const valid = readValid(source, values);
  for (const [no, part] of values.column.parts.entries()) {
    const place = values.places[no];
    if (part.kind !== 'fixed' || place === undefined || place.bytes === 0) continue;
    if (part.inDay !== undefined) checkTimes(source, values, part.width, part.inDay, place, valid);
    else if (part.leads === 'views') checkViews(source, values, place, valid, false);
    else if (part.leads === 'text views') checkViews(source, values, place, valid, true);
    else if (part.leads === 'spans')
      checkSpans(source, values, part.width, place, values.places[no + 1]);
    else if (part.leads === 'kinds') checkKinds(source, values, place, values.places[no + 1]);
    else if (part.leads === 'list') checkIndexes(source, values, part, place, valid);
    else if (part.leads !== undefined) {
      const { from, to, isAllShown } = checkOffsets(source, values, part, place, valid);
      const behind = values.places[no + 1];
      const most = part.leads === 'child' ? (values.childLengths[0] ?? 0) : (behind?.bytes ?? 0);
      if (from < 0 || to > most)
        throw new Damaged(`${values.of} has values that lie outside of it`);
      if (part.leads === 'text' && isAllShown && behind !== undefined) {
        const utf8 = new StrictUtf8(values.of);
        for (const { bytes } of piecesOf(source, { at: behind.at + from, bytes: to - from }, 1)) {
          utf8.decode(bytes, true);
        }
        utf8.decode(new Uint8Array(0));
      }
    }
  }
}

type IsValid = (no: number) => boolean;

/** Which values are there, as many as it says; null: nobody looks. */
function readValid(
  source: ByteSource,
  { column, of, length, nulls, places }: ColumnValues,
): IsValid | null {
  const place = column.parts[0]?.kind === 'valid' ? places[0] : undefined;
  const bytes = Math.ceil(length / 8);
  if (place === undefined || place.bytes < bytes || bytes === 0) return nulls === 0 ? ALL : null;
  if (bytes > MAX_BITMAP_BYTES) return null;
  const bits = source.read(place.at, bytes);
  let count = 0;
  for (let no = 0; no < bytes; no += 1) {
    const rest = length - 8 * no;
    count += BITS_IN[(bits[no] ?? 0) & (rest < 8 ? (1 << rest) - 1 : 0xff)] ?? 0;
  }
  if (length - count !== nulls) {
    throw new Damaged(`${of} has another number of missing values than it says`);
  }
  return nulls === 0 ? ALL : (no) => (((bits[no >>> 3] ?? 0) >> (no & 7)) & 1) === 1;
}

const ALL: IsValid = () => true;
const BITS_IN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Array.from({ length: 8 }, (_bit, no) => (byte >> no) & 1).reduce((sum, bit) => sum + bit, 0),
);

interface Span {
  readonly from: number;
  readonly to: number;
  /** No value that is missing has anything, which would be of no kind. */
  readonly isAllShown: boolean;
}

function checkOffsets(
  source: ByteSource,
  { of, length }: ColumnValues,
  { width }: FixedPart,
  { at }: Place,
  valid: IsValid | null,
): Span {
  let [from, last, isAllShown] = [0, 0, true];
  for (const { first, view } of piecesOf(source, { at, bytes: (length + 1) * width }, width)) {
    for (let no = 0; no * width < view.byteLength; no += 1) {
      const next =
        width === 4 ? view.getInt32(4 * no, true) : Number(view.getBigInt64(8 * no, true));
      if (first + no === 0) from = next;
      else if (next < last) throw new Damaged(`${of} has values that end before they begin`);
      else if (next > last && valid?.(first + no - 1) !== true) isAllShown = false;
      last = next;
    }
  }
  return { from, to: last, isAllShown };
}

/** A number of each value in a list that several have in common. */
function checkIndexes(
  source: ByteSource,
  { of, length, listLength }: ColumnValues,
  { width, isSigned = true }: FixedPart,
  { at }: Place,
  valid: IsValid | null,
): void {
  if (listLength === undefined || valid === null) return;
  for (const { first, view } of piecesOf(source, { at, bytes: length * width }, width)) {
    for (let no = 0; no * width < view.byteLength; no += 1) {
      const index = wholeAt(view, no * width, width, isSigned);
      if ((index < 0 || index >= listLength) && valid(first + no)) {
        throw new Damaged(`${of} refers to values that there are not`);
      }
    }
  }
}

/** Of a day, which `Schema.fbs` lets them not leave. */
function checkTimes(
  source: ByteSource,
  { of, length }: ColumnValues,
  width: number,
  inDay: number,
  { at }: Place,
  valid: IsValid | null,
): void {
  if (valid === null) return;
  for (const { first, view } of piecesOf(source, { at, bytes: length * width }, width)) {
    for (let no = 0; no * width < view.byteLength; no += 1) {
      const time = wholeAt(view, no * width, width, true);
      if ((time < 0 || time >= inDay) && valid(first + no)) {
        throw new Damaged(`${of} has times that no day has`);
      }
    }
  }
}

function wholeAt(view: DataView, at: number, width: number, isSigned: boolean): number {
  if (width === 1) return isSigned ? view.getInt8(at) : view.getUint8(at);
  if (width === 2) return isSigned ? view.getInt16(at, true) : view.getUint16(at, true);
  if (width === 4) return isSigned ? view.getInt32(at, true) : view.getUint32(at, true);
  return Number(view.getBigInt64(at, true));
}

/** Of each value where what is nested in it begins, and how much that is. */
function checkSpans(
  source: ByteSource,
  { of, length, childLengths: [most = 0] }: ColumnValues,
  width: number,
  { at }: Place,
  sizes: Place | undefined,
): void {
  const pieces = piecesOf(source, { at, bytes: length * width }, width);
  for (const { first, view } of pieces) {
    const behind = source.read((sizes?.at ?? 0) + first * width, view.byteLength);
    const sized = new DataView(behind.buffer, behind.byteOffset, behind.length);
    for (let no = 0; no < view.byteLength; no += width) {
      const [from, size] = [wholeAt(view, no, width, true), wholeAt(sized, no, width, true)];
      if (from < 0 || size < 0 || from + size > most) {
        throw new Damaged(`${of} has values that lie outside of it`);
      }
    }
  }
}

/** Of each value its kind, and where it is among those of that kind; where nothing says so, it is where it is in the column. */
function checkKinds(
  source: ByteSource,
  { of, length, childLengths, column }: ColumnValues,
  { at }: Place,
  places: Place | undefined,
): void {
  const lengths = new Map(
    childLengths.map((most, no) => [
      column.kinds === undefined ? no : (column.kinds[no] ?? -1),
      most,
    ]),
  );
  for (const { first, bytes } of piecesOf(source, { at, bytes: length }, 1)) {
    const behind =
      places === undefined ? null : source.read(places.at + 4 * first, 4 * bytes.length);
    const view = behind === null ? null : new DataView(behind.buffer, behind.byteOffset);
    for (const [no, kind] of bytes.entries()) {
      const most = lengths.get(kind);
      const place = view?.getInt32(4 * no, true) ?? 0;
      if (most === undefined || place < 0 || (view !== null && place >= most)) {
        throw new Damaged(`${of} has values that lie outside of it`);
      }
    }
  }
}

/** Bytes of a part here and there, most of them one behind the other. */
class Window {
  readonly #source: ByteSource;
  #place: Place = { at: 0, bytes: 0 };
  #held: Uint8Array = new Uint8Array(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  read({ at, bytes }: Place, from: number, length: number): Uint8Array {
    const begin = at + from - this.#place.at;
    if (begin >= 0 && begin + length <= this.#held.length) {
      return this.#held.subarray(begin, begin + length);
    }
    const held = Math.max(length, Math.min(WINDOW_BYTES, bytes - from));
    this.#place = { at: at + from, bytes: held };
    this.#held = this.#source.read(at + from, held);
    return this.#held.subarray(0, length);
  }
}

/** Texts of a column that lie elsewhere, as far as they are read. */
class LongTexts {
  readonly #of: string;
  readonly #known = new Set<string>();
  #leftBytes: number;

  constructor(of: string, bytes: number) {
    this.#of = of;
    this.#leftBytes = MOST_TIMES * bytes;
  }

  /** False: it was read before, from there and as long. */
  isNew(part: number, from: number, long: number): boolean {
    const isLong = long > MOST_TIMES * VIEW_BYTES;
    const place = isLong ? [part, from, long].join(' ') : '';
    if (isLong && this.#known.has(place)) return false;
    if (isLong && this.#known.size < MAX_REMEMBERED) this.#known.add(place);
    this.#leftBytes -= long;
    if (this.#leftBytes < 0) {
      throw new NotLoadable(`${this.#of} has values that lie in one another too often`);
    }
    return true;
  }
}

/** Each value with its length, and itself or where it lies; of one that lies elsewhere it has the beginning. */
function checkViews(
  source: ByteSource,
  { of, length, places }: ColumnValues,
  { at }: Place,
  valid: IsValid | null,
  isText: boolean,
): void {
  if (valid === null) return;
  const behind = places.slice(2);
  const viewed = length * VIEW_BYTES;
  const texts = new LongTexts(
    of,
    behind.reduce((sum, { bytes }) => sum + bytes, viewed),
  );
  const window = new Window(source);
  const pieces = piecesOf(source, { at, bytes: viewed }, VIEW_BYTES);
  for (const { first, view, bytes } of pieces) {
    for (let no = 0; no * VIEW_BYTES < bytes.length; no += 1) {
      const begin = no * VIEW_BYTES;
      const long = view.getInt32(begin, true);
      if (!valid(first + no)) continue;
      const [in_, from] = [view.getInt32(begin + 8, true), view.getInt32(begin + 12, true)];
      const isWithin =
        long > INLINE_BYTES
          ? from >= 0 && from + long <= (behind[in_]?.bytes ?? -1)
          : long >= 0 && bytes.subarray(begin + 4 + long, begin + VIEW_BYTES).every(isZero);
      if (!isWithin) throw new Damaged(`${of} has values that lie outside of it`);
      const part = behind[in_];
      const isLong = long > INLINE_BYTES && part !== undefined;
      const isRead = isText && long <= PIECE_BYTES;
      const value = isLong
        ? window.read(part, from, isRead && texts.isNew(in_, from, long) ? long : PREFIX_BYTES)
        : bytes.subarray(begin + 4, begin + 4 + long);
      const prefix = bytes.subarray(begin + 4, begin + 4 + PREFIX_BYTES);
      const isSame = !isLong || prefix.every((byte, place) => value[place] === byte);
      if (!isSame) throw new Damaged(`${of} has values that begin in two ways`);
      if (isText && value.length >= long && !isUtf8(value)) {
        throw new Damaged(`${of} is not UTF-8`);
      }
    }
  }
}

const isZero = (byte: number): boolean => byte === 0;

interface Piece {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** The number of its first value. */
  readonly first: number;
}

/** Of a part, as many whole values at once as are held in memory. */
function* piecesOf(
  source: ByteSource,
  { at, bytes }: Place,
  width: number,
): Generator<Piece, void> {
  const step = PIECE_BYTES - (PIECE_BYTES % Math.max(1, width));
  for (let from = 0; from < bytes; from += step) {
    const piece = source.read(at + from, Math.min(step, bytes - from));
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length);
    yield { bytes: piece, view, first: from / Math.max(1, width) };
  }
}
