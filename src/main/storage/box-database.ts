import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { boxesTable, type BoxesTable } from './boxes-table.ts';
import { isSqliteError, openConnection, type Connection } from './connection.ts';
import { headNote, NO_HEAD, type HeadNote } from './evidence-head.ts';
import { DATABASE_FILE, openDatabaseFile } from './database-file.ts';
import { migrate, MIGRATIONS, type Migration } from './migrations.ts';
import { createSql, type Sql } from './sql.ts';

/** How long one call waits for another process's write. Main is blocked meanwhile; the command line's writes are short. */
const BUSY_TIMEOUT_MS = 1000;

/** The database with the one table that the window's first picture shows; `withAllTables` brings the others (decision 7). */
export interface BoxDatabase {
  readonly boxes: BoxesTable;
  readonly sql: Sql;
  /** How far the evidence in it had come. */
  readonly head: HeadNote;
  readonly close: () => void;
}

export interface OpenedBoxDatabase {
  readonly database: BoxDatabase;
  /** False: it lives in memory because the file cannot be used, and `problems` says why. The file is left as it is. */
  readonly isKept: boolean;
  /** What the person should know about the file as it was found. */
  readonly problems: readonly Problem[];
}

export interface DatabaseOptions {
  readonly folder: string;
  readonly now?: () => number;
  readonly busyTimeoutMs?: number;
  readonly migrations?: readonly Migration[];
}

/** Always answers with a database that works: the file, a new file beside a damaged one, or one in memory. */
export function openBoxDatabase({
  folder,
  now = Date.now,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
  migrations = MIGRATIONS,
}: DatabaseOptions): OpenedBoxDatabase {
  const file = join(folder, DATABASE_FILE);
  const opened = openDatabaseFile(file, { atMs: now(), busyTimeoutMs, migrations });
  if (!opened.ok) {
    return { database: openInMemory(migrations), isKept: false, problems: opened.error };
  }
  const { connection, problems, isNew } = opened.value;
  const head = headNote(file);
  const begun = isNew ? head.beginAnew() : ok(null);
  const close = (): void => {
    emptyLog(connection);
    connection.close();
  };
  return {
    database: overConnection(connection, file, { head, close }),
    isKept: true,
    problems: begun.ok ? problems : [...problems, begun.error],
  };
}

/** A database of this session only. */
export function openInMemory(migrations: readonly Migration[] = MIGRATIONS): BoxDatabase {
  const connection = openConnection(':memory:', 0);
  migrate(connection, migrations);
  return overConnection(connection, 'in memory', {
    head: NO_HEAD,
    close: () => connection.close(),
  });
}

function overConnection(
  connection: Connection,
  file: string,
  { head, close }: Pick<BoxDatabase, 'head' | 'close'>,
): BoxDatabase {
  const sql = createSql(connection, file);
  return { boxes: boxesTable(sql), sql, head, close };
}

/** libsql lets go of the file only at the next garbage collection. With the log emptied now, one complete file is left. */
function emptyLog(connection: Connection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (cause) {
    // A full disk, another process: then the log stays beside the file, where the next start reads it.
    if (!isSqliteError(cause)) throw cause;
  }
}
