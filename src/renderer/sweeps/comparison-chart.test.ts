import { expect, it } from 'vitest';
import { byCell, byParameter, type Comparing } from './comparison-chart.ts';
import type { Better } from './likely-better.ts';
import { bestOf, parametersOf, type Compared } from './sweep-compare.ts';
import { endedRow as row } from './sweep-row.fixture.ts';

const grid = ['lr=0.01 seed=1', 'lr=0.01 seed=2', 'lr=0.1 seed=1', 'lr=0.001 seed=1'];
const values = [0.5, 0.25, NaN, 0.75];
const cells = grid.map((name, place): Compared => {
  const value = values[place] ?? NaN;
  return { row: row(place, name, place === 3 ? { endedAtMs: null } : {}), value };
});
const comparing = (of: readonly Compared[], better: Better | null): Comparing => ({
  ...{ cells: of, better, best: bestOf(of, better), figure: 'loss' },
});
const lrOf = (of: readonly Compared[]) => {
  const [lr] = parametersOf(of.map((cell) => cell.row));
  if (lr === undefined) throw new Error('no parameter');
  return lr;
};

it('draws a dot for each cell, says which are not over, and marks the best', () => {
  const { points, series, mark } = byCell(comparing(cells, 'lowest'));
  expect(points.map((point) => point.values)).toEqual([
    [0.5, null],
    [0.25, null],
    [null, null],
    [null, 0.75],
  ]);
  expect(points[3]?.lines).toEqual(['loss 0.75 so far']);
  expect(series.map(({ label }) => label)).toEqual(['cells that are over', 'so far']);
  expect(mark).toMatchObject({ at: 1, value: 0.25 });
});

it('draws of thousands the best', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ row: row(at, String(at)), value: -at }));
  const { points, leftOut, mark, formatAt } = byCell(comparing(many, 'lowest'));
  expect([points.length, leftOut, formatAt(mark?.at ?? 0)]).toEqual([300, 700, '1000']);
});

it('orders the values of a parameter as numbers, with the best and the median of each', () => {
  const { points, mark, formatAt, leftOut } = byParameter(comparing(cells, 'lowest'), lrOf(cells));
  expect(points.map((point) => [formatAt(point.at), ...point.values])).toEqual([
    ['0.001', 0.75, 0.75],
    ['0.01', 0.25, 0.375],
  ]);
  expect(points[1]?.lines[0]).toBe('best 0.25 (lr=0.01 seed=2)');
  expect(points[1]?.lines[1]).toMatch(/^median 0.375 of 2\scells$/);
  expect([mark?.at, leftOut]).toEqual([1, 1]);
});

it('marks no cell where nobody said which end is the good one, and draws the medians alone', () => {
  expect(byCell(comparing(cells, null)).mark).toBeNull();
  const { points, series, mark } = byParameter(comparing(cells, null), lrOf(cells));
  expect(points.map((point) => point.values)).toEqual([[0.75], [0.375]]);
  expect(points[0]?.lines).toEqual(['0.75']);
  expect([series.map(({ label }) => label), mark]).toEqual([['median of its cells'], null]);
});

it.each([
  ['each its own value', (at: number) => `lr=${String(at)}`],
  ['one of two values', (at: number) => `lr=${String(at % 2)}`],
])('looks at each cell a few times, where thousands have %s', (_, nameOf) => {
  let looks = 0;
  const many = Array.from({ length: 5000 }, (__, at): Compared => {
    const counted = {
      row: row(at, nameOf(at)),
      get value() {
        looks += 1;
        return at;
      },
    };
    return counted;
  });
  const { mark } = byParameter(comparing(many, 'lowest'), lrOf(many));
  expect(mark?.at).toBe(0);
  expect(looks / many.length).toBeLessThan(20);
});
