import type { Migration } from '../migrations.ts';

/** Which files of each box a secret was sent into. SECURITY: nothing of a secret itself is ever in this table. */
export const sentSecretsMigration: Migration = {
  version: 9,
  sql: `
    CREATE TABLE sent_secrets (
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      sent_at_ms INTEGER NOT NULL,
      PRIMARY KEY (box_id, path)
    ) STRICT;
  `,
};
