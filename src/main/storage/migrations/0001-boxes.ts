import type { Migration } from '../migrations.ts';

/** The boxes that the person added, and every host key they ever trusted for one. */
export const boxesMigration: Migration = {
  version: 1,
  sql: `
    CREATE TABLE boxes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      user TEXT NOT NULL,
      identity_file TEXT,
      added_at_ms INTEGER NOT NULL,
      UNIQUE (host, port, user)
    ) STRICT;

    -- A replaced key stays: "it had this key until then" is what a person compares a changed one with.
    CREATE TABLE host_keys (
      id INTEGER PRIMARY KEY,
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      stored_at_ms INTEGER NOT NULL,
      replaced_at_ms INTEGER
    ) STRICT;
    CREATE INDEX host_keys_by_box ON host_keys (box_id);
    CREATE UNIQUE INDEX one_current_host_key ON host_keys (box_id) WHERE replaced_at_ms IS NULL;
  `,
};
