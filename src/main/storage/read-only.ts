import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { alertsTable, type AlertsTable } from './alerts-table.ts';
import { boxesTable, type BoxesTable } from './boxes-table.ts';
import { isSqliteError, openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { entriesTable, type EntriesTable } from './entries-table.ts';
import { headNote, NO_HEAD } from './evidence-head.ts';
import { evidenceTable, type EvidenceTable } from './evidence-table.ts';
import { hostKeysTable, type HostKeysTable } from './host-keys-table.ts';
import { inspectDatabase } from './inspection.ts';
import { ledgerTable, type LedgerTable } from './ledger-table.ts';
import { latestVersion, MIGRATIONS } from './migrations.ts';
import { createSql } from './sql.ts';
import { sqlProblem } from './sql-problem.ts';

const BUSY_TIMEOUT_MS = 1000;
const FAILED = 'The database was not read';

export interface ReadOnlyDatabase {
  readonly boxes: Pick<BoxesTable, 'list'>;
  readonly ledger: Pick<LedgerTable, 'boxIds' | 'read' | 'readIdle'>;
  readonly alerts: Pick<AlertsTable, 'open' | 'resolved'>;
  readonly entries: Pick<EntriesTable, 'read'>;
  readonly hostKeys: Pick<HostKeysTable, 'current'>;
  readonly evidence: Pick<EvidenceTable, 'all' | 'check' | 'noted'>;
  readonly close: () => void;
}

/**
 * The person's database for one look, beside a Leasehold that may be running: no byte of it is changed, nothing is migrated,
 * and no file appears. Attached to an empty connection, because only that can be let go of at once (see inspection.ts).
 */
export function openReadOnly(folder: string): Result<ReadOnlyDatabase, Problem> {
  const file = join(folder, DATABASE_FILE);
  const latest = latestVersion(MIGRATIONS);
  const verdict = inspectDatabase(file, latest, BUSY_TIMEOUT_MS);
  switch (verdict.kind) {
    case 'missing':
      return err(problem('database-unavailable', `There is no database in ${folder}.`));
    case 'newer':
      return err(problem('database-newer', `A newer Leasehold wrote ${file}.`));
    case 'damaged':
      return err(problem('database-corrupt', `${file} is damaged: ${verdict.because}.`));
    case 'unreachable':
      return err(sqlProblem(verdict.cause, FAILED, file));
    case 'sound':
      break;
  }
  if (verdict.version < latest) {
    const message = `${file} was written by an older Leasehold, and is not changed from here.`;
    const nextStep = 'Start Leasehold once: it brings the database up to date and keeps a copy.';
    return err(problem('database-unavailable', message, { nextStep }));
  }
  const scratch = openConnection(':memory:', BUSY_TIMEOUT_MS);
  try {
    scratch.run('ATTACH ? AS kept', [`${pathToFileURL(file).href}?mode=ro`]);
  } catch (cause) {
    scratch.close();
    return err(sqlProblem(cause, FAILED, file));
  }
  const sql = createSql(scratch, file);
  return ok({
    boxes: boxesTable(sql),
    ledger: ledgerTable(sql),
    alerts: alertsTable(sql),
    entries: entriesTable(sql),
    hostKeys: hostKeysTable(sql),
    evidence: evidenceTable(sql, { ...headNote(file), write: NO_HEAD.write }),
    close: () => {
      try {
        scratch.exec('DETACH kept');
      } catch (cause) {
        // A read that failed half-way holds it; closing ends that as well.
        if (!isSqliteError(cause)) throw cause;
      }
      scratch.close();
    },
  });
}
