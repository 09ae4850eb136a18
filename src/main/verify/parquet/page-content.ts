import { isUtf8 } from 'node:buffer';
import { Damaged } from '../damage.ts';
import { readDeltas } from './deltas.ts';
import { HybridRuns, hybridValues } from './hybrid.ts';
import type { ListLevels } from './list-lengths.ts';
import type { Page } from './pages.ts';

/** By their numbers in `parquet.thrift`. */
const ENCODING = {
  ...{ plain: 0, plainDictionary: 2, levels: 3, bits: 4, deltas: 5, deltaTexts: 7 },
  ...{ dictionary: 8, split: 9 },
};
const [DATA, INDEX, DICTIONARY] = [0, 1, 2];
const TYPE = { truth: 0, bytes: 6, fixedBytes: 7 };
/** Of which types values may be as runs of truths, and as differences. */
const OF_TYPES: Readonly<Record<number, readonly number[]>> = {
  3: [0],
  5: [1, 2],
  6: [6],
  7: [6, 7],
};
/** Of a value, by its type: 0 where that does not say. */
const VALUE_BYTES = [0, 4, 8, 12, 4, 8, 0, 0];
const LENGTH_BYTES = 4;
/** fastparquet leaves so many behind the values of a page. */
const SPARE_BYTES = 8;

/** How many values of a column its dictionary has; null: it has none. */
export type DictionarySize = number | null;

export interface Checked {
  readonly dictionary: DictionarySize;
  /** How many rows begin in it; null: it does not tell. */
  readonly rows: number | null;
}

/**
 * What a page unpacked to, against what is said of it: how deep each value is nested is no deeper than the column, there are as many values
 * as are there, and none of them is of a dictionary that has not so many. It answers how many values a dictionary has.
 */
export function checkPage(
  page: Page,
  content: Buffer,
  dictionary: DictionarySize,
  lists: ListLevels,
): Checked {
  const { leaf } = page.chunk;
  if (page.kind === DICTIONARY) {
    checkPlain(page, content, page.values);
    return { dictionary: page.values, rows: 0 };
  }
  if (page.kind === INDEX) return { dictionary, rows: 0 };
  let [at, present, rows] = [0, page.values, page.values];
  let repeats: Uint8Array | null = null;
  let depths: Uint8Array | null = null;
  for (const [isRepeats, most, bytes, encoding] of [
    [true, leaf.repeats, page.repetitionBytes, page.repetitionEncoding],
    [false, leaf.depth, page.definitionBytes, page.definitionEncoding],
  ] as const) {
    if (page.kind === DATA && most === 0) continue;
    // An older way to write them, which is no longer used and not looked at.
    if (page.kind === DATA && encoding === ENCODING.bits) return { dictionary, rows: null };
    if (page.kind === DATA && encoding !== ENCODING.levels) throw otherThan(page);
    const from = page.kind === DATA ? at + LENGTH_BYTES : at;
    if (from > content.length) throw otherThan(page);
    const length = page.kind === DATA ? content.readUInt32LE(at) : bytes;
    if (length > content.length - from) throw otherThan(page);
    at = from + length;
    if (most === 0) continue;
    const levels = content.subarray(from, at);
    const { whole, none } = countLevels(page, levels, most, (level, times) =>
      isRepeats ? lists.repeats(level, times) : lists.depth(level, times),
    );
    if (isRepeats) [rows, repeats] = [none, levels];
    else [present, depths] = [whole, levels];
  }
  if (repeats !== null && depths !== null) checkListsGoOn(page, repeats, depths);
  checkValues(page, content.subarray(at), present, dictionary);
  return { dictionary, rows };
}

/** How many are as deep as the column, and so have a value; and how many are at no level, where a row begins. */
function countLevels(
  page: Page,
  bytes: Uint8Array,
  most: number,
  tell: (level: number, times: number) => void,
): { readonly whole: number; readonly none: number } {
  let [whole, none] = [0, 0];
  const isRead = hybridValues(bytes, bitsOf(most), page.values, (value, times) => {
    if (value > most) throw otherThan(page);
    if (value === most) whole += times;
    if (value === 0) none += times;
    tell(value, times);
  });
  if (!isRead) throw otherThan(page);
  return { whole, none };
}

const bitsOf = (most: number): number => 32 - Math.clz32(most);

