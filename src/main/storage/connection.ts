import Libsql from 'libsql';

/**
 * What may be bound. Not wider: libsql 0.5.29 aborts the whole process on a boolean and silently turns `undefined`
 * into NULL.
 */
export type SqlValue = string | number | null | Uint8Array;

/** A cell as it leaves this module. Bytes are left where a text was not UTF-8: no schema accepts those as a string. */
export type SqlCell = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlCell>>;
export type ByteRow = Readonly<Record<string, number | Uint8Array | null>>;

/** One open SQLite connection: the only code that knows the library. Everything is synchronous and may throw. */
export interface Connection {
  /** One or more statements without values or rows. */
  readonly exec: (sql: string) => void;
  /** One statement that changes rows. Answers how many. */
  readonly run: (sql: string, values?: readonly SqlValue[]) => number;
  /** The named columns of `from` (a table and what follows it: WHERE, ORDER BY …). */
  readonly rows: (
    columns: readonly string[],
    from: string,
    values?: readonly SqlValue[],
  ) => readonly SqlRow[];
  /** The same for columns of numbers and bytes. Bytes stay bytes whatever they hold; a text cell is null. */
  readonly byteRows: (
    columns: readonly string[],
    from: string,
    values?: readonly SqlValue[],
  ) => readonly ByteRow[];
  /** The single answer of a pragma, for example `user_version`. */
  readonly pragma: (name: string) => string | number;
  readonly isInTransaction: () => boolean;
  readonly close: () => void;
}

export function openConnection(file: string, busyTimeoutMs: number): Connection {
  const opened = openFile(file, busyTimeoutMs);
  let isClosed = false;
  // libsql aborts the whole process when a closed database is used: here it is an error like any other bug.
  const usable = (): typeof opened => {
    if (isClosed) throw new Error(`${file} is closed`);
    return opened;
  };
  // libsql finalizes a statement only when it is garbage-collected, so each SQL text is prepared once. The texts are all
  // in our source, which bounds the map.
  const statements = new Map<string, ReturnType<typeof opened.prepare>>();
  const prepare = (sql: string): ReturnType<typeof opened.prepare> => {
    const database = usable();
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    exec: (sql) => void usable().exec(sql),
    run: (sql, values = []) => prepare(sql).run([...values]).changes,
    rows: (columns, from, values = []) => {
      const sql = `SELECT ${columns.map(guardedColumn).join(', ')} FROM ${from}`;
      // Always all(): what get() leaves unfinished would hold its read lock, and it adds a field of its own.
      return (prepare(sql).all([...values]) as RawRow[]).map(decodeRow);
    },
    byteRows: (columns, from, values = []) => {
      const sql = `SELECT ${columns.map(withoutText).join(', ')} FROM ${from}`;
      return (prepare(sql).all([...values]) as RawRow[]).map(bytesOfRow);
    },
    pragma: (name) => {
      const [row] = prepare(`PRAGMA ${name}`).all([]) as RawRow[];
      const [cell] = row === undefined ? [] : Object.values(row);
      if (typeof cell !== 'string' && typeof cell !== 'number') {
        throw new Error(`PRAGMA ${name} gave no value`);
      }
      return cell;
    },
    isInTransaction: () => usable().inTransaction,
    close: () => {
      isClosed = true;
      opened.close();
    },
  };
}

/** Errors of the library carry SQLite's code; anything else that is thrown is a bug. */
export interface SqliteError extends Error {
  readonly code: string;
}

export function isSqliteError(cause: unknown): cause is SqliteError {
  return (
    cause instanceof Error &&
    'code' in cause &&
    typeof cause.code === 'string' &&
    cause.code.startsWith('SQLITE_')
  );
}

/** For what SQLite did not notice itself but would call by one of its names. */
export function sqliteError(message: string, code: `SQLITE_${string}`): Error {
  return new Libsql.SqliteError(message, code);
}

/** A failed open arrives as text with SQLite's number at its end, for example `…/leasehold.db: 14")`. */
const OPEN_FAILED = /^ConnectionFailed\(.*: (\d+)"\)$/s;

function openFile(file: string, busyTimeoutMs: number): InstanceType<typeof Libsql> {
  try {
    return new Libsql(file, { timeout: busyTimeoutMs });
  } catch (cause) {
    const [, number] = (cause instanceof Error ? OPEN_FAILED.exec(cause.message) : null) ?? [];
    if (number === undefined) throw cause;
    throw sqliteError(`cannot open ${file}`, number === '14' ? 'SQLITE_CANTOPEN' : 'SQLITE_ERROR');
  }
}

type RawRow = Readonly<Record<string, string | number | null | ArrayBuffer>>;

/**
 * Text is fetched as bytes: libsql aborts the whole process when a TEXT cell is not UTF-8, which one flipped bit in the
 * file is enough for, and cuts the text at a NUL.
 */
function guardedColumn(name: string): string {
  return `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS ${name}`;
}

function withoutText(name: string): string {
  return `CASE typeof(${name}) WHEN 'text' THEN NULL ELSE ${name} END AS ${name}`;
}

function bytesOfRow(row: RawRow): ByteRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell instanceof ArrayBuffer ? new Uint8Array(cell) : typeof cell === 'number' ? cell : null,
    ]),
  );
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeRow(row: RawRow): SqlRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell instanceof ArrayBuffer ? decodeText(cell) : cell,
    ]),
  );
}

function decodeText(bytes: ArrayBuffer): string | Uint8Array {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return new Uint8Array(bytes);
    throw cause;
  }
}
