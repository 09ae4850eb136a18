import { expect, it } from 'vitest';
import {
  cutsOf,
  flipsOf,
  load,
  loadAll,
  passedOf,
  specimen,
  specimensOf,
} from '../load.fixture.ts';

const PAGE = 512;
const small = specimen('sqlite/sqlite-3.40.1--small-pages.sqlite');
const [LEAF_INDEX, LEAF_TABLE, INNER_INDEX, INNER_TABLE] = [10, 13, 2, 5];

it('what SQLite and trackio wrote is loaded', async () => {
  expect(await loadAll('sqlite')).toEqual({
    'sqlite-3.40.1--default.db': '4 tables, 167 rows',
    'sqlite-3.40.1--free.sqlite3': '4 tables, 138 rows',
    'sqlite-3.40.1--nothing.db': '0 tables, 0 rows',
    'sqlite-3.40.1--small-pages.sqlite': '4 tables, 192 rows',
    'sqlite-3.40.1--utf-16-big.sqlite': '4 tables, 192 rows',
    'sqlite-3.40.1--utf-16.sqlite': '4 tables, 192 rows',
    'sqlite-3.40.1--vacuum.db3': '4 tables, 192 rows',
    'sqlite-3.40.1--wal.db': '4 tables, 192 rows',
    'trackio-0.43.0--demo.db': '12 tables, 6 rows',
    'trackio-0.43.0--pending.db': '12 tables, 6 rows',
    'trackio-0.43.0--sent.db': '12 tables, 6 rows',
  });
});

it.each(specimensOf('sqlite'))('%s is read in pieces of any size', async (name) => {
  const whole = specimen(`sqlite/${name}`);
  const loaded = await load(name, whole);
  for (const bytes of [100, 5000]) expect(await load(name, whole, bytes)).toEqual(loaded);
});

it('is found out wherever it is cut off', async () => {
  const nothing = specimen('sqlite/sqlite-3.40.1--nothing.db');
  // Of no length it is a database without tables.
  expect(await passedOf('x.sqlite', cutsOf(nothing))).toEqual([0]);
  const ends = Array.from({ length: small.length / PAGE - 1 }, (_, no) => (no + 1) * PAGE);
  const cuts = ends.flatMap((at) => [at - 1, at, at + 1]).map((at) => small.subarray(0, at));
  expect(await passedOf('x.sqlite', cuts)).toEqual([]);
});

it('is found out with a bit flipped in what its beginning says of its pages', async () => {
  for (const [from, to] of [
    // Its mark, the size of its pages, versions; how many pages, and which are free.
    [0, 24],
    [28, 40],
    // Whether it has maps of its pages.
    [52, 56],
    // The first page of its tables.
    [100, 112],
  ] as const) {
    expect(await passedOf('x.sqlite', flipsOf(small, from, to))).toEqual([]);
  }
});

/** Where the pages of trees begin that are of this kind. */
function pagesOf(kind: number): number[] {
  const all = Array.from({ length: small.length / PAGE }, (_, no) => no * PAGE).slice(1);
  return all.filter((at) => small[at] === kind && small.readUInt16BE(at + 5) < PAGE);
}

it.each([
  ['a leaf of a table', LEAF_TABLE],
  ['a leaf of an index', LEAF_INDEX],
  ['a page within a table', INNER_TABLE],
  ['a page within an index', INNER_INDEX],
])('every bit counts of where %s has its rows', async (_what, kind) => {
  const [at = 0] = pagesOf(kind);
  expect(at).toBeGreaterThan(0);
  const rows = small.readUInt16BE(at + 3);
  const headBytes = kind === INNER_TABLE || kind === INNER_INDEX ? 12 : 8;
  const passed = await passedOf('x.sqlite', flipsOf(small, at, at + headBytes + 2 * rows));
  expect(passed).toEqual([]);
});

it('a row that goes on is followed to its end', async () => {
  // 3,000 bytes, of which each page has 508.
  const pages = Array.from({ length: small.length / PAGE }, (_, no) => no * PAGE);
  const ends = pages.filter((at) => small.readUInt32BE(at) === 0 && small[at + 4] === 0x78);
  const between = pages.filter((at) => small[at] === 0 && small[at + 300] === 0x78);
  expect([ends.length, between.length > 3]).toEqual([1, true]);
  for (const at of [...ends, ...between]) {
    expect(await passedOf('x.sqlite', flipsOf(small, at, at + 4))).toEqual([]);
  }
});

function patched(at: number, value: number, bytes = 4): Buffer {
  const copy = Buffer.from(small);
  copy.writeUIntBE(value, at, bytes);
  return copy;
}

