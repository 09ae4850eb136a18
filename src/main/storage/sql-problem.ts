import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { isSqliteError } from './connection.ts';

interface Family {
  readonly prefix: string;
  readonly code: ProblemCode;
  readonly because: string;
  readonly nextStep?: string;
}

const DISK_FULL = { code: 'disk-full', because: 'the disk is full' } as const;
const READ_ONLY = { code: 'folder-read-only', because: 'writing is not permitted' } as const;
const IN_USE = {
  code: 'database-unavailable',
  because: 'another program is using the database',
  nextStep: 'Close the other program that has the database open, then try again.',
} as const;
const DAMAGED = {
  code: 'database-corrupt',
  because: 'the database is damaged',
  nextStep: 'Restart Leasehold: it then moves the damaged file aside and keeps it.',
} as const;
const UNUSABLE = {
  code: 'database-unavailable',
  because: 'SQLite cannot use the database',
} as const;

/** First match counts. */
const FAMILIES: readonly Family[] = [
  { prefix: 'SQLITE_FULL', ...DISK_FULL },
  // The shared-memory file beside the database could not grow: SQLite does not call that "full".
  { prefix: 'SQLITE_IOERR_SHMSIZE', ...DISK_FULL },
  { prefix: 'SQLITE_READONLY', ...READ_ONLY },
  { prefix: 'SQLITE_PERM', ...READ_ONLY },
  { prefix: 'SQLITE_BUSY', ...IN_USE },
  { prefix: 'SQLITE_LOCKED', ...IN_USE },
  { prefix: 'SQLITE_PROTOCOL', ...IN_USE },
  { prefix: 'SQLITE_CORRUPT', ...DAMAGED },
  { prefix: 'SQLITE_NOTADB', ...DAMAGED },
  { prefix: 'SQLITE_', ...UNUSABLE },
];

/** The one translation of database errors. `failed` is what did not happen, as a clause. A bug goes on as an exception. */
export function sqlProblem(cause: unknown, failed: string, file: string): Problem {
  const family = isSqliteError(cause)
    ? FAMILIES.find(({ prefix }) => cause.code.startsWith(prefix))
    : undefined;
  if (!isSqliteError(cause) || family === undefined) throw cause;
  const { code, because, nextStep } = family;
  return problem(code, `${failed}, because ${because} (${file}).`, {
    ...(nextStep === undefined ? {} : { nextStep }),
    detail: `${cause.code}: ${cause.message}`.slice(0, 500),
  });
}
