import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { fieldsOf } from '../protobuf.ts';
import { quoted } from '../quoted.ts';
import { StrictUtf8 } from '../utf8.ts';
import { cursorOf, readTable } from './table.ts';

/** Beyond what any model has; each takes memory while a file is read. */
const MAX_ENTRIES = 300_000;

/** A tensor of a checkpoint, by `tensor_bundle.proto`. */
export interface BundleEntry {
  readonly name: string;
  readonly shard: number;
  /** In the file of that shard. */
  readonly at: number;
  readonly bytes: number;
  /** Masked, of its bytes. */
  readonly crc: number;
  /** Texts have their lengths before them; null: the numbers lie there as they are. */
  readonly texts: number | null;
}

export interface Bundle {
  readonly shards: number;
  readonly entries: readonly BundleEntry[];
}

const STRING = 7;
/** Bytes of one number, by `types.proto`. */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 4, 2: 8, 3: 4, 4: 1, 5: 2, 6: 1, 8: 8, 9: 8, 10: 1, 11: 1, 12: 1, 13: 4, 14: 2 },
  ...{ 15: 2, 16: 2, 17: 2, 18: 16, 19: 2, 22: 4, 23: 8, 24: 1, 25: 1, 26: 1, 27: 1 },
};

/** What the index of a checkpoint says: each tensor as long as its shape and its type, in one of its shards. */
export function readBundle(source: ByteSource): Bundle {
  let shards: number | null = null;
  const entries: BundleEntry[] = [];
  for (const { key, value } of readTable(source)) {
    if (key.length === 0) {
      shards = readHeader(value);
      continue;
    }
    // A part of a variable has a key of bytes, which begins with a zero that no name has.
    const name = key[0] === 0 ? 'a part' : new StrictUtf8('the name of a tensor').decode(key);
    const entry = readEntry(name, value);
    if (entry !== null) entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      throw new NotLoadable('it has more tensors than Leasehold looks at');
    }
  }
  if (shards === null) throw new Damaged('its index has no header');
  return { shards, entries };
}

function readHeader(value: Uint8Array): number {
  let shards = 0;
  const cursor = cursorOf(value);
  for (const { field, value: said } of fieldsOf(cursor, value.length)) {
    if (field === 1) shards = said;
    if (field === 2 && said !== 0) {
      throw new NotLoadable('its numbers are written in the order of another kind of processor');
    }
  }
  if (shards < 1 || shards > 99_999) throw new Damaged('its index says no number of parts');
  return shards;
}

/** Null: a variable whose parts are entries of their own. */
function readEntry(name: string, value: Uint8Array): BundleEntry | null {
  const of = `the tensor ${quoted(name)}`;
  const said = { type: 0, shard: 0, at: 0, bytes: 0, crc: 0 };
  let numbers = 1;
  let isSliced = false;
  const cursor = cursorOf(value);
  for (const { field, wire, value: number, at } of fieldsOf(cursor, value.length)) {
    if (field === 1) said.type = number;
    else if (field === 2 && wire === 2) numbers = numbersOf(value, at, at + number);
    else if (field === 3) said.shard = number;
    else if (field === 4) said.at = number;
    else if (field === 5) said.bytes = number;
    else if (field === 6 && wire === 5) said.crc = cursor.u32();
    else if (field === 7) isSliced = true;
  }
  if (isSliced) return null;
  const { type, shard, at, bytes, crc } = said;
  if (type === STRING) return { name, shard, at, bytes, crc, texts: numbers };
  const each = TYPE_BYTES[type];
  if (each === undefined) throw new NotLoadable(`${of} is of a type that Leasehold does not know`);
  if (!Number.isSafeInteger(numbers * each) || numbers * each !== bytes) {
    throw new Damaged(`${of} takes ${String(bytes)} bytes, which its shape does not fill`);
  }
  return { name, shard, at, bytes, crc, texts: null };
}

/** Of a shape: its sizes, one multiplied by the other. */
function numbersOf(value: Uint8Array, from: number, end: number): number {
  let numbers = 1;
  const cursor = cursorOf(value, from, end);
  for (const { field, value: bytes, at } of fieldsOf(cursor, end)) {
    if (field !== 2) continue;
    let size = 0;
    const inner = cursorOf(value, at, at + bytes);
    for (const each of fieldsOf(inner, at + bytes)) if (each.field === 1) size = each.value;
    numbers *= size;
  }
  return numbers;
}
