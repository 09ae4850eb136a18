import type { Migration } from '../migrations.ts';

/** What the person wrote about a box; about their project, where it names none. A box's note goes with the box. */
export const notesMigration: Migration = {
  version: 11,
  sql: `
    CREATE TABLE notes (
      about TEXT NOT NULL PRIMARY KEY,
      box_id TEXT REFERENCES boxes (id) ON DELETE CASCADE,
      text TEXT NOT NULL,
      saved_at_ms INTEGER NOT NULL
    ) STRICT;
  `,
};
