import { expect, it } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { readBatch } from './batch.ts';
import type { FlatTable } from './flatbuffer.ts';
import type { Column } from './schema.ts';

const PART_BYTES = 48 * 1024 * 1024;

/** Rows of one column of text, whose values lie in so many parts of which each says that it did not become shorter. */
function batchOf(parts: number): FlatTable {
  const pair = (first: number, second: number): DataView => {
    const view = new DataView(new ArrayBuffer(16));
    view.setBigInt64(0, BigInt(first), true);
    view.setBigInt64(8, BigInt(second), true);
    return view;
  };
  const places = Array.from({ length: parts }, (_, no) => pair(no * PART_BYTES, PART_BYTES));
  const structs = [[], [pair(0, 0)], places, [], [pair(parts, 0)]];
  return {
    i64: () => 0,
    structs: (no: number) => structs[no] ?? [],
    table: () => ({ u8: () => 1 }),
  } as unknown as FlatTable;
}

it('a column in many parts is held up to a bound, and beyond it told not to be unpacked', () => {
  const reads: number[] = [];
  const source: ByteSource = {
    sizeBytes: 8 * PART_BYTES,
    read: (_at, length) => {
      reads.push(length);
      return new Uint8Array(length).fill(0xff, 0, 8);
    },
  };
  const text = { name: 'text', parts: [{ kind: 'more' }], children: [] } as unknown as Column;
  const look = (parts: number) => {
    reads.length = 0;
    const body = { source, at: 0, bytes: source.sizeBytes };
    return readBatch(batchOf(parts), [text], body, new Map()).notUnpacked;
  };
  expect(look(2)).toBeNull();
  expect(look(8)).toMatch(/^a column of some rows unpacks to more than/);
  expect(reads.filter((bytes) => bytes > 8)).toEqual([PART_BYTES - 8, PART_BYTES - 8]);
});
