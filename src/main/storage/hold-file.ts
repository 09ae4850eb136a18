import { writeFileSync } from 'node:fs';
import { isSqliteError, openConnection, type Connection } from './connection.ts';
import { errnoOf } from './file-problem.ts';
import { OWNER_ONLY_FILE } from './folder.ts';

/** Others may hold it at the same time, or nobody may. */
export type Holding = 'alone' | 'with others';

/**
 * Takes a file that is empty for ever: only SQLite's lock on it counts, which the system frees when the process ends, however it ends. Answers
 * how to let go of it; null: it is taken, by this process or another one.
 */
export function holdFile(file: string, waitMs: number): (() => void) | null {
  makeOwnerOnly(file);
  const connection = openConnection(file, waitMs);
  let isHeld = false;
  try {
    isHeld = lock(connection, 'alone');
  } finally {
    if (!isHeld) connection.close();
  }
  if (!isHeld) return null;
  return () => {
    // libsql lets go of the file at some garbage collection, of the lock now.
    connection.exec('ROLLBACK');
    connection.close();
  };
}

/** False: it is taken. */
export function lock(connection: Connection, holding: Holding): boolean {
  try {
    connection.exec(holding === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
    // What is read is locked from then on.
    if (holding === 'with others') connection.rows(['name'], 'sqlite_schema');
    return true;
  } catch (cause) {
    if (connection.isInTransaction()) connection.exec('ROLLBACK');
    if (isSqliteError(cause) && cause.code.startsWith('SQLITE_BUSY')) return false;
    throw cause;
  }
}

export function makeOwnerOnly(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: OWNER_ONLY_FILE });
  } catch (cause) {
    // Not opened where it is there: to close it again would free the lock that this process may have on it.
    if (errnoOf(cause) !== 'EEXIST') throw cause;
  }
}
