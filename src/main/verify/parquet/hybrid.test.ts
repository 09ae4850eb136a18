import { expect, it } from 'vitest';
import { hybridValues } from './hybrid.ts';

it('values of no bits are told in one go: no bytes bound how many there are', () => {
  const told: (readonly [number, number])[] = [];
  // A row of 125 times eight, whose number has seven bits in each byte, the lowest first.
  const row = Uint8Array.of(0xfb, 0x01);
  expect(hybridValues(row, 0, 1000, (...each) => void told.push(each))).toBe(true);
  expect(told).toEqual([[0, 1000]]);
});
