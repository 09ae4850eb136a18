import { isUtf8 } from 'node:buffer';
import { Damaged } from '../damage.ts';
import { hybridValues } from './hybrid.ts';
import type { Page } from './pages.ts';

/** By their numbers in `parquet.thrift`. */
const ENCODING = { plain: 0, plainDictionary: 2, levels: 3, bits: 4, dictionary: 8, split: 9 };
const [DATA, INDEX, DICTIONARY] = [0, 1, 2];
const TYPE = { truth: 0, bytes: 6, fixedBytes: 7 };
/** Of a value, by its type: 0 where that does not say. */
const VALUE_BYTES = [0, 4, 8, 12, 4, 8, 0, 0];
const LENGTH_BYTES = 4;
/** fastparquet leaves so many behind the values of a page. */
const SPARE_BYTES = 8;

/** How many values of a column its dictionary has; null: it has none. */
export type DictionarySize = number | null;

/**
 * What a page unpacked to, against what is said of it: how deep each value is nested is no deeper than the column, there are as many values
 * as are there, and none of them is of a dictionary that has not so many. It answers how many values a dictionary has.
 */
export function checkPage(page: Page, content: Buffer, dictionary: DictionarySize): DictionarySize {
  const { leaf } = page.chunk;
  if (page.kind === DICTIONARY) {
    checkPlain(page, content, page.values);
    return page.values;
  }
  if (page.kind === INDEX) return dictionary;
  let [at, present] = [0, page.values];
  for (const [most, bytes, encoding] of [
    [leaf.repeats, page.repetitionBytes, page.repetitionEncoding],
    [leaf.depth, page.definitionBytes, page.definitionEncoding],
  ] as const) {
    if (page.kind === DATA && most === 0) continue;
    // An older way to write them, which is no longer used and not looked at.
    if (page.kind === DATA && encoding === ENCODING.bits) return dictionary;
    if (page.kind === DATA && encoding !== ENCODING.levels) throw otherThan(page);
    const from = page.kind === DATA ? at + LENGTH_BYTES : at;
    if (from > content.length) throw otherThan(page);
    const length = page.kind === DATA ? content.readUInt32LE(at) : bytes;
    if (length > content.length - from) throw otherThan(page);
    at = from + length;
    if (most === 0) continue;
    const whole = countLevels(page, content.subarray(from, at), most);
    if (most === leaf.depth) present = whole;
  }
  checkValues(page, content.subarray(at), present, dictionary);
  return dictionary;
}

/** How many are as deep as the column, and so have a value. */
function countLevels(page: Page, bytes: Uint8Array, most: number): number {
  let whole = 0;
  const bits = 32 - Math.clz32(most);
  const isRead = hybridValues(bytes, bits, page.values, (value, times) => {
    if (value > most) throw otherThan(page);
    if (value === most) whole += times;
  });
  if (!isRead) throw otherThan(page);
  return whole;
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
  } else if (encoding === ENCODING.split && isOtherThan(bytes.length, count * widthOf(page))) {
    throw otherThan(page);
  }
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

const isOtherThan = (bytes: number, needed: number): boolean =>
  bytes < needed || bytes > needed + SPARE_BYTES;

const otherThan = ({ chunk }: Page): Damaged =>
  new Damaged(`a page of ${chunk.of} has other values than it says`);
