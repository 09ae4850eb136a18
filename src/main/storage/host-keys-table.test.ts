import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { readHostKey, type OfferedHostKey } from '../ssh/host-key.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE, openDatabase, openTemporaryDatabase, type Database } from './database.ts';
import { withFolder } from './disk.fixture.ts';

function newKey(type = 'ssh-ed25519'): OfferedHostKey {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return readHostKey(Buffer.concat([length, Buffer.from(type), randomBytes(36)]));
}

function withBox(database: Database): string {
  const id = randomUUID();
  const added = database.boxes.add({
    id,
    name: 'a',
    platform: 'generic-ssh',
    address: { host: id, port: 22, user: 'root' },
    ...USUAL_WAY,
    addedAtMs: 1,
  });
  if (!added.ok) throw new Error(added.error.message);
  return id;
}

describe('hostKeysTable', () => {
  it('knows no key of a box before one is stored', () => {
    const database = openTemporaryDatabase();
    expect(database.hostKeys.current(withBox(database))).toEqual(ok(null));
    expect(database.hostKeys.current(randomUUID())).toEqual(ok(null));
  });

  it('gives back the stored key, for that box only', () => {
    const database = openTemporaryDatabase();
    const [a, b] = [withBox(database), withBox(database)];
    const key = newKey();
    expect(database.hostKeys.store(a, key, 5)).toEqual(ok(null));
    expect(database.hostKeys.current(a)).toEqual(ok({ ...key, storedAtMs: 5 }));
    expect(database.hostKeys.current(b)).toEqual(ok(null));
  });

  it('replaces the key and keeps the one before it', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey('ecdsa-sha2-nistp256')];
    database.hostKeys.store(id, first, 5);
    database.hostKeys.store(id, second, 9);
    expect(database.hostKeys.current(id)).toEqual(ok({ ...second, storedAtMs: 9 }));
    expect(database.hostKeys.history(id)).toEqual(
      ok({
        rows: [
          { ...second, storedAtMs: 9, replacedAtMs: null },
          { ...first, storedAtMs: 5, replacedAtMs: 9 },
        ],
        unreadable: [],
      }),
    );
  });

  it('changes nothing for the same key again, and remembers one that comes back', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey()];
    database.hostKeys.store(id, first, 5);
    database.hostKeys.store(id, first, 6);
    expect(database.hostKeys.current(id)).toEqual(ok({ ...first, storedAtMs: 5 }));
    database.hostKeys.store(id, second, 7);
    database.hostKeys.store(id, first, 8);
    expect(database.hostKeys.current(id)).toEqual(ok({ ...first, storedAtMs: 8 }));
    expect(database.hostKeys.history(id)).toMatchObject({ value: { rows: { length: 3 } } });
  });

  it('refuses a key for an unknown box', () => {
    const database = openTemporaryDatabase();
    expect(database.hostKeys.store(randomUUID(), newKey(), 1)).toMatchObject({
      ok: false,
      error: { code: 'no-such-box' },
    });
  });

  it('does not replace a good key by one that could not be read back', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const good = newKey();
    database.hostKeys.store(id, good, 1);
    const bad = { ...newKey(), fingerprint: newKey().fingerprint };
    expect(database.hostKeys.store(id, bad, 2).ok).toBe(false);
    expect(database.hostKeys.current(id)).toEqual(ok({ ...good, storedAtMs: 1 }));
  });

  it('forgets the keys with the box', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    database.hostKeys.store(id, newKey(), 1);
    database.boxes.forget(id);
    expect(database.hostKeys.history(id)).toEqual(ok({ rows: [], unreadable: [] }));
  });

  it.each([
    ['the key', "UPDATE host_keys SET public_key = 'BBBB' || substr(public_key, 5)"],
    ['the fingerprint', "UPDATE host_keys SET fingerprint = fingerprint || 'x'"],
    ['its bytes', "UPDATE host_keys SET public_key = CAST(x'ffff' AS TEXT)"],
    ['the type', "UPDATE host_keys SET type = ''"],
  ])('says that a key is there when %s is damaged, instead of "first contact"', (_what, damage) =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      const id = withBox(database);
      database.hostKeys.store(id, newKey(), 1);
      const tool = openConnection(join(folder, DATABASE_FILE), 1000);
      tool.exec(damage);
      tool.close();
      expect(database.hostKeys.current(id)).toMatchObject({
        ok: false,
        error: { code: 'database-corrupt' },
      });
      // Trusting a key anew is the way out.
      const trusted = newKey();
      expect(database.hostKeys.store(id, trusted, 2)).toEqual(ok(null));
      expect(database.hostKeys.current(id)).toEqual(ok({ ...trusted, storedAtMs: 2 }));
      database.close();
    }),
  );
});
