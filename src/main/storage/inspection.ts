import { existsSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isSqliteError, openConnection, sqliteError, type Connection } from './connection.ts';
import { awayTarget } from './own-text.ts';
import { endsWithWholePage, hasKnownHeader, isWalReadable } from './file-headers.ts';

/** `Lsh1` in ASCII, in SQLite's header: tells our files from others'. */
export const APPLICATION_ID = 0x4c736831;

/** Files that belong to a database file and must travel with it. */
export const SIBLINGS = ['-wal', '-shm', '-journal'] as const;

export type Verdict =
  | { readonly kind: 'missing' }
  | { readonly kind: 'sound'; readonly version: number }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'damaged'; readonly because: string }
  /** Nothing is known about its content: locked, not permitted, a failing disk. Thrown by SQLite or the system. */
  | { readonly kind: 'unreachable'; readonly cause: unknown };

/** These say something about this moment or this machine, not about the content. */
const NOT_ABOUT_CONTENT = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_PROTOCOL',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_PERM',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_NOMEM',
  'SQLITE_AUTH',
  'SQLITE_INTERRUPT',
];

/** Looks at a database file without changing a byte of it or of its log. */
export function inspectDatabase(file: string, latest: number, busyTimeoutMs: number): Verdict {
  try {
    return inspectFiles(file) ?? inspectContent(file, latest, busyTimeoutMs);
  } catch (cause) {
    const isAboutContent =
      isSqliteError(cause) && !NOT_ABOUT_CONTENT.some((family) => cause.code.startsWith(family));
    return isAboutContent
      ? { kind: 'damaged', because: `${cause.code}: ${cause.message}` }
      : { kind: 'unreachable', cause };
  }
}

/** What SQLite itself would pass over: it takes an empty file for a new database and ignores a log it cannot read. */
function inspectFiles(file: string): Verdict | null {
  const hasLog = sizeOf(`${file}-wal`) > 0;
  const hasJournal = sizeOf(`${file}-journal`) > 0;
  if (!existsSync(file)) {
    const away = awayTarget(file);
    if (away !== null)
      throw sqliteError(`it leads to ${away}, which is not there`, 'SQLITE_CANTOPEN');
    return hasLog || hasJournal
      ? { kind: 'damaged', because: 'the file is gone, but its log is there' }
      : { kind: 'missing' };
  }
  if (!statSync(file).isFile()) throw sqliteError(`${file} is no file`, 'SQLITE_CANTOPEN');
  if (!hasKnownHeader(file)) {
    return { kind: 'damaged', because: 'it has no header that SQLite could write' };
  }
  if (!hasJournal && !hasLog && !endsWithWholePage(file)) {
    return { kind: 'damaged', because: 'its last page is cut off' };
  }
  if (!isWalReadable(`${file}-wal`)) {
    return { kind: 'damaged', because: 'its write-ahead log has a bad header' };
  }
  return null;
}

function inspectContent(file: string, latest: number, busyTimeoutMs: number): Verdict {
  // The file is attached to an empty connection, because DETACH closes it here and now; closing a libsql connection waits
  // for the garbage collector. Read-only, because the last writer to close would copy a wrong log into a good file. Only
  // a rollback journal needs writing: SQLite refuses to read before it has undone the half-done transaction.
  const mode = sizeOf(`${file}-journal`) > 0 ? 'rw' : 'ro';
  const scratch = openConnection(':memory:', busyTimeoutMs);
  try {
    scratch.run('ATTACH ? AS old', [`${pathToFileURL(file).href}?mode=${mode}`]);
    // Waits for others here, and keeps them waiting: busy in the middle of the check would look like damage.
    scratch.exec('BEGIN; SELECT 1 FROM old.sqlite_schema LIMIT 1');
    return judgeContent(scratch, latest, sizeOf(file));
  } finally {
    letGo(scratch);
  }
}

function letGo(scratch: Connection): void {
  try {
    if (scratch.isInTransaction()) scratch.exec('ROLLBACK');
    scratch.exec('DETACH old');
  } catch (cause) {
    // It never got attached. What was wrong with it is on its way already, and must not be replaced by this.
    if (!isSqliteError(cause)) throw cause;
  }
  scratch.close();
}

/**
 * Comparing every index with its table finds, for example, a host key that lost its box. It took 14 ms for 4.5 MiB and
 * 225 ms for 36 MiB (quick_check: 6 and 38 ms), and the window waits for it.
 */
const FULL_CHECK_UP_TO_BYTES = 4 * 1024 * 1024;

function judgeContent(scratch: Connection, latest: number, bytes: number): Verdict {
  const check = bytes <= FULL_CHECK_UP_TO_BYTES ? 'integrity_check' : 'quick_check';
  const complaints = scratch
    .rows([check], `pragma_${check}(5, 'old')`)
    .map(({ [check]: complaint }) => String(complaint));
  if (complaints.join() !== 'ok') {
    const text = complaints.join('; ');
    if (isReadError(text)) throw sqliteError(text, 'SQLITE_IOERR');
    return { kind: 'damaged', because: text };
  }

  const version = Number(scratch.pragma('old.user_version'));
  if (version < 1) return { kind: 'damaged', because: 'it has no version' };
  if (scratch.pragma('old.application_id') !== APPLICATION_ID) {
    return { kind: 'damaged', because: 'it was not written by Leasehold' };
  }
  return version > latest ? { kind: 'newer', version } : { kind: 'sound', version };
}

const CORRUPT = 11;

/** A page that the disk did not give out is told like a damaged one: "… unable to get the page. error code=266". */
export function isReadError(complaints: string): boolean {
  return [...complaints.matchAll(/error code=(\d+)/g)].some(
    ([, code]) => (Number(code) & 0xff) !== CORRUPT,
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
