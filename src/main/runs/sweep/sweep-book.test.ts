import { beforeEach, expect, it } from 'vitest';
import type { SweepRoster } from '../../../shared/runs/sweep/sweep-roster.ts';
import { withFolder } from '../../storage/disk.fixture.ts';
import { openDatabase, type Database } from '../../storage/database.ts';
import { digestOf } from './roster-digest.ts';
import { SweepBook } from './sweep-book.ts';

const ID = 's-20260101-000000-0badcafe';
const ROSTER: SweepRoster = {
  ...{ id: ID, name: 'rates' },
  base: { folder: '~/work', activate: null, env: { A: 'b' } },
  cells: ['1', '2'].map((x) => ({
    name: `x=${x}`,
    command: `echo ${x} >results/x=${x}/out`,
    results: `results/x=${x}`,
  })),
};
const KEY = `sweep-roster ${ID}`;

let told: string[] = [];
const bookOf = ({ entries }: Database): SweepBook =>
  new SweepBook({
    entries,
    onProblem: ({ message }) => void told.push(message),
    onChanged: () => undefined,
  });
beforeEach(() => {
  told = [];
});

it('has the cells of a sweep after a restart as they were launched', () =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const from = { push: null, readFrom: null, digest: digestOf(ROSTER) };
    bookOf(database).begin(ROSTER, from, []);
    expect(await bookOf(database).rosterOf(ID)).toEqual(ROSTER);
    expect(told).toEqual([]);
    database.close();
  }));

it('has what a share last told after a restart, and nothing of what is no such thing', () =>
  withFolder((folder) => {
    const { database } = openDatabase({ folder });
    const run = 'r-20260101-000000-0badcafe';
    const end = { kind: 'exit', exitCode: 0, atMs: 2 } as const;
    const told = {
      ...{ marks: { 1: { beganAtMs: 1, times: 1, end } }, pruning: [], commented: [2] },
      wholeAs: run,
    };
    bookOf(database).keepTold(run, told);
    expect(bookOf(database).toldOf(run)).toEqual(told);
    database.entries.write('', `sweep-told ${run}`, { ...told, marks: { 1: { end: 3 } } }, 0);
    expect(bookOf(database).toldOf(run)).toBeNull();
    database.close();
    return Promise.resolve();
  }));

const [cell] = ROSTER.cells;
it.each([
  ['another command', { ...ROSTER, cells: [{ ...cell, command: 'echo owned' }] }],
  ['a cell less', { ...ROSTER, cells: ROSTER.cells.slice(1) }],
  ['a field that no cell has', { ...ROSTER, cells: ROSTER.cells.map((c) => ({ ...c, at: 1 })) }],
  ['another environment', { ...ROSTER, base: { ...ROSTER.base, env: { A: 'c' } } }],
  ['no cells', { ...ROSTER, cells: null }],
])('gives out no cells that are not what was launched: %s', (_what, changed) =>
  withFolder(async (folder) => {
    const { database } = openDatabase({ folder });
    const from = { push: null, readFrom: null, digest: digestOf(ROSTER) };
    bookOf(database).begin(ROSTER, from, []);
    database.entries.write('', KEY, changed, 0);
    const book = bookOf(database);
    expect(await book.rosterOf(ID)).toBeNull();
    expect(told).toHaveLength(1);
    // It is put aside, and told once.
    expect(await book.rosterOf(ID)).toBeNull();
    expect(told).toHaveLength(1);
    database.close();
  }),
);
