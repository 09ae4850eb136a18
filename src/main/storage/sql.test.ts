import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { runFixture, withFolder } from './disk.fixture.ts';
import { createSql } from './sql.ts';

const FIXTURE = new URL('./database.fixture.ts', import.meta.url);

describe('createSql', () => {
  it('reads and writes again after another process had locked everything, without WAL too', () =>
    withFolder(async (folder) => {
      const connection = openConnection(join(folder, DATABASE_FILE), 20);
      connection.exec("CREATE TABLE boxes (id TEXT) STRICT; INSERT INTO boxes VALUES ('a')");
      const sql = createSql(connection, 'here');
      const count = (): unknown => sql.read('not read', ({ rows }) => rows(['id'], 'boxes').length);
      const add = (): unknown =>
        sql.write('not added', ({ run }) => run("INSERT INTO boxes VALUES ('b')"));
      expect(count()).toEqual(ok(1));
      await runFixture(FIXTURE, ['lock', folder, 'everything'], (_line, _count, child) => {
        const refused = { ok: false, error: { code: 'database-unavailable' } };
        expect([count(), add(), count()]).toMatchObject([refused, refused, refused]);
        child.kill('SIGKILL');
      });
      expect([count(), add(), count()]).toEqual([ok(1), ok(1), ok(2)]);
      connection.close();
    }));

  it('names what did not happen, why, and where', () => {
    const connection = openConnection(':memory:', 0);
    const failed = createSql(connection, 'the file').write('The box was not saved', ({ exec }) =>
      exec('not sql'),
    );
    expect(failed).toMatchObject({
      ok: false,
      error: {
        message: 'The box was not saved, because SQLite cannot use the database (the file).',
        detail: expect.stringContaining('SQLITE_ERROR') as unknown,
      },
    });
    connection.close();
  });

  it('lets a bug through, after undoing what was begun at every depth', () => {
    const connection = openConnection(':memory:', 0);
    connection.exec('CREATE TABLE t (v) ');
    const sql = createSql(connection, 'here');
    const bug = new TypeError('a bug');
    expect(() =>
      sql.transaction('outer', () => {
        connection.exec('INSERT INTO t VALUES (1)');
        return sql.write('inner', () => {
          throw bug;
        });
      }),
    ).toThrow(bug);
    expect(connection.isInTransaction()).toBe(false);
    expect(connection.rows(['v'], 't')).toEqual([]);
    expect(sql.transaction('again', () => err(problem('aborted', 'no')))).toMatchObject({
      ok: false,
    });
    connection.close();
  });
});
