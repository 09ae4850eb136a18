import type { Migration } from '../migrations.ts';

/**
 * Boxes that are gone are kept. The address of one is given to the next machine, which must not be refused for it, so an address is one box's
 * among the living alone. That cannot be said without making the table anew.
 */
export const archiveMigration: Migration = {
  version: 16,
  sql: `
    CREATE TABLE archiving_boxes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      platform TEXT NOT NULL,
      host TEXT NOT NULL COLLATE NOCASE,
      port INTEGER NOT NULL,
      user TEXT NOT NULL,
      route TEXT NOT NULL,
      login TEXT NOT NULL,
      options TEXT NOT NULL,
      tags TEXT NOT NULL,
      added_at_ms INTEGER NOT NULL,
      archived_at_ms INTEGER
    ) STRICT;
    INSERT INTO archiving_boxes
      SELECT id, name, platform, host, port, user, route, login, options, tags, added_at_ms, NULL FROM boxes;
    DROP TABLE boxes;
    ALTER TABLE archiving_boxes RENAME TO boxes;
    CREATE UNIQUE INDEX one_living_box_at_an_address ON boxes (host, port, user, route) WHERE archived_at_ms IS NULL;
  `,
};
