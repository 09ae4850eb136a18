import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { readHostKey, type OfferedHostKey } from '../ssh/host-key.ts';
import { TRUST } from './boxes.fixture.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, openTemporaryDatabase, type Database } from './database.ts';
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
    tags: [],
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
    expect(database.hostKeys.store(a, key, 5, TRUST)).toEqual(ok(null));
    expect(database.hostKeys.current(a)).toEqual(ok({ ...key, storedAtMs: 5, lastSeenMs: null }));
    expect(database.hostKeys.current(b)).toEqual(ok(null));
  });

  it('replaces the key and keeps the one before it', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey('ecdsa-sha2-nistp256')];
    database.hostKeys.store(id, first, 5, TRUST);
    database.hostKeys.store(id, second, 9, TRUST);
    const trusted = { trustedBy: 'confirmed', trustedWhere: null, lastSeenMs: null };
    expect(database.hostKeys.current(id)).toEqual(
      ok({ ...second, storedAtMs: 9, lastSeenMs: null }),
    );
    expect(database.hostKeys.history(id)).toEqual(
      ok({
        rows: [
          { ...second, ...trusted, storedAtMs: 9, replacedAtMs: null, replacedBecause: null },
          {
            ...first,
            ...trusted,
            storedAtMs: 5,
            replacedAtMs: 9,
            replacedBecause: 'trusted-anew',
          },
        ],
        unreadable: [],
      }),
    );
  });

  it('changes nothing for the same key again, and remembers one that comes back', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey()];
    database.hostKeys.store(id, first, 5, TRUST);
    database.hostKeys.store(id, first, 6, TRUST);
    expect(database.hostKeys.current(id)).toEqual(
      ok({ ...first, storedAtMs: 5, lastSeenMs: null }),
    );
    database.hostKeys.store(id, second, 7, TRUST);
    database.hostKeys.store(id, first, 8, TRUST);
    expect(database.hostKeys.current(id)).toEqual(
      ok({ ...first, storedAtMs: 8, lastSeenMs: null }),
    );
    expect(database.hostKeys.history(id)).toMatchObject({ value: { rows: { length: 3 } } });
  });

  it('keeps the key of any machine: a hop on the way to a box is none', () => {
    const database = openTemporaryDatabase();
    const hop = `hop ${randomUUID()}`;
    const key = newKey();
    expect(database.hostKeys.store(hop, key, 1, TRUST)).toEqual(ok(null));
    expect(database.hostKeys.current(hop)).toMatchObject({ ok: true, value: key });
  });

  it('says how and where a key came to be trusted, and that a new machine took its place', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey()];
    database.hostKeys.store(id, first, 5, {
      ...TRUST,
      by: 'known-hosts',
      where: '~/.ssh/known_hosts, line 12',
    });
    database.hostKeys.store(id, second, 9, { ...TRUST, by: 'new-machine-name' });
    expect(database.hostKeys.history(id)).toMatchObject({
      value: {
        rows: [
          { trustedBy: 'new-machine-name', trustedWhere: null, replacedBecause: null },
          {
            trustedBy: 'known-hosts',
            trustedWhere: '~/.ssh/known_hosts, line 12',
            replacedAtMs: 9,
            replacedBecause: 'new-machine',
          },
        ],
      },
    });
  });

  it('notes when and where the current key was last seen, and nothing about those before it', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const [first, second] = [newKey(), newKey()];
    database.hostKeys.store(id, first, 5, TRUST);
    database.hostKeys.store(id, second, 6, TRUST);
    expect(database.hostKeys.seen(id, 7, { host: 'moved.example', port: 2222 })).toEqual(ok(null));
    expect(database.hostKeys.history(id)).toMatchObject({
      value: { rows: [{ lastSeenMs: 7 }, { lastSeenMs: null }] },
    });
    expect(database.hostKeys.trusted()).toEqual(
      ok({
        rows: [
          {
            host: 'moved.example',
            port: 2222,
            type: second.type,
            publicKey: second.publicKey,
            atMs: 7,
          },
        ],
        unreadable: [],
      }),
    );
  });

  it('does not replace a good key by one that could not be read back', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    const good = newKey();
    database.hostKeys.store(id, good, 1, TRUST);
    const bad = { ...newKey(), fingerprint: newKey().fingerprint };
    expect(database.hostKeys.store(id, bad, 2, TRUST).ok).toBe(false);
    expect(database.hostKeys.current(id)).toEqual(ok({ ...good, storedAtMs: 1, lastSeenMs: null }));
  });

  it('forgets the keys with the box', () => {
    const database = openTemporaryDatabase();
    const id = withBox(database);
    database.hostKeys.store(id, newKey(), 1, TRUST);
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
      database.hostKeys.store(id, newKey(), 1, TRUST);
      const tool = openConnection(join(folder, DATABASE_FILE), 1000);
      tool.exec(damage);
      tool.close();
      expect(database.hostKeys.current(id)).toMatchObject({
        ok: false,
        error: { code: 'database-corrupt' },
      });
      // Trusting a key anew is the way out.
      const trusted = newKey();
      expect(database.hostKeys.store(id, trusted, 2, TRUST)).toEqual(ok(null));
      expect(database.hostKeys.current(id)).toEqual(
        ok({ ...trusted, storedAtMs: 2, lastSeenMs: null }),
      );
      database.close();
    }),
  );
});
