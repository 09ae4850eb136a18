import { expect, it } from 'vitest';
import { endedRow as row } from './sweep-row.fixture.ts';
import { bestOf, comparedOf, comparisonCsv, parametersOf, ranked } from './sweep-compare.ts';

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

it('knows no best, and no order, of a figure of which nobody said which end is the good one', () => {
  expect(bestOf(cells, null)).toBeNull();
  expect(ranked(cells, null)).toEqual(cells);
});

it('finds what cells differ in, by their names or by their commands', () => {
  expect(namesOf(parametersOf(rows))).toEqual(['lr', 'seed']);
  const commands = ['train --lr 0.1 --out a', 'train --lr -0.2 --out b', 'train --lr 0.1 --out c'];
  const named = commands.map((command, at) => row(at, String(at), { command }));
  const [only, ...more] = parametersOf(named);
  expect([only?.name, only?.valueOf(1), more]).toEqual(['lr', '-0.2', []]);
  expect(parametersOf([row(0, 'a'), row(1, 'b')])).toEqual([]);
});

it('saves every cell with its parameters, also those that tell nothing', () => {
  const csv = comparisonCsv(rows, parametersOf(rows), 'loss', figureOf).split('\n');
  expect(csv[0]).toBe('cell,box,state,"lr","seed","loss"');
  expect(csv[2]).toBe('"lr=0.01 seed=2","alpha",done,"0.01","2",0.25');
  expect(csv[5]).toBe('"lr=0.001 seed=2","alpha",done,"0.001","2",');
});
