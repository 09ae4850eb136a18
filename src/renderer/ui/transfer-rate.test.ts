import { expect, it } from 'vitest';
import { judgeRate, withSample, type ByteSample } from './transfer-rate.ts';

const samples = (...all: readonly (readonly [second: number, bytes: number])[]) =>
  all.reduce<readonly ByteSample[]>(
    (before, [second, bytes]) => withSample(before, { atMs: second * 1000, bytes }),
    [],
  );

it.each([
  ['nothing seen', samples(), 0, null, null],
  ['one look', samples([0, 500]), 0, null, null],
  ['less than a second', samples([0, 0], [0.5, 500]), 0.5, null, null],
  ['a steady flow', samples([0, 0], [1, 100], [2, 200]), 2, 100, null],
  ['what was here before counts for nothing', samples([0, 9000], [2, 9200]), 2, 100, null],
  ['only the last seconds', samples([0, 0], [100, 10], [111, 1110]), 111, 100, null],
  ['it stands still', samples([0, 0], [2, 200]), 8, 25, 6000],
  ['it began again', samples([0, 0], [2, 200], [3, 0], [5, 20]), 5, 10, null],
  ['the clock was set back', samples([9, 0], [2, 200], [4, 300]), 4, 50, null],
] as const)('%s', (_name, seen, nowSecond, bytesPerSecond, stillMs) => {
  expect(judgeRate(seen, nowSecond * 1000)).toEqual({ bytesPerSecond, stillMs });
});
