import type { Migration } from '../migrations.ts';

/** The tunnels of each box, opened again whenever it is connected. */
export const tunnelsMigration: Migration = {
  version: 3,
  sql: `
    CREATE TABLE tunnels (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      service TEXT NOT NULL,
      listen_port INTEGER NOT NULL,
      is_exposed INTEGER NOT NULL,
      target_host TEXT,
      target_port INTEGER,
      is_on INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tunnels_by_box ON tunnels (box_id);
  `,
};
