import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connection } from './connection.ts';
import { sqlProblem } from './sql-problem.ts';

/**
 * What the tables are built on: a connection whose errors are values. Everything runs inside a transaction that was
 * begun on its own. That is where a write waits for other processes: a prepared libsql statement that finds the database
 * busy stays half-run, and from then on no transaction of this connection can be committed.
 *
 * `failed` is what did not happen if SQLite refuses, as a clause.
 */
export interface Sql {
  readonly read: <T>(failed: string, work: (connection: Connection) => T) => Result<T, Problem>;
  readonly write: <T>(failed: string, work: (connection: Connection) => T) => Result<T, Problem>;
  /** A write that is on the disk when this returns, for whoever says so elsewhere: never in a transaction, which may still take it back. */
  readonly alone: <T>(failed: string, work: (connection: Connection) => T) => Result<T, Problem>;
  /**
   * A write that a power cut may take back: it does not wait for the disk. What is there stays whole all the same, and a
   * crash of Leasehold takes nothing. For figures that come again every minute.
   */
  readonly relaxed: <T>(failed: string, work: (connection: Connection) => T) => Result<T, Problem>;
  /** All of `work` or none of it; it is undone too when `work` answers a problem. May be nested. */
  readonly transaction: <T>(failed: string, work: () => Result<T, Problem>) => Result<T, Problem>;
}

const READ = { begin: 'BEGIN', commit: 'COMMIT', undo: 'ROLLBACK' };
const WRITE = { begin: 'BEGIN IMMEDIATE', commit: 'COMMIT', undo: 'ROLLBACK' };
const NESTED = {
  begin: 'SAVEPOINT nested',
  commit: 'RELEASE nested',
  undo: 'ROLLBACK TO nested; RELEASE nested',
};

export function createSql(connection: Connection, file: string): Sql {
  let depth = 0;

  function run<T>(
    outermost: typeof READ,
    failed: string,
    work: () => Result<T, Problem>,
  ): Result<T, Problem> {
    const { begin, commit, undo } = depth === 0 ? outermost : NESTED;
    try {
      connection.exec(begin);
      depth += 1;
      try {
        const result = work();
        connection.exec(result.ok ? commit : undo);
        return result;
      } finally {
        depth -= 1;
      }
    } catch (cause) {
      // A full disk makes SQLite undo the whole transaction by itself. What is left of an outer body would then be
      // committed statement by statement, so that body must not go on.
      if (connection.isInTransaction()) connection.exec(undo);
      else if (depth > 0) throw cause;
      return err(sqlProblem(cause, failed, file));
    }
  }

  return {
    read: (failed, work) => run(READ, failed, () => ok(work(connection))),
    write: (failed, work) => run(WRITE, failed, () => ok(work(connection))),
    alone: (failed, work) => {
      if (depth > 0) throw new Error('that cannot be written inside a transaction');
      return run(WRITE, failed, () => ok(work(connection)));
    },
    relaxed: (failed, work) => {
      if (depth > 0) throw new Error('how sure a write is cannot change inside a transaction');
      // Without WAL (disks without shared memory) a power cut could damage the file itself.
      if (connection.pragma('journal_mode') !== 'wal') {
        return run(WRITE, failed, () => ok(work(connection)));
      }
      connection.exec('PRAGMA synchronous = NORMAL');
      try {
        return run(WRITE, failed, () => ok(work(connection)));
      } finally {
        connection.exec('PRAGMA synchronous = FULL');
      }
    },
    transaction: (failed, work) => run(WRITE, failed, work),
  };
}
