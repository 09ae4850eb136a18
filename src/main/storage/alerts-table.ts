import { z } from 'zod';
import { alertSchema, fitToKeep } from '../../shared/alerts/alert-schema.ts';
import type { Alert } from '../../shared/alerts/alert.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { parseJson, salvageText } from '../../shared/salvage.ts';
import type { Connection, SqlRow } from './connection.ts';
import { readRows, type Listing } from './rows.ts';
import type { Sql } from './sql.ts';

export interface KeptAlert {
  readonly boxId: string;
  readonly alert: Alert;
}

/** The alerts of every box, also of sessions before this one. */
export interface AlertsTable {
  /** Those of all boxes that are not over. */
  readonly open: () => Result<Listing<KeptAlert>, Problem>;
  /** Those that were over at this time or later, of a box or of all, the newest end first. */
  readonly resolved: (
    boxId: string | null,
    sinceMs: number,
    limit: number,
  ) => Result<Listing<KeptAlert>, Problem>;
  /** For a box that is not stored nothing is kept. */
  readonly write: (boxId: string, alerts: readonly Alert[]) => Result<null, Problem>;
  /** The same for figures that come again soon, and that a power cut may take back. */
  readonly refresh: (boxId: string, alerts: readonly Alert[]) => Result<null, Problem>;
}

/** Of one box. A check that flaps for a year must not fill the disk. */
export const MAX_RESOLVED_KEPT = 1000;

const NOT_READ = 'The alerts could not be read';
const NOT_KEPT = 'What became of an alert was not kept';

const row = z.strictObject({ box_id: z.string(), alert: z.string() });
/** Of one that cannot be read, so that the person knows which. */
const words = z.object({
  finding: z.object({ detector: z.string().max(100), headline: z.string().max(1000) }),
});

/** What another Leasehold kept is read piece by piece: a field that it named otherwise silences no alert. */
function readAlerts(rows: readonly SqlRow[]): Listing<KeptAlert> {
  const { rows: kept, unreadable } = readRows(rows, row, 'An alert');
  const problems: Problem[] = [...unreadable];
  const alerts = kept.flatMap(({ box_id: boxId, alert: text }): readonly KeptAlert[] => {
    const read = salvageText(alertSchema, text);
    if (read === null || read.dropped.length > 0) problems.push(notWhole(text, read?.dropped));
    return read === null ? [] : [{ boxId, alert: read.value }];
  });
  return { rows: alerts, unreadable: problems };
}

function notWhole(text: string, dropped: readonly string[] | undefined): Problem {
  const told = words.safeParse(parseJson(text)).data?.finding;
  const which = told === undefined ? '' : `: ${told.headline} (${told.detector})`;
  const message =
    dropped === undefined
      ? `An alert in the database cannot be read, and is not shown${which}. It stays there for the Leasehold that wrote it.`
      : `Part of an alert in the database cannot be read. The rest is in use${which}.`;
  return problem('database-corrupt', message, {
    nextStep: 'Look at the box itself, or start the Leasehold that kept the alert.',
    detail: dropped?.slice(0, 20).join(', ') ?? 'not as expected',
  });
}

export function alertsTable(sql: Sql): AlertsTable {
  const read = (
    where: string,
    values: readonly (string | number | null)[],
  ): Result<Listing<KeptAlert>, Problem> =>
    sql.read(NOT_READ, (connection) =>
      readAlerts(connection.rows(['box_id', 'alert'], `alerts WHERE ${where}`, values)),
    );
  return {
    open: () => read('resolved_at_ms IS NULL ORDER BY opened_at_ms', []),

    resolved: (boxId, sinceMs, limit) =>
      read(
        '(?1 IS NULL OR box_id = ?1) AND resolved_at_ms >= ?2 ORDER BY resolved_at_ms DESC LIMIT ?3',
        [boxId, sinceMs, limit],
      ),

    write: (boxId, alerts) =>
      sql.write(NOT_KEPT, (connection) => {
        putAll(connection, boxId, alerts);
        if (alerts.some(({ stage }) => stage.kind === 'resolved')) forgetOldest(connection, boxId);
        return null;
      }),

    refresh: (boxId, alerts) =>
      sql.relaxed(NOT_KEPT, (connection) => {
        putAll(connection, boxId, alerts);
        return null;
      }),
  };
}

function putAll(connection: Connection, boxId: string, alerts: readonly Alert[]): void {
  for (const alert of alerts) {
    const { id, spans, stage } = alert;
    connection.run(
      `INSERT INTO alerts (id, box_id, opened_at_ms, resolved_at_ms, alert)
       SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM boxes WHERE id = ?2)
       ON CONFLICT (id) DO UPDATE SET resolved_at_ms = excluded.resolved_at_ms, alert = excluded.alert`,
      [
        id,
        boxId,
        Math.round(spans[0]?.fromMs ?? 0),
        stage.kind === 'resolved' ? Math.round(stage.atMs) : null,
        JSON.stringify(fitToKeep(alert)),
      ],
    );
  }
}

function forgetOldest(connection: Connection, boxId: string): void {
  connection.run(
    `DELETE FROM alerts WHERE id IN (
       SELECT id FROM alerts WHERE box_id = ?1 AND resolved_at_ms IS NOT NULL
       ORDER BY resolved_at_ms DESC LIMIT -1 OFFSET ?2)`,
    [boxId, MAX_RESOLVED_KEPT],
  );
}
