import type { Migration } from '../migrations.ts';

/** The person's own words for a box, as JSON. */
export const tagsMigration: Migration = {
  version: 7,
  sql: `ALTER TABLE boxes ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'`,
};
