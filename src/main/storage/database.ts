import { alertsTable, type AlertsTable } from './alerts-table.ts';
import {
  openBoxDatabase,
  openInMemory,
  type BoxDatabase,
  type DatabaseOptions,
  type OpenedBoxDatabase,
} from './box-database.ts';
import { entriesTable, type EntriesTable } from './entries-table.ts';
import { evidenceTable, type EvidenceTable } from './evidence-table.ts';
import { historyTable, type HistoryTable } from './history-table.ts';
import { hostKeysTable, type HostKeysTable } from './host-keys-table.ts';
import { ledgerTable, type LedgerTable } from './ledger-table.ts';
import { notesTable, type NotesTable } from './notes-table.ts';
import { refusalsTable, type RefusalsTable } from './refusals-table.ts';
import type { Sql } from './sql.ts';
import { sentSecretsTable, type SentSecretsTable } from './sent-secrets-table.ts';
import { tunnelsTable, type TunnelsTable } from './tunnels-table.ts';

export interface Database extends Omit<BoxDatabase, 'sql' | 'head'> {
  readonly hostKeys: HostKeysTable;
  readonly tunnels: TunnelsTable;
  readonly sentSecrets: SentSecretsTable;
  readonly history: HistoryTable;
  readonly refusals: RefusalsTable;
  readonly ledger: LedgerTable;
  readonly alerts: AlertsTable;
  /** What the person says about money. */
  readonly entries: EntriesTable;
  readonly notes: NotesTable;
  readonly evidence: EvidenceTable;
  /** All of it or nothing, across tables. */
  readonly transaction: Sql['transaction'];
}

export interface OpenedDatabase extends Omit<OpenedBoxDatabase, 'database'> {
  readonly database: Database;
}

export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const opened = openBoxDatabase(options);
  return { ...opened, database: withAllTables(opened.database) };
}

/** A database of this session only, with the same tables. */
export function openTemporaryDatabase(): Database {
  return withAllTables(openInMemory());
}

export function withAllTables({ boxes, sql, head, close }: BoxDatabase): Database {
  return {
    boxes,
    hostKeys: hostKeysTable(sql),
    tunnels: tunnelsTable(sql),
    sentSecrets: sentSecretsTable(sql),
    history: historyTable(sql),
    refusals: refusalsTable(sql),
    ledger: ledgerTable(sql),
    alerts: alertsTable(sql),
    entries: entriesTable(sql),
    notes: notesTable(sql),
    evidence: evidenceTable(sql, head),
    transaction: sql.transaction,
    close,
  };
}
