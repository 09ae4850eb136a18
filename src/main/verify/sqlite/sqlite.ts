import type { Loaded } from '../../../shared/verify/loaded.ts';
import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { Format } from '../reading.ts';
import { StrictUtf8 } from '../utf8.ts';
import { walkBtree, type Row } from './btree.ts';
import type { Payload } from './cells.ts';
import { beginsAsSqlite, readHeader, type Database } from './header.ts';
import { Pages, ROLE, type Owner } from './pages.ts';
import { FIRST_TEXT, readRecord } from './record.ts';
import { Words, type Declared, type Told } from './words.ts';

// By hand, and not by SQLite’s own `PRAGMA integrity_check`: that opens what stands in the file as a schema, views, triggers and
// virtual tables, which the SQLite of an attacker’s choice wrote, and takes what memory it likes. Only the words of the schema are given
// to it, in an empty database (`words.ts`). What it finds beyond this is rows that break a rule of their own table.

export const sqlite: Format = { name: 'sqlite', ends: /\.(?:sqlite3?|db3)$/i, open: openDatabase };

/** What else is called so begins otherwise. */
export const sqliteByBeginning: Format = {
  ...{ name: 'sqlite', ends: /\.db$/i, open: openDatabase },
  begins: beginsAsSqlite,
};

const MAX_TREES = 100_000;
/** Of a row that tells of a table; what is behind is the words it was made with. */
const [TYPE, NAME, TABLE, ROOT, SQL] = [0, 1, 2, 3, 4];
const KINDS = ['table', 'index', 'view', 'trigger'];
const LIST = 'the list of its tables';
/** Of one row. */
const MAX_TOLD_BYTES = 2 * 1024 * 1024;

function openDatabase(source: ByteSource): ReturnType<Format['open']> {
  const found: Found = { tables: 0, rows: 0, hasManyWords: false };
  // As SQLite makes it where nothing was written.
  if (source.sizeBytes === 0) return { take: () => undefined, end: () => loaded(found) };
  const database = readHeader(source);
  const walk = walkDatabase(new Pages(source, database), found);
  return {
    // As many pages as pass by, so that a large one is gone through while it is hashed.
    take: (piece) => {
      for (let bytes = 0; bytes < piece.length; bytes += database.pageBytes) walk.next();
    },
    end: () => {
      while (walk.next().done !== true);
      return loaded(found);
    },
  };
}

interface Found {
  tables: number;
  rows: number;
  /** The words that its tables were made with are more than are looked at. */
  hasManyWords: boolean;
}

/** What looks at the rows of a table besides; null: nothing does. */
type RowsOf = (name: string, columns: readonly string[]) => ((row: Row) => void) | null;

/** The rows of some of its tables, by the names that their columns have. Throws where the database is not whole. */
export function readTables(source: ByteSource, rowsOf: RowsOf): void {
  if (source.sizeBytes === 0) return;
  const pages = new Pages(source, readHeader(source));
  Array.from(walkDatabase(pages, { tables: 0, rows: 0, hasManyWords: false }, rowsOf));
}

const loaded = ({ tables, rows, hasManyWords }: Found): Loaded => ({
  ...{ kind: 'loaded', format: 'sqlite' },
  holds: `${plural(tables, 'table')}, ${plural(rows, 'row')}${hasManyWords ? ', too many words to look at' : ''}`,
});

interface Tree {
  readonly of: string;
  readonly name: string;
  /** The words that it was made with; none where there are too many to keep. */
  readonly sql: string;
  readonly root: number;
  readonly isTable: boolean;
  readonly isCounted: boolean;
}

/** Every page of a database once: the trees of its tables and indexes, and what is free. */
function* walkDatabase(
  pages: Pages,
  found: Found,
  rowsOf: RowsOf = () => null,
): Generator<void, void> {
  const trees: Tree[] = [];
  const words = new Words(pages.database.version);
  yield* walkBtree(pages, 1, LIST, ({ key, payload }) => {
    const told = toldBy(wholeOf(pages, payload), pages.database);
    const tree = treeOf(words.add(key, told) ? told : { ...told, sql: null });
    if (tree === null) return;
    trees.push(tree);
    if (trees.length > MAX_TREES) throw new NotLoadable('it has more tables than any has');
  });
  const tables = words.check();
  found.hasManyWords = tables === null;
  const { pagesPerMap, lastRoot } = pages.database;
  if (pagesPerMap > 0 && lastRoot !== trees.reduce((last, { root }) => Math.max(last, root), 1)) {
    throw new Damaged(`${LIST} does not have the one that it says comes last`);
  }
  for (const { of, root, isTable, isCounted, name, sql } of trees) {
    if (isCounted) found.tables += 1;
    const onRow = isCounted ? rowsOf(name, columnsIn(sql)) : null;
    const declared = isTable ? tables?.get(name) : INDEX;
    yield* walkBtree(pages, root, of, (row) => {
      if (isCounted) found.rows += 1;
      if (declared !== undefined) checkRow(row, declared, of);
      onRow?.(row);
    });
  }
  yield* walkFree(pages);
  pages.checkAll();
}

