import type { Migration } from '../migrations.ts';

/** No box is named by a foreign key: what was proven stays when the box is gone, which is when it counts. */
export const evidenceMigration: Migration = {
  version: 15,
  sql: `
    CREATE TABLE evidence (
      seq INTEGER PRIMARY KEY,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      box_id TEXT NOT NULL,
      about TEXT NOT NULL,
      body TEXT NOT NULL,
      previous TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;
    CREATE INDEX evidence_about ON evidence (box_id, about, kind, seq);
    CREATE TRIGGER evidence_stays BEFORE UPDATE ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is never changed'); END;
    CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
      BEGIN SELECT RAISE(ABORT, 'evidence is never removed'); END;
  `,
};
