import { expect, it } from 'vitest';
import { heardStretches } from './paint-plot.ts';

const plane = { left: 0, right: 100 };
const x = (atMs: number): number => atMs / 10;
const gap = (fromMs: number, toMs: number) => ({ fromMs, toMs, words: 'the connection was down' });

it.each([
  ['no gap', [], [[0, 100]]],
  [
    'one in the middle',
    [gap(300, 500)],
    [
      [0, 30],
      [50, 100],
    ],
  ],
  ['the beginning and the end', [gap(-50, 200), gap(900, 1200)], [[20, 90]]],
  [
    'two that touch',
    [gap(300, 400), gap(400, 500)],
    [
      [0, 30],
      [50, 100],
    ],
  ],
  ['all of it', [gap(0, 1000)], []],
  ['one too narrow to be hatched', [gap(300, 305)], [[0, 100]]],
])('draws no line through a gap: %s', (_what, gaps, stretches) => {
  expect(heardStretches(plane, gaps, x)).toEqual(stretches);
});
