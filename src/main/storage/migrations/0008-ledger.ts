import type { Migration } from '../migrations.ts';

/**
 * What each box has cost. Lines are added and, while they are the last of their box, made longer; no line is ever taken away or
 * changed otherwise. A box that is forgotten leaves its lines: the money is spent all the same.
 */
export const ledgerMigration: Migration = {
  version: 8,
  sql: `
    CREATE TABLE ledger_intervals (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      ms INTEGER NOT NULL,
      phase TEXT NOT NULL,
      source TEXT NOT NULL,
      charges TEXT NOT NULL,
      life TEXT,
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ledger_transfers (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      what TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      rate TEXT,
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE ledger_corrections (
      box_id TEXT NOT NULL,
      no INTEGER NOT NULL,
      voids INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      by_whom TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (box_id, no)
    ) STRICT, WITHOUT ROWID;

    -- What the person says about money: prices, dates, balances, budgets. One JSON value a key, checked when it is read. An
    -- empty box id stands for all boxes.
    CREATE TABLE meter_entries (
      box_id TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      said_at_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, key)
    ) STRICT, WITHOUT ROWID;
  `,
};
