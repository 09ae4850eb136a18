import type { Migration } from '../migrations.ts';

/** Where it is known from that bytes were moved: all that stood here before was typed. */
export const measuredTransfersMigration: Migration = {
  version: 13,
  sql: `ALTER TABLE ledger_transfers ADD COLUMN source TEXT NOT NULL DEFAULT 'manual';`,
};
