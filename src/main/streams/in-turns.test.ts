import { expect, it } from 'vitest';
import { mapInTurns } from './in-turns.ts';

it('gives what a map gives, and lets others have their turn meanwhile', async () => {
  const numbers = Array.from({ length: 2000 }, (_none, at) => at);
  let doneThen = -1;
  let done = 0;
  const mapped = mapInTurns(numbers, (each) => {
    done += 1;
    return each * 2;
  });
  setImmediate(() => (doneThen = done));
  expect(await mapped).toEqual(numbers.map((each) => each * 2));
  expect(doneThen).toBeGreaterThan(0);
  expect(doneThen).toBeLessThan(2000);
});

it('gives nothing for nothing', async () => {
  expect(await mapInTurns([], () => 1)).toEqual([]);
});
