import type { Loaded } from '../../../shared/verify/loaded.ts';
import type { ByteSource } from '../byte-source.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import { plural } from '../plural.ts';
import { quoted } from '../quoted.ts';
import type { Format } from '../reading.ts';
import { walkBtree, type Row } from './btree.ts';
import type { Payload } from './cells.ts';
import { beginsAsSqlite, readHeader, type Database } from './header.ts';
import { Pages } from './pages.ts';
import { readRecord } from './record.ts';

// By hand, and not by SQLite’s own `PRAGMA integrity_check`: that opens what stands in the file as a schema, views, triggers and
// virtual tables, which the SQLite of an attacker’s choice wrote, and takes what memory it likes. What it finds beyond this is rows
// that break a rule of their own table.

export const sqlite: Format = { name: 'sqlite', ends: /\.(?:sqlite3?|db3)$/i, open: openDatabase };

/** What else is called so begins otherwise. */
export const sqliteByBeginning: Format = {
  ...{ name: 'sqlite', ends: /\.db$/i, open: openDatabase },
  begins: beginsAsSqlite,
};

const MAX_TREES = 100_000;
/** Of a row that tells of a table; what is behind is the words it was made with. */
const [TYPE, NAME, ROOT, SQL] = [0, 1, 3, 4];
const KINDS = ['table', 'index', 'view', 'trigger'];
const LIST = 'the list of its tables';
/** Names that are longer nobody gives. */
const MAX_TOLD_BYTES = 8192;

function openDatabase(source: ByteSource): ReturnType<Format['open']> {
  const found: Found = { tables: 0, rows: 0 };
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
}

/** What looks at the rows of a table besides; null: nothing does. */
type RowsOf = (name: string, columns: readonly string[]) => ((row: Row) => void) | null;

/** The rows of some of its tables, by the names that their columns have. Throws where the database is not whole. */
export function readTables(source: ByteSource, rowsOf: RowsOf): void {
  if (source.sizeBytes === 0) return;
  const pages = new Pages(source, readHeader(source));
  Array.from(walkDatabase(pages, { tables: 0, rows: 0 }, rowsOf));
}

const loaded = ({ tables, rows }: Found): Loaded => ({
  ...{ kind: 'loaded', format: 'sqlite' },
  holds: `${plural(tables, 'table')}, ${plural(rows, 'row')}`,
});

interface Tree {
  readonly of: string;
  readonly name: string;
  /** The words that it was made with, as far as they are read. */
  readonly sql: string;
  readonly root: number;
  readonly isCounted: boolean;
}

/** Every page of a database once: the trees of its tables and indexes, and what is free. */
function* walkDatabase(
  pages: Pages,
  found: Found,
  rowsOf: RowsOf = () => null,
): Generator<void, void> {
  const trees: Tree[] = [];
  yield* walkBtree(pages, 1, LIST, ({ payload }) => {
    const tree = treeOf(wholeOf(pages, payload), pages.database);
    if (tree === null) return;
    trees.push(tree);
    if (trees.length > MAX_TREES) throw new NotLoadable('it has more tables than any has');
  });
  for (const { of, root, isCounted, name, sql } of trees) {
    if (isCounted) found.tables += 1;
    const onRow = isCounted ? rowsOf(name, columnsIn(sql)) : null;
    yield* walkBtree(pages, root, of, (row) => {
      if (isCounted) found.rows += 1;
      onRow?.(row);
    });
  }
  yield* walkFree(pages);
  pages.checkAll();
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

/** Null: a view, a trigger or another thing that has no pages. */
function treeOf(payload: Payload, database: Database): Tree | null {
  const values = readRecord(payload, LIST);
  const [type, name, root] = [TYPE, NAME, ROOT].map((no) => values?.[no]);
  if (type === undefined || name === undefined || root === undefined) throw noTable();
  const { local } = payload;
  if (root.at + root.bytes > local.length) {
    throw new NotLoadable(`${LIST} has a name that is longer than Leasehold reads`);
  }
  const kind = textOf(local.subarray(type.at, type.at + type.bytes), database);
  const named = textOf(local.subarray(name.at, name.at + name.bytes), database);
  // The numbers 0 and 1 may be of no length.
  const page = root.bytes > 0 ? local.readUIntBE(root.at, Math.min(6, root.bytes)) : root.type - 8;
  if (!KINDS.includes(kind) || root.bytes > 4) throw noTable();
  const sql = values?.[SQL];
  const words =
    sql === undefined ? '' : textOf(local.subarray(sql.at, sql.at + sql.bytes), database);
  // What SQLite makes by itself has no words; of what is longer than is read here, only the beginning is known.
  const isWhole = sql !== undefined && sql.bytes > 0 && sql.at + sql.bytes <= local.length;
  if (isWhole && !isMadeBy(words, kind, named)) throw noTable();
  if (root.type === 0 || page <= 0) return null;
  const isCounted = kind === 'table' && !named.startsWith('sqlite_');
  return { of: `the ${kind} ${quoted(named)}`, root: page, isCounted, name: named, sql: words };
}

/** SQLite refuses a whole database where one thing in it has another name than the words that it was made with. */
export function isMadeBy(sql: string, kind: string, name: string): boolean {
  const begins = /^\s*CREATE\s+(?:(?:VIRTUAL|UNIQUE|TEMP|TEMPORARY)\s+)?([A-Z]+)\s/i.exec(sql);
  if (begins?.[1]?.toLowerCase() !== kind) return false;
  const words = sql.toLowerCase();
  // The sign that quotes a name stands doubled within it, and each other as it is.
  return [null, '"', "'", '`'].some((sign) => {
    const written = sign === null ? name : name.replaceAll(sign, sign + sign);
    return words.includes(written.toLowerCase());
  });
}

/** The first word of each part between the outer brackets. */
function columnsIn(sql: string): readonly string[] {
  const inside = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  return inside.split(/,(?![^(]*\))/).map((part) => /^\s*"?(\w*)/.exec(part)?.[1] ?? '');
}

/** As all texts of a database are written. */
function textOf(bytes: Buffer, { isText16 }: Database): string {
  if (isText16 === null) return bytes.toString('utf8');
  const whole = Buffer.from(bytes.subarray(0, bytes.length & ~1));
  return (isText16.isBigEndian ? whole.swap16() : whole).toString('utf16le');
}

const noTable = (): Damaged => new Damaged(`${LIST} has something that is none`);

/** Pages that are free: lists of them, one leading to the next. */
function* walkFree(pages: Pages): Generator<void, void> {
  const { freeAt, freePages, usableBytes } = pages.database;
  const of = 'the list of free pages';
  let count = 0;
  for (let at = freeAt; at !== 0;) {
    pages.claim(at, of);
    const list = pages.read(at);
    const [next, length] = [list.readUInt32BE(0), list.readUInt32BE(4)];
    if (length > usableBytes / 4 - 2) throw new Damaged(`${of} is longer than its page`);
    for (let no = 0; no < length; no += 1) pages.claim(list.readUInt32BE(8 + 4 * no), of);
    count += 1 + length;
    at = next;
    yield;
  }
  if (count !== freePages) throw new Damaged(`${of} has another number than it says`);
}
