import { expect, it } from 'vitest';
import type { SweepRow } from './sweep-rows.ts';
import {
  bestOf,
  byCell,
  byParameter,
  comparedOf,
  comparisonCsv,
  likelyBetter,
  parametersOf,
} from './sweep-compare.ts';

const row = (place: number, name: string, part: Partial<SweepRow> = {}): SweepRow => ({
  ...{ place, name, command: `train --out results/${name}`, box: 'alpha', boxId: 'a' },
  cell: {
    ...{ state: { kind: 'done', beganAtMs: 0, atMs: 1 }, share: 0, index: place + 1 },
    isTwice: false,
  },
  ...{ isSeenNow: true, slots: 1, cards: null, beganAtMs: 0, endedAtMs: 1 },
  ...part,
});
const figures = [0.5, 0.25, NaN, 0.75, null] as const;
const figureOf = (place: number): number | null => figures[place] ?? null;
const grid = ['lr=0.01 seed=1', 'lr=0.01 seed=2', 'lr=0.1 seed=1', 'lr=0.001 seed=1'];
const rows = [
  ...grid.map((name, place) => row(place, name, place === 3 ? { endedAtMs: null } : {})),
  row(4, 'lr=0.001 seed=2', { beganAtMs: null, endedAtMs: null }),
];
const cells = comparedOf(rows, figureOf);
const namesOf = (found: ReturnType<typeof parametersOf>) => found.map(({ name }) => name);

it('takes no cell that diverged for the best, and none that has not begun', () => {
  expect(cells).toHaveLength(4);
  expect(bestOf(cells, 'lowest')?.row.name).toBe('lr=0.01 seed=2');
  expect(bestOf(cells, 'highest')?.row.name).toBe('lr=0.001 seed=1');
  expect(bestOf([{ row: row(2, 'c'), value: NaN }], 'lowest')).toBeNull();
});

it.each([
  ['val_loss', 'lowest'],
  ['accuracy', 'highest'],
  ['eval/f1', 'highest'],
  ['score_error', 'lowest'],
])('takes for %s the %s for the best, unless a person says otherwise', (figure, better) => {
  expect(likelyBetter(figure)).toBe(better);
});

it('draws a dot for each cell, says which are not over, and marks the best', () => {
  const { points, series, mark } = byCell(cells, 'loss', 'lowest');
  expect(points.map(({ values }) => values)).toEqual([
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
  const { points, leftOut, mark, formatAt } = byCell(many, 'loss', 'lowest');
  expect([points.length, leftOut, formatAt(mark?.at ?? 0)]).toEqual([300, 700, '1000']);
});

it('finds what cells differ in, by their names or by their commands', () => {
  expect(namesOf(parametersOf(rows))).toEqual(['lr', 'seed']);
  const commands = ['train --lr 0.1 --out a', 'train --lr -0.2 --out b', 'train --lr 0.1 --out c'];
  const named = commands.map((command, at) => row(at, String(at), { command }));
  const [only, ...more] = parametersOf(named);
  expect([only?.name, only?.valueOf(1), more]).toEqual(['lr', '-0.2', []]);
  expect(parametersOf([row(0, 'a'), row(1, 'b')])).toEqual([]);
});

it('orders the values of a parameter as numbers, with the best and the middle of each', () => {
  const [lr] = parametersOf(rows);
  if (lr === undefined) throw new Error('no parameter');
  const { points, mark, formatAt, leftOut } = byParameter(cells, lr, 'lowest');
  expect(points.map(({ at, values }) => [formatAt(at), ...values])).toEqual([
    ['0.001', 0.75, 0.75],
    ['0.01', 0.25, 0.25],
  ]);
  expect(points[1]?.lines[0]).toBe('best 0.25 (lr=0.01 seed=2)');
  expect(points[1]?.lines[1]).toMatch(/^median 0.25 of 2\scells$/);
  expect([mark?.at, leftOut]).toEqual([1, 1]);
});

it('saves every cell with its parameters, also those that tell nothing', () => {
  const csv = comparisonCsv(rows, parametersOf(rows), 'loss', figureOf).split('\n');
  expect(csv[0]).toBe('cell,box,state,"lr","seed","loss"');
  expect(csv[2]).toBe('"lr=0.01 seed=2","alpha",done,"0.01","2",0.25');
  expect(csv[5]).toBe('"lr=0.001 seed=2","alpha",done,"0.001","2",');
});
