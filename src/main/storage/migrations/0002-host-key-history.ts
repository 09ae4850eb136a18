import type { Migration } from '../migrations.ts';

/**
 * How each key came to be trusted, where its machine was met, when it was last seen, and why it was replaced. A key
 * belongs to any machine that is dialled, also to a hop on the way to a box, so it no longer points to a box.
 */
export const hostKeyHistoryMigration: Migration = {
  version: 2,
  sql: `
    CREATE TABLE host_keys_anew (
      id INTEGER PRIMARY KEY,
      machine_id TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      type TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      public_key TEXT NOT NULL,
      trusted_by TEXT NOT NULL,
      trusted_where TEXT,
      stored_at_ms INTEGER NOT NULL,
      last_seen_ms INTEGER,
      replaced_at_ms INTEGER,
      replaced_because TEXT
    ) STRICT;
    INSERT INTO host_keys_anew
      SELECT k.id, k.box_id, b.host, b.port, k.type, k.fingerprint, k.public_key, 'not-recorded', NULL,
        k.stored_at_ms, NULL, k.replaced_at_ms,
        CASE WHEN k.replaced_at_ms IS NULL THEN NULL ELSE 'not-recorded' END
      FROM host_keys AS k JOIN boxes AS b ON b.id = k.box_id;
    DROP TABLE host_keys;
    ALTER TABLE host_keys_anew RENAME TO host_keys;
    CREATE INDEX host_keys_by_machine ON host_keys (machine_id);
    CREATE UNIQUE INDEX one_current_host_key ON host_keys (machine_id) WHERE replaced_at_ms IS NULL;
  `,
};
