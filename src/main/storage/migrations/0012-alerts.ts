import type { Migration } from '../migrations.ts';

/** The alerts of each box. What is asked for stands in columns, the rest as the JSON that alert-schema.ts reads. */
export const alertsMigration: Migration = {
  version: 12,
  sql: `
    CREATE TABLE alerts (
      id TEXT PRIMARY KEY,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      opened_at_ms INTEGER NOT NULL,
      resolved_at_ms INTEGER,
      alert TEXT NOT NULL
    ) STRICT;
    CREATE INDEX alerts_by_box ON alerts (box_id, resolved_at_ms);
  `,
};
