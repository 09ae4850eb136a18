import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { boxesTable, type BoxesTable } from './boxes-table.ts';
import { isSqliteError, openConnection, type Connection } from './connection.ts';
import { openDatabaseFile } from './database-file.ts';
import { entriesTable, type EntriesTable } from './entries-table.ts';
import { historyTable, type HistoryTable } from './history-table.ts';
import { hostKeysTable, type HostKeysTable } from './host-keys-table.ts';
import { ledgerTable, type LedgerTable } from './ledger-table.ts';
import { migrate, MIGRATIONS, type Migration } from './migrations.ts';
import { notesTable, type NotesTable } from './notes-table.ts';
import { refusalsTable, type RefusalsTable } from './refusals-table.ts';
import { createSql, type Sql } from './sql.ts';
import { sentSecretsTable, type SentSecretsTable } from './sent-secrets-table.ts';
import { tunnelsTable, type TunnelsTable } from './tunnels-table.ts';

export const DATABASE_FILE = 'leasehold.db';

/** How long one call waits for another process's write. Main is blocked meanwhile; the command line's writes are short. */
const BUSY_TIMEOUT_MS = 1000;

export interface Database {
  readonly boxes: BoxesTable;
  readonly hostKeys: HostKeysTable;
  readonly tunnels: TunnelsTable;
  readonly sentSecrets: SentSecretsTable;
  readonly history: HistoryTable;
  readonly refusals: RefusalsTable;
  readonly ledger: LedgerTable;
  /** What the person says about money. */
  readonly entries: EntriesTable;
  readonly notes: NotesTable;
  /** All of it or nothing, across tables. */
  readonly transaction: Sql['transaction'];
  readonly close: () => void;
}

export interface OpenedDatabase {
  readonly database: Database;
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
export function openDatabase({
  folder,
  now = Date.now,
  busyTimeoutMs = BUSY_TIMEOUT_MS,
  migrations = MIGRATIONS,
}: DatabaseOptions): OpenedDatabase {
  const file = join(folder, DATABASE_FILE);
  const opened = openDatabaseFile(file, { atMs: now(), busyTimeoutMs, migrations });
  if (!opened.ok) {
    return { database: openTemporaryDatabase(migrations), isKept: false, problems: opened.error };
  }
  const { connection, problems } = opened.value;
  const close = (): void => {
    emptyLog(connection);
    connection.close();
  };
  return { database: toDatabase(connection, file, close), isKept: true, problems };
}

/** A database of this session only, with the same tables. */
export function openTemporaryDatabase(migrations: readonly Migration[] = MIGRATIONS): Database {
  const connection = openConnection(':memory:', 0);
  migrate(connection, migrations);
  return toDatabase(connection, 'in memory', () => connection.close());
}

function toDatabase(connection: Connection, file: string, close: () => void): Database {
  const sql = createSql(connection, file);
  return {
    boxes: boxesTable(sql),
    hostKeys: hostKeysTable(sql),
    tunnels: tunnelsTable(sql),
    sentSecrets: sentSecretsTable(sql),
    history: historyTable(sql),
    refusals: refusalsTable(sql),
    ledger: ledgerTable(sql),
    entries: entriesTable(sql),
    notes: notesTable(sql),
    transaction: sql.transaction,
    close,
  };
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
