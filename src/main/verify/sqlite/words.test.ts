import { expect, it } from 'vitest';
import { Words, type Told } from './words.ts';

const VERSION = 3_045_001;

function check(all: readonly Told[]): ReturnType<Words['check']> {
  const words = new Words(VERSION);
  for (const [no, told] of all.entries()) words.add(no, told);
  return words.check();
}

const table = (name: string, rest: string): Told => ({
  ...{ type: 'table', name, table: name, page: 2 },
  sql: `CREATE TABLE ${name}${rest}`,
});
const view = (name: string, select: string): Told => ({
  ...{ type: 'view', name, table: name, page: 0 },
  sql: `CREATE VIEW ${name} AS ${select}`,
});

it('a table is told with its columns, and whether it has numbers of rows', () => {
  const found = check([
    table('one', '(a integer primary key, b text not null, c)'),
    table('two', '(a text primary key, b) without rowid'),
  ]);
  expect(found).toEqual(
    new Map([
      [
        'one',
        {
          hasRowNumbers: true,
          columns: [
            { isText: false, isNeeded: false },
            { isText: true, isNeeded: true },
            { isText: false, isNeeded: false },
          ],
        },
      ],
      [
        'two',
        {
          hasRowNumbers: false,
          columns: [
            { isText: true, isNeeded: false },
            { isText: false, isNeeded: false },
          ],
        },
      ],
    ]),
  );
});

it('views that are made of one another do not keep a reader', () => {
  const views = Array.from({ length: 60 }, (_, no) =>
    no === 0
      ? view('v0', 'SELECT 1 AS a')
      : view(`v${String(no)}`, `SELECT (SELECT a FROM v${String(no - 1)}) a FROM ${both(no - 1)}`),
  );
  // It is not made where a view has its name, so that its columns would be those of the view.
  const hidden = { ...table('v59', ''), sql: 'CREATE TABLE IF NOT EXISTS v59 (a)' };
  expect([...(check([table('t', '(a)'), ...views, hidden])?.keys() ?? [])]).toEqual(['t', 'v59']);
});

const both = (no: number): string => `v${String(no)} x, v${String(no)} y`;

it('words that are too many, or of one thing too long, are not looked at', () => {
  const long = table('t', `(a CHECK (a <> '${'x'.repeat(32 * 1024)}'))`);
  expect(check([long])).toBe(null);
});
