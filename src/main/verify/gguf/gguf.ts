import type { ByteSource } from '../byte-source.ts';
import { Cursor } from '../cursor.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { NumberSpan } from '../number-scan.ts';
import { tensorFormat, type Structure } from '../reading.ts';
import { StrictUtf8 } from '../utf8.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import { TENSOR_TYPES } from './tensor-types.ts';

export const gguf = tensorFormat('gguf', /\.gguf$/i, readGguf);

const MAGIC = 0x46554747;
const DEFAULT_ALIGNMENT = 32;
const PAGE_BYTES = 4096;
/** Beyond what any model has; each takes memory while a file is read. */
const MAX_ENTRIES = 65_536;
const MAX_NAME_BYTES = 1024;
/** As ggml itself has it. */
const MAX_DIMENSIONS = 4;
/** Arrays may hold arrays; the library reads none deeper. */
const MAX_DEPTH = 4;

const [UINT16, UINT32, INT32, BOOL, STRING, ARRAY] = [2, 4, 5, 7, 8, 9];
/** Bytes of one value, by its type. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  ...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 },
};

/** What other readers ask of the values: whole numbers, and those only. */
type Numbers = ReadonlyMap<string, number>;

export interface GgufHeader {
  readonly numbers: Numbers;
  readonly keys: number;
  readonly tensors: readonly Tensor[];
  /** Where the header ends. */
  readonly end: number;
  readonly alignment: number;
}

interface Tensor {
  readonly name: string;
  readonly type: number;
  readonly numbers: number;
  readonly bytes: number;
  /** From the beginning of the data on. */
  readonly at: number;
}

/** Its header against its bytes: each tensor as long as its shape and its type say, one behind the other, and the whole file covered. */
function readGguf(source: ByteSource): Structure {
  const { tensors, keys, end, alignment } = readGgufHeader(source);
  const dataAt = padded(end, alignment);
  let covered = 0;
  for (const { name, at, bytes } of tensors) {
    if (at !== covered) {
      const what = at > covered ? 'bytes before it belong to nothing' : 'it overlaps another';
      throw new Damaged(`of the tensor ${quoted(name)}, ${what}`);
    }
    covered = padded(at + bytes, alignment);
  }
  const last = tensors.at(-1);
  // Not every writer fills up behind the last one.
  const least = last === undefined ? end : dataAt + last.at + last.bytes;
  const isLonger = source.sizeBytes > dataAt + covered && !isFilledUp(source, dataAt + covered);
  if (source.sizeBytes < least || isLonger) {
    throw new Damaged(
      `what its header describes takes ${String(least)} bytes, and the file has ${String(source.sizeBytes)}`,
    );
  }
  const numbers = tensors.reduce((sum, each) => sum + each.numbers, 0);
  return {
    holds: `${plural(tensors.length, 'tensor')}, ${plural(numbers, 'number')}, ${plural(keys, 'key')}`,
    spans: tensors.flatMap(({ name, type, at, bytes }): NumberSpan[] => {
      const scanned = TENSOR_TYPES.get(type)?.scanned;
      if (scanned === undefined || bytes === 0) return [];
      return [{ tensor: name, at: dataAt + at, bytes, type: scanned }];
    }),
  };
}

/** Some writers fill up the last page of a file, whatever it says of its alignment. */
function isFilledUp(source: ByteSource, from: number): boolean {
  const bytes = source.sizeBytes - from;
  return bytes < PAGE_BYTES && source.read(from, bytes).every((byte) => byte === 0);
}

export function readGgufHeader(source: ByteSource): GgufHeader {
  const cursor = new Cursor(source, 'its header');
  if (cursor.u32() !== MAGIC) throw new Damaged('it does not begin as a GGUF file does');
  const version = cursor.u32();
  if (version === 0x0200_0000 || version === 0x0300_0000) {
    throw new NotLoadable('its numbers are written in the order of another kind of processor');
  }
  if (version === 1) throw new NotLoadable('it is of a version that its own readers gave up');
  if (version !== 2 && version !== 3) throw new Damaged('its version is not known');
  const tensorCount = countOf(cursor, 'tensors', 24);
  const keys = countOf(cursor, 'keys', 13);
  const numbers = readKeys(cursor, keys);
  const alignment = numbers.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  // As ggml has it: a power of two, of which the least is one.
  if (Math.log2(alignment) % 1 !== 0) throw new Damaged('its alignment is none');
  const tensors: Tensor[] = [];
  const names = new Set<string>();
  for (let no = 0; no < tensorCount; no += 1) {
    const tensor = readTensor(cursor);
    if (names.has(tensor.name)) {
      throw new Damaged(`the tensor ${quoted(tensor.name)} is there twice`);
    }
    names.add(tensor.name);
    tensors.push(tensor);
  }
  return { numbers, keys, tensors, end: cursor.at, alignment };
}

