import { expect, it } from 'vitest';
import { readDeltas } from './deltas.ts';

function valuesOf(bytes: readonly number[], count = bytes[2] ?? 0): readonly number[] | null {
  const values: number[] = [];
  const end = readDeltas(Uint8Array.from(bytes), 0, count, (first, step, times) => {
    for (let no = 0; no < times; no += 1) values.push(first + no * step);
  });
  return end === null ? null : values;
}

// 8 values a part, one part a block; the first is 7.
it('numbers are read from their differences', () => {
  expect(valuesOf([8, 1, 1, 14])).toEqual([7]);
  // At least 1 more each time, and in two bits how much more than that: 0, 1, 2.
  expect(valuesOf([8, 1, 4, 14, 2, 2, 0b100100, 0])).toEqual([7, 8, 10, 13]);
  // In no bits, so that each is 1 more.
  expect(valuesOf([8, 1, 4, 14, 2, 0])).toEqual([7, 8, 9, 10]);
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

it('as many as they should not be are found out before any is read', () => {
  expect(valuesOf([8, 1, 4, 14, 2, 2, 0b100100, 0], 5)).toBe(null);
});

it('numbers that take no bits are told in one go: no bytes bound how many there are', () => {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
  const [block, blocks] = [2 ** 20, 1000];
  const head = [block, 1, block * blocks + 1, 0].flatMap(varint);
  const bytes = Uint8Array.from([...head, ...Array<number>(2 * blocks).fill(0)]);
  let [told, calls] = [0, 0];
  const end = readDeltas(bytes, 0, block * blocks + 1, (_first, _step, times) => {
    told += times;
    calls += 1;
  });
  expect([end, told, calls]).toEqual([bytes.length, block * blocks + 1, blocks + 1]);
});
