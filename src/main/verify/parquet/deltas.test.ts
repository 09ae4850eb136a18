import { expect, it } from 'vitest';
import { readDeltas } from './deltas.ts';

function valuesOf(bytes: readonly number[]): readonly number[] | null {
  const values: number[] = [];
  return readDeltas(Uint8Array.from(bytes), 0, (value) => values.push(value)) === null
    ? null
    : values;
}

// 8 values a part, one part a block; the first is 7.
it('numbers are read from their differences', () => {
  expect(valuesOf([8, 1, 1, 14])).toEqual([7]);
  // At least 1 more each time, and in two bits how much more than that: 0, 1, 2.
  expect(valuesOf([8, 1, 4, 14, 2, 2, 0b100100, 0])).toEqual([7, 8, 10, 13]);
  expect(valuesOf([8, 1, 0, 0])).toEqual([]);
});

it.each([
  ['a block of nothing', [0, 1, 1, 14]],
  ['no parts', [8, 0, 1, 14]],
  ['parts that are not whole rows of eight', [12, 1, 1, 14]],
  ['a width beyond all numbers', [8, 1, 4, 14, 2, 65, ...Array<number>(80).fill(0)]],
  ['differences that are cut off', [8, 1, 4, 14, 2, 2, 0]],
  ['a head that is cut off', [8, 1, 4]],
])('%s is found out', (_what, bytes) => {
  expect(valuesOf(bytes)).toBe(null);
});
