import type { Migration } from '../migrations.ts';

/**
 * What the GPUs of each box did. One row is one record of the whole box, encoded (src/shared/telemetry/history-codec.ts),
 * because a row for each figure would take ten times the room. Rows of a box that was forgotten are left to the janitor:
 * a cascade over 50,000 rows would hold up everything else.
 */
export const historyMigration: Migration = {
  version: 6,
  sql: `
    CREATE TABLE history_boxes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      box_id TEXT NOT NULL UNIQUE REFERENCES boxes (id) ON DELETE CASCADE
    ) STRICT;

    -- The cards that a box had, by the number that stands for them in the records.
    CREATE TABLE history_gpus (
      box INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      gpu TEXT NOT NULL,
      gpu_index INTEGER,
      name TEXT,
      PRIMARY KEY (box, slot),
      UNIQUE (box, gpu)
    ) STRICT, WITHOUT ROWID;

    -- tier: seconds of one bucket. start_s: where the first bucket of the record begins.
    CREATE TABLE history (
      box INTEGER NOT NULL,
      tier INTEGER NOT NULL,
      start_s INTEGER NOT NULL,
      buckets BLOB NOT NULL,
      PRIMARY KEY (box, tier, start_s)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE history_gaps (
      box INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (box, from_ms)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE history_throttle (
      box INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      from_ms INTEGER NOT NULL,
      to_ms INTEGER NOT NULL,
      bits INTEGER NOT NULL,
      PRIMARY KEY (box, slot, from_ms)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE history_marks (
      seq INTEGER PRIMARY KEY,
      box INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      gpu TEXT,
      text TEXT NOT NULL,
      code INTEGER,
      evidence TEXT
    ) STRICT;
    CREATE INDEX history_marks_by_box ON history_marks (box, at_ms);

    -- What a driver refused to answer, so that it is not asked again at each start.
    CREATE TABLE gpu_refusals (
      box_id TEXT NOT NULL REFERENCES boxes (id) ON DELETE CASCADE,
      driver TEXT NOT NULL,
      refused TEXT NOT NULL,
      PRIMARY KEY (box_id, driver)
    ) STRICT, WITHOUT ROWID;
  `,
};
