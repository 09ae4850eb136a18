import { z } from 'zod';
import type { LedgerChange } from '../../shared/meter/box-recorder.ts';
import type { IdleSpan } from '../../shared/meter/idle.ts';
import {
  transferSources,
  type Correction,
  type Interval,
  type Transfer,
} from '../../shared/meter/interval.ts';
import type { Ledger } from '../../shared/meter/ledger.ts';
import { judgeRate } from '../../shared/meter/rate.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connection } from './connection.ts';
import { jsonColumn, readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

export interface StoredLedger extends Ledger {
  /** Above every number that this box's lines ever had, the unreadable ones too. */
  readonly nextNo: number;
  readonly unreadable: readonly Problem[];
}

/** An idle span of a known beginning gets longer, and a transfer of a known number larger; never anything else. */
export interface StoredChange {
  readonly boxId: string;
  readonly change:
    | LedgerChange
    | { readonly kind: 'idle'; readonly span: IdleSpan }
    | { readonly kind: 'transfer'; readonly transfer: Transfer };
}

/** What was spent. Every write waits for the disk (decision 22). */
export interface LedgerTable {
  readonly boxIds: () => Result<readonly string[], Problem>;
  readonly read: (boxId: string) => Result<StoredLedger, Problem>;
  /** False: the box lives no longer than this session, as the demo box does, and so does what it costs. */
  readonly isForStoredBox: (boxId: string) => Result<boolean, Problem>;
  /** When the box did nothing, oldest first. */
  readonly readIdle: (boxId: string) => Result<readonly IdleSpan[], Problem>;
  /** All of it or nothing, for any number of boxes. */
  readonly write: (changes: readonly StoredChange[]) => Result<null, Problem>;
}

const count = z.int().min(0);
const when = z.int();

const rate = z
  .strictObject({
    micros: count,
    currency: z.string(),
    per: z.enum(['hour', 'month', 'GB']),
  })
  .refine((each) => judgeRate(each).ok, 'not a price');

const charge = z.strictObject({
  kind: z.enum(['compute', 'storage', 'other']),
  what: z.string().max(200),
  rate: rate.nullable(),
});

const life = z.strictObject({ id: z.string().max(300).nullable(), upForMs: count });

const INTERVAL = ['no', 'from_ms', 'ms', 'phase', 'source', 'charges', 'life'] as const;
const interval = z
  .strictObject({
    no: count,
    from_ms: when,
    ms: count,
    phase: z.enum(['running', 'stopped', 'destroyed']),
    source: z.enum(['observed', 'inferred', 'manual', 'unresolved']),
    charges: jsonColumn(z.array(charge).max(200)),
    life: jsonColumn(life).nullable(),
  })
  .transform(({ from_ms: fromMs, ...row }): Interval => ({ ...row, fromMs }));

const TRANSFER = ['no', 'at_ms', 'what', 'bytes', 'rate', 'source'] as const;
const transfer = z
  .strictObject({
    no: count,
    at_ms: when,
    what: z.string(),
    bytes: count,
    rate: jsonColumn(rate).nullable(),
    source: z.enum(transferSources),
  })
  .transform(({ at_ms: atMs, ...row }): Transfer => ({ ...row, atMs }));

const CORRECTION = ['no', 'voids', 'at_ms', 'by_whom', 'reason'] as const;
const correction = z
  .strictObject({
    no: count,
    voids: count,
    at_ms: when,
    by_whom: z.enum(['person', 'box', 'price']),
    reason: z.string(),
  })
  .transform(({ at_ms: atMs, by_whom: by, ...row }): Correction => ({ ...row, atMs, by }));

const IDLE = ['from_ms', 'to_ms'] as const;
const idleSpan = z
  .strictObject({ from_ms: when, to_ms: when })
  .transform(({ from_ms: fromMs, to_ms: toMs }): IdleSpan => ({ fromMs, toMs }));

const NOT_KEPT = 'What the box costs was not written down';

export function ledgerTable(sql: Sql): LedgerTable {
  return {
    boxIds: () =>
      sql.read('What was spent could not be read', (connection) => {
        const tables = ['ledger_intervals', 'ledger_transfers'];
        const ids = tables.flatMap((table) =>
          connection.rows(['box_id'], `${table} GROUP BY box_id`).map(({ box_id: id }) => id),
        );
        return [...new Set(ids)].filter((id): id is string => typeof id === 'string');
      }),

    read: (boxId) => {
      const read = sql.read('What the box cost could not be read', (connection) => {
        const of = <T>(
          columns: readonly string[],
          table: string,
          schema: z.ZodType<T>,
        ): Listing<T> =>
          readRows(
            connection.rows(columns, `${table} WHERE box_id = ? ORDER BY no`, [boxId]),
            schema,
            'A line of what a box cost',
          );
        return {
          intervals: of(INTERVAL, 'ledger_intervals', interval),
          transfers: of(TRANSFER, 'ledger_transfers', transfer),
          corrections: of(CORRECTION, 'ledger_corrections', correction),
          nextNo: highestNo(connection, boxId) + 1,
        };
      });
      if (!read.ok) return read;
      const { intervals, transfers, corrections, nextNo } = read.value;
      return ok({
        intervals: intervals.rows,
        transfers: transfers.rows,
        corrections: corrections.rows,
        nextNo,
        unreadable: [intervals, transfers, corrections].flatMap(({ unreadable }) => unreadable),
      });
    },

    readIdle: (boxId) => {
      const read = sql.read('When the box did nothing could not be read', (connection) =>
        readRows(
          connection.rows(IDLE, 'ledger_idle WHERE box_id = ? ORDER BY from_ms', [boxId]),
          idleSpan,
          'A time in which a box did nothing',
        ),
      );
      if (!read.ok) return read;
      const [unreadable] = read.value.unreadable;
      return unreadable === undefined ? ok(read.value.rows) : err(unreadable);
    },

    isForStoredBox: (boxId) =>
      sql.read('Whether the box is kept could not be read', (connection) => {
        return connection.rows(['id'], 'boxes WHERE id = ?', [boxId]).length > 0;
      }),

    write: (changes) => {
      if (changes.length === 0) return ok(null);
      return sql.write(NOT_KEPT, (connection) => {
        for (const { boxId, change } of changes) writeChange(connection, boxId, change);
        return null;
      });
    },
  };
}

function writeChange(connection: Connection, boxId: string, change: StoredChange['change']): void {
  if (change.kind === 'idle') {
    const { fromMs, toMs } = change.span;
    connection.run(
      `INSERT INTO ledger_idle (box_id, from_ms, to_ms) VALUES (?, ?, ?)
       ON CONFLICT (box_id, from_ms) DO UPDATE SET to_ms = max(to_ms, excluded.to_ms)`,
      [boxId, fromMs, toMs],
    );
    return;
  }
  if (change.kind === 'transfer') {
    const { no, atMs, what, bytes, rate: price, source } = change.transfer;
    connection.run(
      `INSERT INTO ledger_transfers (box_id, no, at_ms, what, bytes, rate, source)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (box_id, no) DO UPDATE SET bytes = max(bytes, excluded.bytes)`,
      [boxId, no, atMs, what, bytes, price === null ? null : JSON.stringify(price), source],
    );
    return;
  }
  if (change.kind === 'correct') {
    const { no, voids, atMs, by, reason } = change.correction;
    connection.run(
      'INSERT INTO ledger_corrections (box_id, no, voids, at_ms, by_whom, reason) VALUES (?, ?, ?, ?, ?, ?)',
      [boxId, no, voids, atMs, by, reason],
    );
    return;
  }
  const { no, fromMs, ms, phase, source, charges, life: lived } = change.interval;
  // A line gets longer and never anything else, whoever asks.
  connection.run(
    `INSERT INTO ledger_intervals (box_id, no, from_ms, ms, phase, source, charges, life)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (box_id, no) DO UPDATE SET ms = max(ms, excluded.ms)`,
    [
      boxId,
      no,
      fromMs,
      ms,
      phase,
      source,
      JSON.stringify(charges),
      lived === null ? null : JSON.stringify(lived),
    ],
  );
}

function highestNo(connection: Connection, boxId: string): number {
  const tables = ['ledger_intervals', 'ledger_transfers', 'ledger_corrections'];
  const numbers = tables.map((table) => {
    const [row] = connection.rows(['no'], `${table} WHERE box_id = ? ORDER BY no DESC LIMIT 1`, [
      boxId,
    ]);
    return typeof row?.['no'] === 'number' ? row['no'] : 0;
  });
  return Math.max(...numbers);
}
