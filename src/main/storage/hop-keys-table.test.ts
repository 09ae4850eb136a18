import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { newHostKey } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE, openDatabase, openTemporaryDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

describe('hopKeysTable', () => {
  it('knows each place on the way by itself, and one key of it', () => {
    const { hopKeys } = openTemporaryDatabase();
    const [first, second] = [newHostKey(), newHostKey()];
    expect(hopKeys.current('hop:a')).toEqual(ok(null));
    hopKeys.store('hop:a', first, 1);
    hopKeys.store('hop:a', second, 2);
    expect(hopKeys.current('hop:a')).toEqual(ok({ ...second, storedAtMs: 2 }));
    expect(hopKeys.current('hop:a>hop:b')).toEqual(ok(null));
  });

  it('forgets the places that lead nowhere any more', () => {
    const { hopKeys } = openTemporaryDatabase();
    for (const id of ['hop:a', "hop:b's"]) hopKeys.store(id, newHostKey(), 1);
    expect(hopKeys.keepOnly(["hop:b's", 'hop:c'])).toEqual(ok(null));
    expect(hopKeys.current('hop:a')).toEqual(ok(null));
    expect(hopKeys.current("hop:b's")).toMatchObject({ value: { storedAtMs: 1 } });
  });

  it('never takes a damaged key for none', () =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      database.hopKeys.store('hop:a', newHostKey(), 1);
      const tool = openConnection(join(folder, DATABASE_FILE), 1000);
      tool.exec("UPDATE hop_host_keys SET fingerprint = 'SHA256:other'");
      tool.close();
      expect(database.hopKeys.current('hop:a')).toMatchObject({
        ok: false,
        error: { code: 'database-corrupt' },
      });
      database.close();
    }));
});