it('a page that two things lead to is found out, and does not keep a reader', async () => {
  const [inner = 0] = pagesOf(INNER_TABLE);
  // What is behind all rows of it: itself, the beginning, none.
  for (const page of [inner / PAGE + 1, 1]) {
    expect(await load('x.sqlite', patched(inner + 8, page))).toMatch(
      /^damaged: the table "metrics" leads to page \d+, which belongs to something else$/,
    );
  }
  expect(await load('x.sqlite', patched(inner + 8, 4_000_000))).toBe(
    'damaged: the table "metrics" leads to page 4000000, which is not there',
  );
});

it('pages that are free are counted, and none is lost', async () => {
  const free = specimen('sqlite/sqlite-3.40.1--free.sqlite3');
  const first = free.readUInt32BE(32);
  expect(first).toBeGreaterThan(0);
  const at = (first - 1) * 1024;
  expect(await passedOf('x.sqlite', flipsOf(free, at, at + 12))).toEqual([]);
  const without = Buffer.from(free);
  without.fill(0, 32, 40);
  expect(await load('x.sqlite', without)).toMatch(/^damaged: \d+ of its pages belong to nothing$/);
});

it('what was cut off and filled up with zeros is found out', async () => {
  const zeros = Buffer.from(small);
  zeros.fill(0, small.length - 4 * PAGE);
  expect(await load('x.sqlite', zeros)).toMatch(/^damaged: /);
});

it('a file of no length is a database without tables', async () => {
  expect(await load('x.sqlite', Buffer.alloc(0))).toMatchObject({ holds: '0 tables, 0 rows' });
});

it('what is called .db and is none of SQLite is hashed only', async () => {
  expect(await load('x.db', Buffer.from('something else'))).toBe('no reader');
  expect(await load('x.sqlite', Buffer.alloc(PAGE))).toMatch(/^damaged: it does not begin/);
});

const NO_WORDS = 'damaged: the words that its tables were made with are none of SQLite';

it('words that SQLite cannot read are found out, whichever letter of them is broken', async () => {
  const whole = specimen('sqlite/sqlite-3.40.1--vacuum.db3');
  const sql = 'CREATE INDEX by_name on metrics (name, value)';
  const at = whole.indexOf(sql);
  expect(at).toBeGreaterThan(0);
  for (const place of [
    0,
    sql.indexOf('on'),
    sql.indexOf('('),
    sql.indexOf('value)'),
    sql.length - 1,
  ]) {
    const broken = Buffer.from(whole);
    broken.write('%', at + place);
    expect(await load('x.db', broken)).toBe(NO_WORDS);
  }
});

it('words of a newer SQLite are not said to be damaged', async () => {
  const whole = specimen('sqlite/sqlite-3.40.1--vacuum.db3');
  const newer = Buffer.from(whole);
  newer.writeUInt32BE(3_999_000, 96);
  expect(await load('x.db', newer)).toMatchObject({ kind: 'loaded' });
  newer.write('CREATF', whole.indexOf('CREATE INDEX by_name'));
  expect(await load('x.db', newer)).toMatch(/^not loadable: a newer SQLite/);
});

it('a table whose words ask for an index that is not there is found out', async () => {
  const broken = Buffer.from(small);
  const at = small.indexOf('id integer primary key');
  // A column of another name, whose key is no longer the number of a row.
  broken.write('$', at + 2);
  expect(await load('x.sqlite', broken)).toBe(
    'damaged: an index that a table of it needs is missing',
  );
});

it('a number where texts are declared is found out', async () => {
  const broken = Buffer.from(small);
  // A row of the table: no number of its own, a name of six letters, a number.
  const at = small.indexOf(Buffer.of(5, 0, 25, 7));
  expect(at).toBeGreaterThan(0);
  // Also six bytes.
  broken[at + 2] = 5;
  expect(await load('x.sqlite', broken)).toBe(
    'damaged: the table "metrics" has a row with what a column of it cannot hold',
  );
});

it('a map says of each page what it belongs to, in each bit', async () => {
  const whole = specimen('sqlite/sqlite-3.40.1--vacuum.db3');
  const [pageBytes, pages] = [1024, whole.length / 1024];
  const broken = flipsOf(whole, pageBytes, pageBytes + 5 * (pages - 2));
  expect(await passedOf('x.sqlite', broken)).toEqual([]);
});

it('a table that has another name than the words it was made with is found out', async () => {
  const whole = specimen('sqlite/sqlite-3.40.1--nothing.db');
  const named = Buffer.from(specimen('sqlite/sqlite-3.40.1--default.db'));
  const at = named.indexOf('tablemetricsmetrics');
  expect(at).toBeGreaterThan(0);
  named.write('n', at + 5);
  expect(await load('x.db', whole)).toMatchObject({ kind: 'loaded' });
  expect(await load('x.db', named)).toBe(NO_WORDS);
});
