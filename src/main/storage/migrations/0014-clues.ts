import type { Migration } from '../migrations.ts';

/**
 * What findings show is a clue from here on; "evidence" belongs to the hash-chained record. An alert whose JSON is damaged
 * stays as it is: it is told as unreadable, and must not keep the database from opening.
 */
export const cluesMigration: Migration = {
  version: 14,
  sql: `
    ALTER TABLE history_marks RENAME COLUMN evidence TO clue;
    UPDATE alerts SET alert = json_remove(
      json_set(alert, '$.finding.clues', json_extract(alert, '$.finding.evidence')),
      '$.finding.evidence'
    )
    WHERE CASE WHEN json_valid(alert) THEN json_type(alert, '$.finding.evidence') = 'array' END;
  `,
};
