import { expect, it } from 'vitest';
import type { Interval } from '../../meter/interval.ts';
import { upsOf } from './box-ups.ts';

const line = (no: number, fromMs: number, ms: number, part: Partial<Interval> = {}): Interval => ({
  ...{ no, fromMs, ms, phase: 'running', source: 'observed', charges: [], life: null },
  ...part,
});
const life = (id: string | null, upForMs: number) => ({ life: { id, upForMs } });
const up = (fromMs: number, toMs: number, isStoppedAfter = false, startedMs = fromMs) => ({
  fromMs,
  startedMs,
  toMs,
  isStoppedAfter,
});
const ups = (intervals: readonly Interval[], voids: readonly number[] = []) =>
  upsOf({
    intervals,
    transfers: [],
    corrections: voids.map((each, at) => ({
      ...{ no: 100 + at, voids: each, atMs: 0, by: 'box', reason: '' },
    })),
  });

it('joins what the box answered in one life, over the time in which nobody watched', () => {
  const lines = [
    line(1, 1000, 100, life('a', 50)),
    line(2, 1100, 400, { source: 'unresolved' }),
    line(3, 1500, 100, life('a', 550)),
  ];
  expect(ups(lines)).toEqual([up(1000, 1600, false, 950)]);
});

it('begins the next life when the box says that it did, and not before the last was seen', () => {
  const lines = [line(1, 1000, 100, life('a', 50)), line(2, 2000, 100, life('b', 300))];
  expect(ups(lines)).toEqual([up(1000, 1100, false, 950), up(1700, 2100)]);
  const late = [line(1, 1000, 100, life('a', 50)), line(2, 2000, 100, life('b', 5000))];
  expect(ups(late)).toEqual([up(1000, 1100, false, 950), up(1100, 2100, false, -3000)]);
});

it('knows which life was followed by a stop that a person entered', () => {
  const stop = line(2, 1100, 400, { phase: 'stopped', source: 'inferred' });
  const first = line(1, 1000, 100, life('a', 50));
  expect(ups([first, stop, line(3, 1500, 10, life('b', 5))])).toEqual([
    up(1000, 1100, true, 950),
    up(1495, 1510),
  ]);
  // It was not stopped: the same life goes on.
  expect(ups([first, stop, line(3, 1500, 10, life('a', 550))])).toEqual([
    up(1000, 1510, false, 950),
  ]);
  // What was taken out of the ledger is not so.
  expect(ups([first, stop, line(3, 1500, 10, life('b', 5))], [2])).toEqual([
    up(1000, 1100, false, 950),
    up(1495, 1510),
  ]);
});

it('says nothing of a box that tells no life', () => {
  expect(ups([line(1, 0, 100, life(null, 5)), line(2, 200, 100)])).toEqual([]);
  expect(ups([line(2, 200, 100, { phase: 'stopped' })])).toEqual([]);
});
