import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { mergeBuckets } from '../../shared/telemetry/bucket-fold.ts';
import { gapWords, type GapReason, type HistoryGap } from '../../shared/telemetry/history.ts';
import { decodeBuckets, encodeBuckets } from '../../shared/telemetry/history-codec.ts';
import { markWords, type MarkKind, type TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { ThrottleSpan } from '../../shared/telemetry/throttle.ts';
import { isSqliteError, type Connection } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

/** Tiers that are kept on disk, by the seconds of one bucket. */
export type StoredStepS = 10 | 60 | 3600;

/** How much time one record of a tier holds at most: minutes are packed by the hour when the hour is over. */
const RECORD_S: Readonly<Record<StoredStepS, number>> = { 10: 60, 60: 3600, 3600: 3600 };

export interface HistoryGpu {
  readonly slot: number;
  readonly gpu: string;
  readonly index: number | null;
  readonly name: string | null;
}

export interface HistoryRecord {
  readonly stepS: StoredStepS;
  readonly startS: number;
  /** As `encodeBuckets` made them. */
  readonly bytes: Uint8Array;
}

/** What one box has to keep, all or nothing. */
export interface HistoryBatch {
  readonly box: number;
  readonly records: readonly HistoryRecord[];
  readonly gpus: readonly HistoryGpu[];
  readonly gaps: readonly HistoryGap[];
  readonly throttle: readonly (ThrottleSpan & { readonly slot: number })[];
  readonly marks: readonly TelemetryMark[];
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The GPU history of all boxes. A box is a number here; `boxOf` gives it. */
export interface HistoryTable {
  /** Null: a box that is not in the list, so that nothing can be kept for it. */
  readonly boxOf: (boxId: string) => Result<number | null, Problem>;
  readonly gpus: (box: number) => Result<Listing<HistoryGpu>, Problem>;
  readonly write: (batches: readonly HistoryBatch[]) => Result<null, Problem>;
  /** At most `limit` records that may touch the range, oldest first, and none that begins at `afterS` or before. */
  readonly read: (
    box: number,
    stepS: StoredStepS,
    range: Range & { readonly afterS?: number },
    limit: number,
  ) => Result<readonly HistoryRecord[], Problem>;
  /** Puts one record in the place of all minutes of its hour, beside what they come to. */
  readonly packHour: (
    box: number,
    minutes: HistoryRecord,
    hour: HistoryRecord,
  ) => Result<null, Problem>;
  /** Where the newest record of a tier begins. */
  readonly newest: (box: number, stepS: StoredStepS) => Result<number | null, Problem>;
  readonly gaps: (box: number, range: Range) => Result<Listing<HistoryGap>, Problem>;
  readonly throttle: (
    box: number,
    range: Range,
  ) => Result<Listing<ThrottleSpan & { readonly slot: number }>, Problem>;
  readonly marks: (box: number, range: Range) => Result<Listing<TelemetryMark>, Problem>;
  /** Removes at most `limit` records that begin before the given second of their tier. Answers how many. */
  readonly prune: (
    box: number,
    beforeS: Readonly<Record<StoredStepS, number>>,
    limit: number,
  ) => Result<number, Problem>;
  /** Numbers of boxes that were forgotten and still have something here. */
  readonly orphans: () => Result<readonly number[], Problem>;
  /** Removes at most `limit` records of a box that was forgotten, and with the last one all the rest. */
  readonly dropOrphan: (box: number, limit: number) => Result<number, Problem>;
}

const NOT_KEPT = 'The GPU history was not kept';
const NOT_READ = 'The GPU history could not be read';

const STEPS: readonly StoredStepS[] = [10, 60, 3600];
/** A card in a storm of errors must not fill the disk. */
const MAX_MARKS_READ = 2000;

const gpuRow = z
  .strictObject({
    slot: z.int().min(0),
    gpu: z.string().min(1),
    gpu_index: z.int().min(0).nullable(),
    name: z.string().nullable(),
  })
  .transform(({ gpu_index, ...rest }): HistoryGpu => ({ ...rest, index: gpu_index }));

const gapRow = z
  .strictObject({
    from_ms: z.int(),
    to_ms: z.int(),
    reason: z.enum(Object.keys(gapWords) as [GapReason, ...GapReason[]]),
  })
  .transform(({ from_ms, to_ms, reason }): HistoryGap => ({
    fromMs: from_ms,
    toMs: to_ms,
    reason,
  }));

const throttleRow = z
  .strictObject({ slot: z.int().min(0), from_ms: z.int(), to_ms: z.int(), bits: z.int().min(0) })
  .transform(({ slot, from_ms, to_ms, bits }) => ({ slot, fromMs: from_ms, toMs: to_ms, bits }));

const markRow = z
  .strictObject({
    at_ms: z.int(),
    kind: z.enum(Object.keys(markWords) as [MarkKind, ...MarkKind[]]),
    gpu: z.string().nullable(),
    text: z.string(),
    code: z.int().nullable(),
    clue: z.string().nullable(),
  })
  .transform(({ at_ms, ...rest }): TelemetryMark => ({ atMs: at_ms, ...rest }));

export function historyTable(sql: Sql): HistoryTable {
  return {
    boxOf: (boxId) => {
      const known = sql.read(NOT_READ, (connection) => findBox(connection, boxId));
      if (!known.ok || known.value !== null) return known;
      return sql.relaxed(NOT_KEPT, (connection) => addBox(connection, boxId));
    },

    gpus: (box) =>
      sql.read(NOT_READ, (connection) =>
        readRows(
          connection.rows(['slot', 'gpu', 'gpu_index', 'name'], 'history_gpus WHERE box = ?', [
            box,
          ]),
          gpuRow,
          'A card of the GPU history',
        ),
      ),

    write: (batches) =>
      sql.relaxed(NOT_KEPT, (connection) => {
        for (const batch of batches) writeBatch(connection, batch);
        return null;
      }),

    read: (box, stepS, { fromMs, toMs, afterS = -Infinity }, limit) =>
      sql.read(NOT_READ, (connection) => {
        const rows = connection.byteRows(
          ['start_s', 'buckets'],
          'history WHERE box = ? AND tier = ? AND start_s > ? AND start_s <= ? ORDER BY start_s LIMIT ?',
          [
            box,
            stepS,
            Math.max(afterS, Math.floor(fromMs / 1000) - RECORD_S[stepS]),
            Math.floor(toMs / 1000),
            limit,
          ],
        );
        return rows.flatMap(({ start_s: startS, buckets: bytes }) =>
          typeof startS === 'number' && bytes instanceof Uint8Array
            ? [{ stepS, startS, bytes: unpacked(bytes) }]
            : [],
        );
      }),

    packHour: (box, minutes, hour) =>
      sql.relaxed(NOT_KEPT, (connection) => {
        const { startS } = minutes;
        connection.run(
          'DELETE FROM history WHERE box = ? AND tier = 60 AND start_s BETWEEN ? AND ?',
          [box, startS, startS + 3599],
        );
        for (const each of [minutes, hour]) {
          connection.run(
            'INSERT OR REPLACE INTO history (box, tier, start_s, buckets) VALUES (?, ?, ?, ?)',
            [box, each.stepS, startS, packed(each.bytes)],
          );
        }
        return null;
      }),

    newest: (box, stepS) =>
      sql.read(NOT_READ, (connection) => {
        const [row] = connection.byteRows(
          ['start_s'],
          'history WHERE box = ? AND tier = ? ORDER BY start_s DESC LIMIT 1',
          [box, stepS],
        );
        return typeof row?.['start_s'] === 'number' ? row['start_s'] : null;
      }),

    gaps: (box, { fromMs, toMs }) =>
      sql.read(NOT_READ, (connection) =>
        readRows(
          connection.rows(
            ['from_ms', 'to_ms', 'reason'],
            'history_gaps WHERE box = ? AND to_ms >= ? AND from_ms <= ? ORDER BY from_ms',
            [box, fromMs, toMs],
          ),
          gapRow,
          'A gap of the GPU history',
        ),
      ),

    throttle: (box, { fromMs, toMs }) =>
      sql.read(NOT_READ, (connection) =>
        readRows(
          connection.rows(
            ['slot', 'from_ms', 'to_ms', 'bits'],
            'history_throttle WHERE box = ? AND to_ms >= ? AND from_ms <= ? ORDER BY from_ms',
            [box, fromMs, toMs],
          ),
          throttleRow,
          'A throttle reason of the GPU history',
        ),
      ),

    marks: (box, { fromMs, toMs }) =>
      sql.read(NOT_READ, (connection) => {
        const newest = connection.rows(
          ['at_ms', 'kind', 'gpu', 'text', 'code', 'clue'],
          `history_marks WHERE box = ? AND at_ms BETWEEN ? AND ? ORDER BY at_ms DESC, seq DESC LIMIT ${String(MAX_MARKS_READ)}`,
          [box, fromMs, toMs],
        );
        return readRows([...newest].reverse(), markRow, 'A mark of the GPU history');
      }),

    prune: (box, beforeS, limit) =>
      sql.relaxed(NOT_KEPT, (connection) => {
        let removed = 0;
        for (const stepS of STEPS)
          removed += dropRecords(connection, box, stepS, beforeS[stepS], limit);
        const beforeMs = beforeS[3600] * 1000;
        for (const table of ['history_gaps', 'history_throttle']) {
          connection.run(`DELETE FROM ${table} WHERE box = ? AND to_ms < ?`, [box, beforeMs]);
        }
        connection.run('DELETE FROM history_marks WHERE box = ? AND at_ms < ?', [box, beforeMs]);
        return removed;
      }),

    orphans: () =>
      sql.read(NOT_READ, (connection) =>
        connection
          .byteRows(
            ['box'],
            'history_gpus WHERE box NOT IN (SELECT id FROM history_boxes) GROUP BY box',
          )
          .map(({ box }) => box)
          .filter((box) => typeof box === 'number'),
      ),

    dropOrphan: (box, limit) =>
      sql.relaxed(NOT_KEPT, (connection) => {
        let removed = 0;
        for (const stepS of STEPS) {
          removed += dropRecords(connection, box, stepS, Number.MAX_SAFE_INTEGER, limit);
        }
        if (removed > 0) return removed;
        for (const table of ['history_gaps', 'history_throttle', 'history_marks', 'history_gpus']) {
          connection.run(`DELETE FROM ${table} WHERE box = ?`, [box]);
        }
        return 0;
      }),
  };
}

function findBox(connection: Connection, boxId: string): number | null {
  const [row] = connection.byteRows(['id'], 'history_boxes WHERE box_id = ?', [boxId]);
  return typeof row?.['id'] === 'number' ? row['id'] : null;
}

function addBox(connection: Connection, boxId: string): number | null {
  try {
    connection.run('INSERT INTO history_boxes (box_id) VALUES (?)', [boxId]);
  } catch (cause) {
    if (isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return null;
    throw cause;
  }
  return findBox(connection, boxId);
}

function writeBatch(connection: Connection, batch: HistoryBatch): void {
  const { box } = batch;
  for (const record of batch.records) writeRecord(connection, box, record);
  for (const { slot, gpu, index, name } of batch.gpus) {
    connection.run(
      `INSERT INTO history_gpus (box, slot, gpu, gpu_index, name) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (box, slot) DO UPDATE SET gpu_index = excluded.gpu_index, name = excluded.name`,
      [box, slot, gpu, index, name],
    );
  }
  for (const { fromMs, toMs, reason } of batch.gaps) {
    connection.run(
      `INSERT INTO history_gaps (box, from_ms, to_ms, reason) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET to_ms = excluded.to_ms, reason = excluded.reason`,
      [box, fromMs, toMs, reason],
    );
  }
  for (const { slot, fromMs, toMs, bits } of batch.throttle) {
    connection.run(
      `INSERT INTO history_throttle (box, slot, from_ms, to_ms, bits) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET to_ms = excluded.to_ms, bits = excluded.bits`,
      [box, slot, fromMs, toMs, bits],
    );
  }
  for (const { atMs, kind, gpu, text, code, clue } of batch.marks) {
    connection.run(
      'INSERT INTO history_marks (box, at_ms, kind, gpu, text, code, clue) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [box, atMs, kind, gpu, text, code, clue],
    );
  }
}

function writeRecord(connection: Connection, box: number, record: HistoryRecord): void {
  const { stepS, startS, bytes } = record;
  const isNew =
    connection.run(
      'INSERT INTO history (box, tier, start_s, buckets) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [box, stepS, startS, packed(bytes)],
    ) > 0;
  if (isNew) return;
  // Leasehold was restarted within this minute, or this machine's clock went back.
  const where = 'WHERE box = ? AND tier = ? AND start_s = ?';
  const [row] = connection.byteRows(['buckets'], `history ${where}`, [box, stepS, startS]);
  const there = row?.['buckets'];
  const [startMs, stepMs] = [startS * 1000, stepS * 1000];
  const before =
    there instanceof Uint8Array ? (decodeBuckets(unpacked(there), startMs, stepMs) ?? []) : [];
  const whole = mergeBuckets(before, decodeBuckets(bytes, startMs, stepMs) ?? []);
  connection.run(`UPDATE history SET buckets = ? ${where}`, [
    packed(encodeBuckets(whole, startMs, stepMs)),
    box,
    stepS,
    startS,
  ]);
}

/** The first byte of a deflated record; encodeBuckets never begins with it. */
const DEFLATED = 0xff;
/** A minute gains nothing by it, an hour of minutes almost half. */
const WORTH_DEFLATING_BYTES = 1500;
/** An hour of minutes of 64 cards. */
const MAX_RECORD_BYTES = 1024 * 1024;

function packed(bytes: Uint8Array): Uint8Array {
  if (bytes.length < WORTH_DEFLATING_BYTES) return bytes;
  return Buffer.concat([Uint8Array.of(DEFLATED), deflateRawSync(bytes)]);
}

/** A record that cannot be inflated comes back as nothing, which is no record of any format. */
function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== DEFLATED) return bytes;
  try {
    return inflateRawSync(bytes.subarray(1), { maxOutputLength: MAX_RECORD_BYTES });
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return new Uint8Array();
    throw cause;
  }
}

/** WITHOUT ROWID tables know no DELETE … LIMIT, and one DELETE over a month would hold up everything else. */
function dropRecords(
  connection: Connection,
  box: number,
  stepS: StoredStepS,
  beforeS: number,
  limit: number,
): number {
  return connection.run(
    `DELETE FROM history WHERE box = ? AND tier = ? AND start_s IN (
       SELECT start_s FROM history WHERE box = ? AND tier = ? AND start_s < ? ORDER BY start_s LIMIT ?)`,
    [box, stepS, box, stepS, beforeS, limit],
  );
}
