import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSqliteError, openConnection } from './connection.ts';
import { withFolder } from './disk.fixture.ts';

describe('openConnection', () => {
  it.each(['plain', 'näme €', 'nul\0inside', '', ' \uFEFF'])('gives back the text %j', (text) => {
    const connection = openConnection(':memory:', 0);
    connection.exec('CREATE TABLE t (v TEXT) STRICT');
    connection.run('INSERT INTO t VALUES (?)', [text]);
    expect(connection.rows(['v'], 't')).toEqual([{ v: text }]);
    connection.close();
  });

  // libsql itself would end the whole process.
  it('throws when it is used after it was closed', () => {
    const connection = openConnection(':memory:', 0);
    connection.exec('CREATE TABLE t (v TEXT) STRICT');
    connection.rows(['v'], 't');
    connection.close();
    for (const use of [
      () => connection.exec('BEGIN'),
      () => connection.rows(['v'], 't'),
      () => connection.run('INSERT INTO t VALUES (?)', ['x']),
      () => connection.isInTransaction(),
    ]) {
      expect(use).toThrow(':memory: is closed');
    }
  });

  it('gives numbers and null as they are, milliseconds of today included', () => {
    const connection = openConnection(':memory:', 0);
    connection.exec('CREATE TABLE t (a INTEGER, b INTEGER) STRICT');
    connection.run('INSERT INTO t VALUES (?, ?)', [1_763_694_900_123, null]);
    expect(connection.rows(['a', 'b'], 't')).toEqual([{ a: 1_763_694_900_123, b: null }]);
    connection.close();
  });

  // Fetched as text, this cell makes libsql end the whole process.
  it('gives text that is not UTF-8 as bytes', () => {
    const connection = openConnection(':memory:', 0);
    connection.exec("CREATE TABLE t (v TEXT) STRICT; INSERT INTO t VALUES (CAST(x'ff41' AS TEXT))");
    expect(connection.rows(['v'], 't')).toEqual([{ v: new Uint8Array([0xff, 0x41]) }]);
    connection.close();
  });

  it('sees a changed schema with a statement that it has prepared before', () => {
    const connection = openConnection(':memory:', 0);
    connection.exec('CREATE TABLE t (v TEXT) STRICT');
    expect(connection.rows(['v'], 't')).toEqual([]);
    connection.exec(
      "DROP TABLE t; CREATE TABLE t (w TEXT, v TEXT) STRICT; INSERT INTO t VALUES ('w', 'v')",
    );
    expect(connection.rows(['v'], 't')).toEqual([{ v: 'v' }]);
    connection.close();
  });

  it('throws errors that carry SQLite’s code, a failed open too', () =>
    withFolder((folder) => {
      const errors = [
        () => openConnection(join(folder, 'no', 'such', 'folder.db'), 0),
        () => openConnection(':memory:', 0).exec('not sql'),
      ].map((act) => {
        try {
          act();
        } catch (cause) {
          return isSqliteError(cause) ? cause.code : cause;
        }
        return 'nothing thrown';
      });
      expect(errors).toEqual(['SQLITE_CANTOPEN', 'SQLITE_ERROR']);
    }));
});
