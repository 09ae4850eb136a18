import { isSqliteError, openConnection, type Connection } from '../../storage/connection.ts';
import { Damaged, NotLoadable } from '../damage.ts';
import type { Key } from './cells.ts';

/** More than any database has, and parsed within a second. */
const [MAX_ROWS, MAX_CHARS] = [10_000, 1024 * 1024];
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
  #rows: { readonly key: Key; readonly told: Told }[] = [];
  #chars = 0;
  #hasMany = false;

  /** @param version Of the SQLite that wrote them. */
  constructor(version: number) {
    this.#version = version;
  }

  /** False: it is not kept, and nothing of it should be. */
  add(key: Key | null, told: Told): boolean {
    this.#chars += told.name.length + told.table.length + (told.sql?.length ?? 0);
    this.#hasMany ||= this.#chars > MAX_CHARS || this.#rows.length >= MAX_ROWS;
    if (this.#hasMany) this.#rows = [];
    else this.#rows.push({ key: key ?? 0, told });
    return !this.#hasMany;
  }

  /** Each table by its name. Null: they are more than are looked at. */
  check(): ReadonlyMap<string, Declared> | null {
    // An index is told of behind its table.
    const rows = this.#rows.sort(({ key: one }, { key: other }) => (one < other ? -1 : 1));
    const database = openConnection(':memory:', 0);
    const known = versionOf(database);
    try {
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
      return this.#hasMany ? null : declaredIn(database, rows);
    } catch (cause) {
      if (!isSqliteError(cause) || cause.code !== 'SQLITE_CORRUPT') throw cause;
      if (this.#version > known) {
        throw new NotLoadable('a newer SQLite than Leasehold knows has made its tables');
      }
      throw new Damaged('the words that its tables were made with are none of SQLite');
    } finally {
      database.close();
    }
  }
}

/** Those of a type that SQLite takes for text. */
const TEXT = /CHAR|CLOB|TEXT/i;

function declaredIn(
  database: Connection,
  rows: readonly { readonly told: Told }[],
): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  const indexes = new Set(rows.flatMap(({ told }) => (told.type === 'index' ? [told.name] : [])));
  for (const { told } of rows) {
    if (told.type !== 'table' || told.page === 0) continue;
    const [listed] = database.rows(
      ['keyed'],
      "(SELECT wr AS keyed FROM pragma_table_list WHERE schema = 'main' AND name = ?)",
      [told.name],
    );
    const hasRowNumbers = listed?.['keyed'] === 0;
    const made = database.rows(['name', 'origin'], 'pragma_index_list(?)', [told.name]);
    // The key of one without numbers of rows is its own tree.
    const isThere = ({ name, origin }: (typeof made)[number]): boolean =>
      indexes.has(String(name)) || (!hasRowNumbers && origin === 'pk');
    if (!made.every(isThere)) throw new Damaged('an index that a table of it needs is missing');
    found.set(told.name, { hasRowNumbers, columns: columnsOf(database, told.name) });
  }
  return found;
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
