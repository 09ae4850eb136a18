import { expect, it } from 'vitest';
import { sourceOf } from '../load.fixture.ts';
import { Lists } from './lists.ts';
import { Hdf5File } from './parts.ts';

const LEADS_BYTES = 16;
const COLLECTION_BYTES = 40;
const LAST_NUMBER = 65_535;

/** Texts of one byte, each in a collection of its own, under the highest number there is: as much as can be held of so little. */
function textsApart(count: number): Buffer {
  const bytes = Buffer.alloc(count * (LEADS_BYTES + COLLECTION_BYTES));
  for (let no = 0; no < count; no += 1) {
    const [lead, at] = [no * LEADS_BYTES, count * LEADS_BYTES + no * COLLECTION_BYTES];
    bytes.writeUInt32LE(1, lead);
    bytes.writeBigUInt64LE(BigInt(at), lead + 4);
    bytes.writeUInt32LE(LAST_NUMBER, lead + 12);
    bytes.write('GCOL\u0001', at);
    bytes.writeBigUInt64LE(BigInt(COLLECTION_BYTES), at + 8);
    bytes.writeUInt16LE(LAST_NUMBER, at + 16);
    bytes.writeBigUInt64LE(1n, at + 24);
  }
  return bytes;
}

it.each([
  [128, true],
  [129, false],
])('what %i collections of texts make of memory is within 64 MiB: %s', (count, isAll) => {
  const bytes = textsApart(count);
  const lists = new Lists(new Hdf5File(sourceOf(bytes), bytes.length));
  const element = { bytes: LEADS_BYTES, itemBytes: 1, scanned: null };
  lists.take({ at: 0, bytes: count * LEADS_BYTES, of: 'a set of data', element });
  expect(lists.check()).toBe(isAll);
});
