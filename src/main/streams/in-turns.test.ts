import { expect, it } from 'vitest';
import { mapInTurns, nextTurn } from './in-turns.ts';

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

it('gives each of those who wait a turn of its own', async () => {
  const turns: string[] = [];
  const watch = setInterval(() => turns.push('others'), 0);
  const beginning = async (name: string): Promise<void> => {
    await nextTurn();
    turns.push(name);
    // As long as a timer takes to be due.
    for (const until = performance.now() + 2; performance.now() < until;);
  };
  await Promise.all(['a', 'b', 'c'].map(beginning));
  clearInterval(watch);
  expect(turns.join(' ')).toMatch(/a others.* b others.* c/);
});

it('gives nothing for nothing', async () => {
  expect(await mapInTurns([], () => 1)).toEqual([]);
});
