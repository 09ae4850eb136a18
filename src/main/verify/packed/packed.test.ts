import { expect, it } from 'vitest';
import { Damaged } from '../damage.ts';
import { lz4BlockLength } from './lz4-block.ts';
import { snappyLength } from './snappy.ts';

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
