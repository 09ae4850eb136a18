import { isSqliteError, openConnection, type Connection } from '../../storage/connection.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { Key } from './cells.ts';

/** More than databases have, and parsed within seconds: SQLite compares each index of a table with all others of it. */
const [MAX_ROWS, MAX_CHARS, MAX_CHARS_EACH] = [4000, 256 * 1024, 32 * 1024];
const PAGE_BYTES = 512;
/** Some are there before the first of them. */
const FIRST_PAGE = 3;

/** A row of the list of tables, as the file has it. */
export interface Told {
  readonly type: string;
  readonly name: string;
  /** What an index or a trigger belongs to. */
  readonly table: string;
  /** 0: it has no pages. Null: that is not told, which SQLite does not take. */
  readonly page: number | null;
  /** Null: SQLite made it by itself. */
  readonly sql: string | null;
}

/** A table as SQLite reads its words. */
export interface Declared {
  /** Its tree has the numbers of rows, and not their keys. */
  readonly hasRowNumbers: boolean;
  /** Null: some of them are worked out from others, and are not in a row. */
  readonly columns: readonly Column[] | null;
}

export interface Column {
  readonly isText: boolean;
  /** Each row has something there. */
  readonly isNeeded: boolean;
}

/**
 * The words that tables, indexes, views and triggers were made with. SQLite refuses the whole of a file where it cannot read them, so it
 * is asked: they are put into the list of an empty database in memory, which is then opened anew. That parses them and runs nothing,
 * and nothing else of the file is given to it.
 */
export class Words {
  readonly #version: number;
  #rows: Kept[] = [];
  #chars = 0;
  #hasMany = false;

  /** @param version Of the SQLite that wrote them. */
  constructor(version: number) {
    this.#version = version;
  }

  /** False: it is not kept, and nothing of it should be. */
  add(key: Key | null, told: Told): boolean {
    const chars = told.name.length + told.table.length + (told.sql?.length ?? 0);
    this.#chars += chars;
    this.#hasMany ||= chars > MAX_CHARS_EACH || this.#chars > MAX_CHARS;
    this.#hasMany ||= this.#rows.length >= MAX_ROWS;
    if (this.#hasMany) this.#rows = [];
    else this.#rows.push({ key: key ?? 0, told });
    return !this.#hasMany;
  }

  /** Each table by its name. Null: they are more than are looked at, or their tables cannot be read without the others. */
  check(): ReadonlyMap<string, Declared> | null {
    // An index is told of behind its table.
    const rows = this.#rows.sort(({ key: one }, { key: other }) => (one < other ? -1 : 1));
    return inMemory((database) => {
      const known = versionOf(database);
      try {
        read(database, rows);
      } catch (cause) {
        if (!isSqliteError(cause) || cause.code !== 'SQLITE_CORRUPT') throw cause;
        if (this.#version > known) {
          throw new NotLoadable('a newer SQLite than Leasehold knows has made its tables');
        }
        throw new Damaged('the words that its tables were made with are none of SQLite');
      }
      return this.#hasMany ? null : declaredIn(rows);
    });
  }
}

interface Kept {
  readonly key: Key;
  readonly told: Told;
}

function inMemory<T>(use: (database: Connection) => T): T {
  const database = openConnection(':memory:', 0);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Puts them into the list of a database that has none, which is then opened anew. */
function read(database: Connection, rows: readonly Kept[]): void {
  makeRoom(database.exec, rows.length);
  database.exec('PRAGMA writable_schema = ON');
  for (const [no, { told }] of rows.entries()) {
    const { type, name, table, page, sql } = told;
    database.run('INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)', [
      ...[type, name, table, page === 0 || page === null ? page : FIRST_PAGE + no, sql],
    ]);
  }
  database.exec('PRAGMA writable_schema = RESET');
  database.exec('SELECT 1 FROM sqlite_schema');
}

/** Those of a type that SQLite takes for text. */
const TEXT = /CHAR|CLOB|TEXT/i;

/** As SQLite begins the words of one that is no virtual one. */
const PLAIN_TABLE = /^\s*CREATE\s+TABLE\b/i;

/**
 * SECURITY: asked for the columns of a view, SQLite works out all views that it is made of, and nobody can interrupt it. So it is asked in
 * a database that has tables and their indexes alone. Null: they cannot be read without the others.
 */
function declaredIn(rows: readonly Kept[]): ReadonlyMap<string, Declared> | null {
  const isPlain = ({ told: { type, page, sql } }: Kept): boolean =>
    type === 'table' && page !== 0 && PLAIN_TABLE.test(sql ?? '');
  const kept = rows.filter((row) => isPlain(row) || row.told.type === 'index');
  const indexes = new Set(kept.flatMap(({ told }) => (told.type === 'index' ? [told.name] : [])));
  return inMemory((database) => {
    try {
      read(database, kept);
    } catch (cause) {
      if (!isSqliteError(cause) || cause.code !== 'SQLITE_CORRUPT') throw cause;
      return null;
    }
    return new Map(
      kept.filter(isPlain).map(({ told: { name } }) => [name, declaredAs(database, name, indexes)]),
    );
  });
}

function declaredAs(database: Connection, table: string, indexes: ReadonlySet<string>): Declared {
  // Of a table it tells the key by which its rows lie, which one with numbers of rows has not.
  const hasRowNumbers = database.rows(['name'], 'pragma_index_info(?)', [table]).length === 0;
  const made = database.rows(['name', 'origin'], 'pragma_index_list(?)', [table]);
  // The key of one without numbers of rows is its own tree.
  const isThere = ({ name, origin }: (typeof made)[number]): boolean =>
    indexes.has(String(name)) || (!hasRowNumbers && origin === 'pk');
  if (!made.every(isThere)) throw new Damaged('an index that a table of it needs is missing');
  return { hasRowNumbers, columns: columnsOf(database, table) };
}

function columnsOf(database: Connection, table: string): readonly Column[] | null {
  const columns = database.rows(
    ['type', 'needed', 'key', 'hidden'],
    '(SELECT type, "notnull" AS needed, pk AS key, hidden FROM pragma_table_xinfo(?) ORDER BY cid)',
    [table],
  );
  if (columns.some(({ hidden }) => hidden !== 0)) return null;
  return columns.map(({ type, needed, key }) => ({
    isText: TEXT.test(String(type)) && !/INT/i.test(String(type)),
    // A key may be that of the row, which is not told twice.
    isNeeded: needed === 1 && key === 0,
  }));
}

/** Each of them has a page of its own to lead to, which is there and is never read. */
function makeRoom(exec: (sql: string) => void, count: number): void {
  exec(`PRAGMA page_size = ${String(PAGE_BYTES)}`);
  const bytes = (FIRST_PAGE + count) * PAGE_BYTES;
  exec(`CREATE TABLE room (bytes); INSERT INTO room VALUES (zeroblob(${String(bytes)}))`);
  exec('DROP TABLE room');
}

/** As a file has it: 3045001 is 3.45.1. */
function versionOf(database: Connection): number {
  const [row] = database.rows(['version'], '(SELECT sqlite_version() AS version)');
  const [major = 0, minor = 0, patch = 0] = String(row?.['version']).split('.').map(Number);
  return major * 1_000_000 + minor * 1000 + patch;
}
