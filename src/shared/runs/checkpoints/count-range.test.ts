import { expect, it } from 'vitest';
import { meanRangeOf } from './count-range.ts';

it('gives the exact interval of a Poisson count, as tables have it', () => {
  const rounded = (count: number) => meanRangeOf(count).map((mean) => Number(mean.toFixed(3)));
  expect(rounded(0)).toEqual([0, 2.996]);
  expect(rounded(1)).toEqual([0.051, 4.744]);
  expect(rounded(2)).toEqual([0.355, 6.296]);
  expect(rounded(5)).toEqual([1.97, 10.513]);
  expect(rounded(10)).toEqual([5.425, 16.962]);
});

it('holds for as many as a box has in years', () => {
  const [low, high] = meanRangeOf(2000);
  // Near the normal approximation: 2000 ± 1.645 × √2000.
  expect(low).toBeGreaterThan(1925);
  expect(low).toBeLessThan(1930);
  expect(high).toBeGreaterThan(2073);
  expect(high).toBeLessThan(2079);
});
