import { expect, it } from 'vitest';
import { cheapestInterval, compareInterval, wholeSteps } from './save-interval.ts';

const H = 3_600_000;

it('reproduces the worked case of the facts', () => {
  const best = cheapestInterval(30_000, 3 * H) ?? 0;
  expect(Math.round(best / 1000)).toBe(805);
  expect(wholeSteps(best, 2000)).toBe(400);
});

it('gives no interval where a save takes half of the time between interruptions', () => {
  expect(cheapestInterval(H, 2 * H)).toBeNull();
  expect(cheapestInterval(0, 2 * H)).toBeNull();
  expect(cheapestInterval(2, 100)).toBe(20);
});

it('rounds steps down to two digits', () => {
  expect(wholeSteps(9_999, 1000)).toBe(9);
  expect(wholeSteps(99_000, 1000)).toBe(99);
  expect(wholeSteps(1_279_000, 1000)).toBe(1200);
  expect(wholeSteps(900, 1000)).toBeNull();
});

it('calls an interval near that costs at most a tenth more', () => {
  expect(compareInterval(63, 100)).toBe('often');
  expect(compareInterval(64, 100)).toBe('near');
  expect(compareInterval(156, 100)).toBe('near');
  expect(compareInterval(157, 100)).toBe('seldom');
});