/** How many there are said to be: the file has room for them, and so has memory. */
function countOf(cursor: Cursor, what: string, leastBytes: number): number {
  const count = cursor.u64();
  if (count * leastBytes > cursor.left) {
    throw new Damaged(`its header has more ${what} than the file has room for`);
  }
  if (count > MAX_ENTRIES) throw new NotLoadable(`it has more ${what} than Leasehold looks at`);
  return count;
}

function readKeys(cursor: Cursor, count: number): Numbers {
  const numbers = new Map<string, number>();
  const names = new Set<string>();
  for (let no = 0; no < count; no += 1) {
    const name = nameOf(cursor, 'a key');
    if (names.has(name)) throw new Damaged(`the key ${quoted(name)} is there twice`);
    names.add(name);
    const type = cursor.u32();
    if (type === UINT32) numbers.set(name, cursor.u32());
    else if (type === UINT16) numbers.set(name, cursor.u16());
    else if (type === INT32) numbers.set(name, cursor.i32());
    else if (type === BOOL) {
      if (cursor.u8() > 1) throw new Damaged(`the key ${quoted(name)} is neither true nor false`);
    } else skipValue(cursor, type, name, 0);
  }
  return numbers;
}

function skipValue(cursor: Cursor, type: number, name: string, depth: number): void {
  if (type === STRING) cursor.skip(cursor.u64());
  else if (type === ARRAY) {
    if (depth === MAX_DEPTH) throw new Damaged(`the key ${quoted(name)} has more levels than any`);
    const of = cursor.u32();
    const count = cursor.u64();
    const each = VALUE_BYTES[of];
    if (each !== undefined) cursor.skip(count * each);
    else {
      // Each takes 8 bytes at least, so that no count keeps a reader longer than its file.
      if (count * 8 > cursor.left) throw new Damaged('its header is cut off');
      for (let no = 0; no < count; no += 1) skipValue(cursor, of, name, depth + 1);
    }
  } else {
    const bytes = VALUE_BYTES[type];
    if (bytes === undefined) throw new Damaged(`the key ${quoted(name)} is of no type`);
    cursor.skip(bytes);
  }
}

function readTensor(cursor: Cursor): Tensor {
  const name = nameOf(cursor, 'a tensor');
  const of = `the tensor ${quoted(name)}`;
  const dimensions = cursor.u32();
  if (dimensions > MAX_DIMENSIONS) throw new Damaged(`${of} has more dimensions than any`);
  const shape = Array.from({ length: dimensions }, () => cursor.u64());
  const type = cursor.u32();
  const at = cursor.u64();
  const kind = TENSOR_TYPES.get(type);
  if (kind === undefined) throw new NotLoadable(`${of} is of a type that Leasehold does not know`);
  const { block, blockBytes } = kind;
  const numbers = shape.reduce((product, size) => product * size, 1);
  const bytes = (numbers / block) * blockBytes;
  if ((shape[0] ?? 1) % block !== 0 || !Number.isSafeInteger(numbers) || !isPlace(at + bytes)) {
    throw new Damaged(`${of} has a shape that its type cannot have`);
  }
  return { name, type, numbers, bytes, at };
}

const isPlace = (bytes: number): boolean => Number.isSafeInteger(bytes);

function nameOf(cursor: Cursor, of: string): string {
  const bytes = cursor.u64();
  if (bytes > MAX_NAME_BYTES) throw new Damaged(`the name of ${of} is longer than any`);
  return new StrictUtf8(`the name of ${of}`).decode(cursor.bytes(bytes));
}

const padded = (bytes: number, alignment: number): number =>
  Math.ceil(bytes / alignment) * alignment;
