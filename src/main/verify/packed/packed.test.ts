import { expect, it } from 'vitest';
import { Damaged } from '../damage.ts';
import { cutsOf, flipsOf } from '../load.fixture.ts';
import { lz4BlockLength } from './lz4-block.ts';
import { lz4FrameLength } from './lz4-frame.ts';
import { snappyLength } from './snappy.ts';
import { xxhash32 } from './xxhash32.ts';

// `abcd`, and the four before it again, and eight.
const SNAPPY = [16, 3 << 2, 97, 98, 99, 100, 1, 4, (7 << 2) | 2, 4, 0];
// The same, and at its end `abcde` alone.
const LZ4 = [0x48, 97, 98, 99, 100, 4, 0, 0x50, 97, 98, 99, 100, 101];

it('a block of Snappy is as long as it says', () => {
  expect(snappyLength(Uint8Array.from(SNAPPY))).toBe(16);
  const lies = [15, ...SNAPPY.slice(1)];
  expect(() => snappyLength(Uint8Array.from(lies))).toThrow('another length than it says');
  const back = SNAPPY.map((byte, at) => (at === 7 ? 5 : byte));
  expect(() => snappyLength(Uint8Array.from(back))).toThrow('repeats what is not there');
});

it('a block of LZ4 is as long as its parts', () => {
  expect(lz4BlockLength(Uint8Array.from(LZ4))).toBe(4 + 12 + 5);
  const back = LZ4.map((byte, at) => (at === 5 ? 5 : byte));
  expect(() => lz4BlockLength(Uint8Array.from(back))).toThrow('repeats what is not there');
  expect(lz4BlockLength(Uint8Array.from(back), 1)).toBe(21);
});

it('a block of Snappy is found out wherever it is cut off', () => {
  for (let end = 0; end < SNAPPY.length; end += 1) {
    expect(() => snappyLength(Uint8Array.from(SNAPPY.slice(0, end)))).toThrow(Damaged);
  }
});

it('a block of LZ4 says no length: cut off, it is found out or shorter', () => {
  for (let end = 0; end < LZ4.length; end += 1) {
    const cut = Uint8Array.from(LZ4.slice(0, end));
    // Behind letters, where another block would end.
    if (end === 5) expect(lz4BlockLength(cut)).toBe(4);
    else expect(() => lz4BlockLength(cut)).toThrow(Damaged);
  }
});

it('XXH32 is what its own tests say', () => {
  const sums = ['', 'a', 'abc', 'Nobody inspects the spammish repetition'].map((text) =>
    xxhash32(Buffer.from(text)).toString(16),
  );
  expect(sums).toEqual(['2cc5d05', '550d7456', '32d153ff', 'e2293b2f']);
});

/** A frame around one block, with a checksum of it and the length of all. */
function frameOf(block: readonly number[], length: number): Uint8Array {
  const head = Buffer.from([0x78, 0x40, length, 0, 0, 0, 0, 0, 0, 0]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32LE(block.length);
  sum.writeUInt32LE(xxhash32(Uint8Array.from(block)));
  const check = (xxhash32(head) >>> 8) & 0xff;
  const mark = [0x04, 0x22, 0x4d, 0x18];
  return Buffer.concat([
    Buffer.from([...mark, ...head, check]),
    size,
    Buffer.from(block),
    sum,
    Buffer.alloc(4),
  ]);
}

it('a frame of LZ4 is as long as its blocks, and every bit of it counts', () => {
  const frame = frameOf(LZ4, 21);
  expect(lz4FrameLength(frame)).toBe(21);
  expect(() => lz4FrameLength(frameOf(LZ4, 20))).toThrow('another length than it says');
  for (const broken of [...flipsOf(frame, 0, frame.length), ...cutsOf(frame)]) {
    expect(() => lz4FrameLength(broken)).toThrow(Damaged);
  }
});
