import { sqliteError, type Connection } from './connection.ts';
import { APPLICATION_ID } from './inspection.ts';
import { boxesMigration } from './migrations/0001-boxes.ts';
import { hostKeyHistoryMigration } from './migrations/0002-host-key-history.ts';
import { tunnelsMigration } from './migrations/0003-tunnels.ts';
import { routesMigration } from './migrations/0004-routes.ts';
import { lendNothingMigration } from './migrations/0005-lend-nothing.ts';
import { historyMigration } from './migrations/0006-history.ts';
import { tagsMigration } from './migrations/0007-tags.ts';
import { ledgerMigration } from './migrations/0008-ledger.ts';
import { sentSecretsMigration } from './migrations/0009-sent-secrets.ts';
import { idleSpansMigration } from './migrations/0010-idle-spans.ts';
import { notesMigration } from './migrations/0011-notes.ts';
import { alertsMigration } from './migrations/0012-alerts.ts';
import { measuredTransfersMigration } from './migrations/0013-measured-transfers.ts';
import { cluesMigration } from './migrations/0014-clues.ts';
import { evidenceMigration } from './migrations/0015-evidence.ts';
import { archiveMigration } from './migrations/0016-archive.ts';

/**
 * One step forward. Once released it never changes and is never taken out: files at every version exist somewhere. The
 * tests compare each version with its recorded sample in migrations/samples/.
 */
export interface Migration {
  /** 1, 2, 3 … without gaps; kept in the file as PRAGMA user_version. */
  readonly version: number;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  boxesMigration,
  hostKeyHistoryMigration,
  tunnelsMigration,
  routesMigration,
  lendNothingMigration,
  historyMigration,
  tagsMigration,
  ledgerMigration,
  sentSecretsMigration,
  idleSpansMigration,
  notesMigration,
  alertsMigration,
  measuredTransfersMigration,
  cluesMigration,
  evidenceMigration,
  archiveMigration,
];

export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Runs what is missing, each step whole or not at all. A step that fails throws and leaves the version before it. */
export function migrate(connection: Connection, migrations: readonly Migration[]): void {
  const from = Number(connection.pragma('user_version'));
  // Rebuilding a table that others point to needs this off; it cannot be switched inside a transaction.
  connection.exec('PRAGMA foreign_keys = OFF');
  for (const { version, sql } of migrations) {
    if (version > from) step(connection, version, sql);
  }
  connection.exec('PRAGMA foreign_keys = ON');
}

function step(connection: Connection, version: number, sql: string): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(sql);
    if (connection.rows(['parent'], 'pragma_foreign_key_check').length > 0) {
      throw sqliteError(
        `migration ${version} leaves rows that point nowhere`,
        'SQLITE_CONSTRAINT_FOREIGNKEY',
      );
    }
    connection.exec(
      `PRAGMA user_version = ${version}; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`,
    );
  } catch (cause) {
    if (connection.isInTransaction()) connection.exec('ROLLBACK');
    throw cause;
  }
}
