import { basename, dirname } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { backUp } from './backup.ts';
import { openConnection, sqliteError, type Connection } from './connection.ts';
import { copyDatabase } from './copy-database.ts';
import { errnoOf, fileProblem } from './file-problem.ts';
import { prepareFolder } from './folder.ts';
import { APPLICATION_ID, inspectDatabase, SIBLINGS } from './inspection.ts';
import { moveAside } from './keep-aside.ts';
import { latestVersion, migrate, type Migration } from './migrations.ts';
import { sqlProblem } from './sql-problem.ts';

export const DATABASE_FILE = 'leasehold.db';

export interface FileOptions {
  readonly atMs: number;
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
}

export interface OpenedFile {
  readonly connection: Connection;
  readonly problems: readonly Problem[];
  /** It was not there before, or could not be used. */
  readonly isNew: boolean;
}

const NOTHING_KEPT = 'Nothing is kept after this session';

/** Opens, creates or migrates the file. What cannot be opened is left as it is; what is damaged is moved aside. */
export function openDatabaseFile(
  file: string,
  options: FileOptions,
): Result<OpenedFile, readonly Problem[]> {
  const unwritable = prepareFolder(dirname(file), NOTHING_KEPT);
  if (unwritable !== null) return err([unwritable]);

  const latest = latestVersion(options.migrations);
  const verdict = inspectDatabase(file, latest, options.busyTimeoutMs);
  switch (verdict.kind) {
    case 'missing':
      return open(file, 'new', [], options);
    case 'sound':
      return open(file, verdict.version, [], options);
    case 'newer':
      return err([
        problem(
          'database-newer',
          `${NOTHING_KEPT}, because the database was written by a newer Leasehold (${file}). It is left as it is.`,
          { detail: `version ${verdict.version}, this Leasehold knows ${latest}` },
        ),
      ]);
    case 'unreachable':
      return err([toProblem(verdict.cause, file)]);
    case 'damaged': {
      const moved = moveDamaged(file, verdict.because, options.atMs);
      return moved.ok ? open(file, 'new', [moved.value], options) : err([moved.error]);
    }
  }
}

function moveDamaged(file: string, because: string, atMs: number): Result<Problem, Problem> {
  try {
    const name = { stem: `${basename(file, '.db')}.corrupt`, ending: '.db', atMs };
    const kept = moveAside(file, name, SIBLINGS);
    return ok(
      problem(
        'database-corrupt',
        `The database was damaged, so a new, empty one is in use. The damaged one is now ${kept}.`,
        { detail: because.slice(0, 500) },
      ),
    );
  } catch (cause) {
    return err(
      fileProblem(cause, {
        failed: `${NOTHING_KEPT}: the database is damaged and could not be moved aside`,
        file,
        otherwise: 'database-unavailable',
      }),
    );
  }
}

function open(
  file: string,
  found: 'new' | number,
  problems: readonly Problem[],
  { atMs, busyTimeoutMs, migrations }: FileOptions,
): Result<OpenedFile, readonly Problem[]> {
  const toVersion = latestVersion(migrations);
  let connection: Connection | null = null;
  try {
    if (found === 'new') create(file, migrations);
    connection = openConnection(file, busyTimeoutMs);
    prepareConnection(connection);
    if (found !== 'new' && found < toVersion) {
      backUp(connection, file, { fromVersion: found, toVersion, atMs });
    }
    migrate(connection, migrations);
    return ok({ connection, problems, isNew: found === 'new' });
  } catch (cause) {
    connection?.close();
    return err([...problems, toProblem(cause, file)]);
  }
}

/**
 * Builds the tables in memory and writes them out in one piece. So a first start that is cut off leaves no file, and an
 * empty file always means damage.
 */
function create(file: string, migrations: readonly Migration[]): void {
  const memory = openConnection(':memory:', 0);
  try {
    migrate(memory, migrations);
    copyDatabase(memory, file, latestVersion(migrations));
  } finally {
    memory.close();
  }
}

/**
 * synchronous=FULL: a commit has reached the disk before the call returns, also in WAL mode, where NORMAL would lose the
 * last ones in a power cut. Evidence and ledger depend on it, and at our rates (a few commits a second) it costs little.
 * It is SQLite's default here, but a default of somebody's build is no promise.
 */
function prepareConnection(connection: Connection): void {
  // On disks without shared memory (some network homes) SQLite stays with its rollback journal, which is as safe.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // A file that only looks writable shows itself now and not at the first change. BEGIN IMMEDIATE is not enough: on a
  // read-only file it quietly begins to read.
  connection.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${APPLICATION_ID}; ROLLBACK`);
  if (connection.pragma('synchronous') !== 2) {
    throw sqliteError('synchronous=FULL was refused', 'SQLITE_ERROR');
  }
}

function toProblem(cause: unknown, file: string): Problem {
  return errnoOf(cause) === null
    ? sqlProblem(cause, NOTHING_KEPT, file)
    : fileProblem(cause, { failed: NOTHING_KEPT, file, otherwise: 'database-unavailable' });
}
