import { expect, it } from 'vitest';
import { NotLoadable } from '../damage.ts';
import { hybridValues } from './hybrid.ts';

it('values of no bits are told in one go: no bytes bound how many there are', () => {
  const told: (readonly [number, number])[] = [];
  // A row of 125 times eight, whose number has seven bits in each byte, the lowest first.
  const row = Uint8Array.of(0xfb, 0x01);
  expect(hybridValues(row, 0, 1000, (...each) => void told.push(each))).toBe(true);
  expect(told).toEqual([[0, 1000]]);
});

it('a last row of eight that is short has lost nothing while all values asked for are there', () => {
  // Eight values of two bits, of which the last byte is missing.
  const row = Uint8Array.of(0x03, 0xe4);
  const read = (count: number): boolean => hybridValues(row, 2, count, () => undefined);
  expect(() => read(4)).toThrow(NotLoadable);
  expect(read(5)).toBe(false);
});