/** Only a list that is there goes on: what is repeated at a level is at least as deep as the list of that level. */
function checkListsGoOn(page: Page, repeats: Uint8Array, depths: Uint8Array): void {
  const { leaf } = page.chunk;
  const repeat = new HybridRuns(repeats, bitsOf(leaf.repeats), page.values);
  const depth = new HybridRuns(depths, bitsOf(leaf.depth), page.values);
  // How many of the run of each are still to be held against the other's.
  let [ofRepeat, ofDepth] = [0, 0];
  for (;;) {
    if (ofRepeat === 0) ofRepeat = repeat.next() ? repeat.times : 0;
    if (ofDepth === 0) ofDepth = depth.next() ? depth.times : 0;
    if (ofRepeat === 0 || ofDepth === 0) return;
    const needed = repeat.value === 0 ? 0 : (leaf.lists[repeat.value - 1]?.depth ?? 0);
    if (depth.value < needed) throw otherThan(page);
    const both = Math.min(ofRepeat, ofDepth);
    ofRepeat -= both;
    ofDepth -= both;
  }
}

function checkValues(page: Page, bytes: Buffer, count: number, dictionary: DictionarySize): void {
  const { encoding } = page;
  if (encoding === ENCODING.plain) checkPlain(page, bytes, count);
  else if (encoding === ENCODING.dictionary || encoding === ENCODING.plainDictionary) {
    if (count === 0) return;
    const [bits = 0] = bytes;
    const size = dictionary ?? 0;
    const isRead = hybridValues(bytes.subarray(1), bits, count, (value) => {
      if (value >= size) throw otherThan(page);
    });
    if (bytes.length === 0 || bits > 32 || !isRead) throw otherThan(page);
  } else if (encoding === ENCODING.split) {
    if (isOtherThan(bytes.length, count * widthOf(page))) throw otherThan(page);
  } else if (OF_TYPES[encoding]?.includes(page.chunk.leaf.type) !== true) throw otherThan(page);
  else if (encoding !== ENCODING.levels) checkDeltas(page, bytes, count);
}

const widthOf = ({ chunk: { leaf } }: Page): number =>
  leaf.type === TYPE.fixedBytes ? leaf.fixedBytes : (VALUE_BYTES[leaf.type] ?? 0);

function checkPlain(page: Page, bytes: Buffer, count: number): void {
  const { type, isText } = page.chunk.leaf;
  if (type === TYPE.truth) {
    if (isOtherThan(bytes.length, Math.ceil(count / 8))) throw otherThan(page);
    return;
  }
  if (type !== TYPE.bytes) {
    if (isOtherThan(bytes.length, count * widthOf(page))) throw otherThan(page);
    return;
  }
  let at = 0;
  for (let no = 0; no < count; no += 1) {
    if (at + LENGTH_BYTES > bytes.length) throw otherThan(page);
    const from = at + LENGTH_BYTES;
    at = from + bytes.readUInt32LE(at);
    if (at > bytes.length) throw otherThan(page);
    if (isText && !isUtf8(bytes.subarray(from, at))) throw otherThan(page);
  }
  if (isOtherThan(bytes.length, at)) throw otherThan(page);
}

/** Whole numbers as differences; or texts, whose lengths are such numbers, and of some also how much is as in the one before. */
function checkDeltas(page: Page, bytes: Uint8Array, count: number): void {
  const isOfLengths = page.encoding !== ENCODING.deltas;
  let [sum, isLength] = [0, true];
  const take = (first: number, step: number, times: number): void => {
    const last = first + step * (times - 1);
    sum += ((first + last) / 2) * times;
    isLength &&= first >= 0 && last >= 0;
  };
  let at = 0;
  if (page.encoding === ENCODING.deltaTexts) {
    const prefixes = readDeltas(bytes, 0, count, take);
    if (prefixes === null || !isLength) throw otherThan(page);
    at = prefixes;
    sum = 0;
  }
  const end = readDeltas(bytes, at, count, isOfLengths ? take : null);
  if (end === null || !isLength || isOtherThan(bytes.length, end + (isOfLengths ? sum : 0)))
    throw otherThan(page);
}

const isOtherThan = (bytes: number, needed: number): boolean =>
  bytes < needed || bytes > needed + SPARE_BYTES;

const otherThan = ({ chunk }: Page): Damaged =>
  new Damaged(`a page of ${chunk.of} has other values than it says`);
