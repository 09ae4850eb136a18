import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { jsonColumn, readRows } from './rows.ts';
import type { Sql } from './sql.ts';

/** One JSON value a key, for a box or (with an empty box id) for all. */
export interface EntriesTable {
  readonly read: <T>(boxId: string, key: string, schema: z.ZodType<T>) => Result<T | null, Problem>;
  /** When it was said; null: it was not. */
  readonly saidAtMs: (boxId: string, key: string) => Result<number | null, Problem>;
  /** For a box that is not stored nothing is kept. */
  readonly write: (
    boxId: string,
    key: string,
    value: unknown,
    atMs: number,
  ) => Result<null, Problem>;
  /** The same without waiting for the disk: a power cut may undo it. */
  readonly writeRelaxed: EntriesTable['write'];
  /** What cannot be read stays under another name, so that what is written next does not take its place. */
  readonly setAside: (boxId: string, key: string, atMs: number) => Result<null, Problem>;
}

/** What the person says about prices, dates, balances and budgets. */
export function entriesTable(sql: Sql): EntriesTable {
  /** Of those that could not be read: what stands there is kept before another value takes its place. */
  const unread = new Set<string>();
  const nameOf = (boxId: string, key: string): string => JSON.stringify([boxId, key]);
  const writeBy =
    (written: Sql['write']): EntriesTable['write'] =>
    (boxId, key, value, atMs) => {
      const name = nameOf(boxId, key);
      const kept = written('What you entered was not saved', (connection) => {
        if (unread.has(name)) {
          connection.run(
            `INSERT INTO meter_entries (box_id, key, value, said_at_ms)
             SELECT box_id, key || '.unreadable-' || said_at_ms, value, said_at_ms
             FROM meter_entries WHERE box_id = ?1 AND key = ?2 ON CONFLICT DO NOTHING`,
            [boxId, key],
          );
        }
        connection.run(
          `INSERT INTO meter_entries (box_id, key, value, said_at_ms)
           SELECT ?1, ?2, ?3, ?4 WHERE ?1 = '' OR EXISTS (SELECT 1 FROM boxes WHERE id = ?1)
           ON CONFLICT DO UPDATE SET value = excluded.value, said_at_ms = excluded.said_at_ms`,
          [boxId, key, JSON.stringify(value), atMs],
        );
        return null;
      });
      if (kept.ok) unread.delete(name);
      return kept;
    };
  return {
    read: (boxId, key, schema) => {
      const read = sql.read('What you entered could not be read', (connection) =>
        readRows(
          connection.rows(['value'], 'meter_entries WHERE box_id = ? AND key = ?', [boxId, key]),
          z.strictObject({ value: jsonColumn(schema) }),
          'What you entered about a box',
        ),
      );
      if (!read.ok) return read;
      const [unreadable] = read.value.unreadable;
      if (unreadable !== undefined) {
        unread.add(nameOf(boxId, key));
        return { ok: false, error: unreadable };
      }
      return ok(read.value.rows[0]?.value ?? null);
    },

    saidAtMs: (boxId, key) =>
      sql.read('What you entered could not be read', (connection) => {
        const [row] = connection.rows(
          ['said_at_ms'],
          'meter_entries WHERE box_id = ? AND key = ?',
          [boxId, key],
        );
        const saidAtMs = row?.['said_at_ms'];
        return typeof saidAtMs === 'number' ? saidAtMs : null;
      }),

    write: writeBy(sql.write),
    writeRelaxed: writeBy(sql.relaxed),

    setAside: (boxId, key, atMs) =>
      sql.write('What cannot be read was not put aside', (connection) => {
        connection.run('UPDATE meter_entries SET key = ?3 WHERE box_id = ?1 AND key = ?2', [
          boxId,
          key,
          `${key}.unreadable-${String(atMs)}`,
        ]);
        return null;
      }),
  };
}