const INDEX: Declared = { hasRowNumbers: false, columns: null };

/** As SQLite writes them: no number where texts are declared, and something where that is asked for. */
function checkRow({ key, values }: Row, { hasRowNumbers, columns }: Declared, of: string): void {
  if ((key !== null) !== hasRowNumbers) throw new Damaged(`${of} is a tree of another kind`);
  // Without numbers of rows the columns lie in another order.
  if (!hasRowNumbers || values === null || columns === null) return;
  for (const [no, { type }] of values.entries()) {
    const column = columns[no];
    const isNumber = type > 0 && type < FIRST_TEXT - 1;
    if ((column?.isText === true && isNumber) || (column?.isNeeded === true && type === 0)) {
      throw new Damaged(`${of} has a row with what a column of it cannot hold`);
    }
  }
}

/** As much of a row as tells of a table, also where it goes on in other pages. */
function wholeOf(pages: Pages, payload: Payload): Payload {
  const parts = [payload.local];
  let bytes = payload.local.length;
  for (let page = payload.restAt; page !== 0 && bytes < MAX_TOLD_BYTES;) {
    const read = pages.read(page);
    parts.push(read.subarray(4, 4 + payload.bytes - bytes));
    bytes += read.length - 4;
    page = read.readUInt32BE(0);
  }
  return { ...payload, local: Buffer.concat(parts) };
}

/** A row of the list. */
function toldBy(payload: Payload, database: Database): Told {
  const values = readRecord(payload, LIST);
  const { local } = payload;
  const text = (no: number): string | null => {
    const value = values?.[no];
    if (value === undefined || value.at + value.bytes > local.length) {
      throw new NotLoadable(`${LIST} has words that are longer than Leasehold reads`);
    }
    if (value.type === 0) return null;
    if (value.type < FIRST_TEXT || value.type % 2 === 0) throw noTable();
    return textOf(local.subarray(value.at, value.at + value.bytes), database);
  };
  const [type, name, table, root] = [text(TYPE), text(NAME), text(TABLE), values?.[ROOT]];
  const isOfKind = type !== null && KINDS.includes(type);
  if (!isOfKind || name === null || table === null || root === undefined || root.bytes > 4) {
    throw noTable();
  }
  // The numbers 0 and 1 may be of no length.
  const page = root.bytes > 0 ? local.readUIntBE(root.at, root.bytes) : root.type - 8;
  return { type, name, table, page: root.type === 0 ? null : page, sql: text(SQL) };
}

/** Null: a view, a trigger or another thing that has no pages. */
function treeOf({ type, name, page, sql }: Told): Tree | null {
  if (page === null || page <= 0) return null;
  const isTable = type === 'table';
  const isCounted = isTable && !name.startsWith('sqlite_');
  return {
    of: `the ${type} ${quoted(name)}`,
    root: page,
    isTable,
    isCounted,
    name,
    sql: sql ?? '',
  };
}

/** The first word of each part between the outer brackets. */
function columnsIn(sql: string): readonly string[] {
  const inside = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  return inside.split(/,(?![^(]*\))/).map((part) => /^\s*"?(\w*)/.exec(part)?.[1] ?? '');
}

/** As all texts of a database are written. */
function textOf(bytes: Buffer, { isText16 }: Database): string {
  if (isText16 === null) return new StrictUtf8(LIST).decode(bytes);
  const whole = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return (isText16.isBigEndian ? whole.swap16() : whole).toString('utf16le');
}

const noTable = (): Damaged => new Damaged(`${LIST} has something that is none`);

const FREE: Owner = { role: ROLE.free, by: 0 };

/** Pages that are free: lists of them, one leading to the next. */
function* walkFree(pages: Pages): Generator<void, void> {
  const { freeAt, freePages, usableBytes } = pages.database;
  const of = 'the list of free pages';
  let count = 0;
  for (let at = freeAt; at !== 0;) {
    pages.claim(at, of, FREE);
    const list = pages.read(at);
    const [next, length] = [list.readUInt32BE(0), list.readUInt32BE(4)];
    if (length > usableBytes / 4 - 2) throw new Damaged(`${of} is longer than its page`);
    for (let no = 0; no < length; no += 1) pages.claim(list.readUInt32BE(8 + 4 * no), of, FREE);
    count += 1 + length;
    at = next;
    yield;
  }
  if (count !== freePages) throw new Damaged(`${of} has another number than it says`);
}
