import type { Migration } from '../migrations.ts';

/** When each box did nothing, so that what that cost is still known after a restart. Kept like the ledger, whose part it is. */
export const idleSpansMigration: Migration = {
  version: 10,
  sql: `
    CREATE TABLE ledger_idle (
      box_id TEXT NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, from_ms)
    ) STRICT, WITHOUT ROWID;
  `,
};
