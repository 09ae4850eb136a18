import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Refusals } from '../../shared/telemetry/source-plan.ts';
import { isSqliteError } from './connection.ts';
import { jsonColumn, readRows } from './rows.ts';
import type { Sql } from './sql.ts';

/** What the drivers of boxes refused to answer. Losing it costs a few questions, so what is unreadable counts as nothing. */
export interface RefusalsTable {
  readonly read: (boxId: string, driver: string) => Result<Refusals | null, Problem>;
  readonly write: (boxId: string, driver: string, refusals: Refusals) => Result<null, Problem>;
}

const names = z.array(z.string().max(100)).max(200);
const row = z
  .strictObject({
    refused: jsonColumn(
      z.strictObject({ letters: names, fields: names, facts: names, isDmonUseless: z.boolean() }),
    ),
  })
  .transform(({ refused }): Refusals => refused);

export function refusalsTable(sql: Sql): RefusalsTable {
  return {
    read: (boxId, driver) => {
      const read = sql.read('What the driver refused could not be read', (connection) =>
        readRows(
          connection.rows(['refused'], 'gpu_refusals WHERE box_id = ? AND driver = ?', [
            boxId,
            driver,
          ]),
          row,
          'A refusal',
        ),
      );
      return read.ok ? ok(read.value.rows[0] ?? null) : read;
    },

    write: (boxId, driver, refusals) =>
      sql.relaxed('What the driver refused was not kept', (connection) => {
        try {
          connection.run(
            `INSERT INTO gpu_refusals (box_id, driver, refused) VALUES (?, ?, ?)
             ON CONFLICT DO UPDATE SET refused = excluded.refused`,
            [boxId, driver, JSON.stringify(refusals)],
          );
        } catch (cause) {
          // A box that is not stored has nothing to keep it for.
          const isForeign = isSqliteError(cause) && cause.code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
          if (!isForeign) throw cause;
        }
        return null;
      }),
  };
}
