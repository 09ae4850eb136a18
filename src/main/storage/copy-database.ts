import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { sqliteError, type Connection } from './connection.ts';
import { OWNER_ONLY_FILE } from './folder.ts';
import { inspectDatabase } from './inspection.ts';

/** Writes all of a database into a new file that is there whole, flushed and read back, or not at all. */
export function copyDatabase(connection: Connection, file: string, version: number): void {
  const unfinished = `${file}.tmp`;
  rmSync(unfinished, { force: true });
  // Created here, because SQLite would create it readable for everybody.
  closeSync(openSync(unfinished, 'wx', OWNER_ONLY_FILE));
  try {
    connection.run('VACUUM INTO ?', [unfinished]);
    flush(unfinished);
    const verdict = inspectDatabase(unfinished, version, 0);
    if (verdict.kind === 'unreachable') throw verdict.cause;
    if (verdict.kind !== 'sound' || verdict.version !== version) {
      throw sqliteError(`the copy is ${verdict.kind}`, 'SQLITE_IOERR');
    }
    renameSync(unfinished, file);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw cause;
  }
}

function flush(file: string): void {
  const fd = openSync(file, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
