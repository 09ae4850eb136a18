import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { DIRECT, USUAL_LOGIN, USUAL_OPTIONS, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { openConnection } from './connection.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDatabase, openTemporaryDatabase } from './database.ts';
import { withFolder } from './disk.fixture.ts';

function box(over: Partial<Box> = {}): Box {
  return {
    id: randomUUID(),
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '203.0.113.5', port: 22, user: 'root' },
    ...USUAL_WAY,
    tags: [],
    addedAtMs: 1_763_694_900_123,
    ...over,
  };
}

function address(port: number, host = 'h', user = 'root'): Box['address'] {
  return { host, port, user };
}

describe('boxesTable', () => {
  it('keeps the tags of a box, and those of no box that is gone', () => {
    const { boxes } = openTemporaryDatabase();
    const a = box({ tags: ['ablation'] });
    expect(boxes.add(a)).toEqual(ok(a));
    const tagged = { ...a, tags: ['team müller', 'k"v'] };
    expect(boxes.tag(a.id, tagged.tags)).toEqual(ok(tagged));
    expect(boxes.list()).toEqual(ok({ rows: [tagged], unreadable: [] }));
    expect(boxes.tag(randomUUID(), ['x'])).toMatchObject({
      ok: false,
      error: { code: 'no-such-box' },
    });
  });

  it('gives back what was added, in that order', () => {
    const { boxes } = openTemporaryDatabase();
    const [a, b] = [
      box({
        tags: [],
        addedAtMs: 2,
        address: address(1),
        name: 'ünïcode "quoted" ; DROP TABLE boxes',
      }),
      box({
        tags: [],
        addedAtMs: 1,
        address: address(2),
        route: { kind: 'command', command: `nc -x "p" '%h' %p` },
        login: { ...USUAL_LOGIN, identityFiles: ['/home/me/.ssh/id key'] },
        options: { ...USUAL_OPTIONS, keepaliveEveryS: 5 },
      }),
    ];
    expect(boxes.add(a)).toEqual(ok(a));
    expect(boxes.add(b)).toEqual(ok(b));
    expect(boxes.list()).toEqual(ok({ rows: [b, a], unreadable: [] }));
  });

  it('refuses a second box with the same address, however its host is written', () => {
    const { boxes } = openTemporaryDatabase();
    boxes.add(box({ address: address(22, 'Gpu.Example') }));
    expect(boxes.add(box({ address: address(22, 'gpu.example') }))).toMatchObject({
      ok: false,
      error: { code: 'box-exists' },
    });
    for (const other of [address(23, 'gpu.example'), address(22, 'gpu.example', 'ubuntu')]) {
      expect(boxes.add(box({ address: other })).ok).toBe(true);
    }
  });

  it('keeps boxes at one address apart by the way to them', () => {
    const { boxes } = openTemporaryDatabase();
    const via = (host: string): Route => ({
      kind: 'jumps',
      hops: [{ address: address(22, host), identityFile: null }],
    });
    for (const route of [DIRECT, via('a.example'), via('b.example')]) {
      expect(boxes.add(box({ route })).ok).toBe(true);
    }
    expect(boxes.add(box({ route: via('a.example') }))).toMatchObject({
      error: { code: 'box-exists' },
    });
  });

  it('changes how a box is reached, but not to what another one has', () => {
    const { boxes } = openTemporaryDatabase();
    const [a, b] = [
      box({ address: address(1), tags: [], addedAtMs: 1 }),
      box({ address: address(2), tags: [], addedAtMs: 2 }),
    ];
    boxes.add(a);
    boxes.add(b);
    const moved = { ...a, address: address(3), login: { ...USUAL_LOGIN, isOnlyIdentities: true } };
    expect(boxes.reconnect(a.id, moved)).toEqual(ok(moved));
    expect(boxes.reconnect(a.id, b)).toMatchObject({ error: { code: 'box-exists' } });
    expect(boxes.reconnect(randomUUID(), box({ address: address(9) }))).toMatchObject({
      error: { code: 'no-such-box' },
    });
    expect(boxes.list()).toMatchObject({ value: { rows: [moved, b] } });
  });

  it('renames one box and answers it', () => {
    const { boxes } = openTemporaryDatabase();
    const [a, b] = [
      box({ address: address(1), tags: [], addedAtMs: 2 }),
      box({ address: address(2), tags: [], addedAtMs: 1 }),
    ];
    boxes.add(a);
    boxes.add(b);
    expect(boxes.rename(a.id, 'new')).toEqual(ok({ ...a, name: 'new' }));
    expect(boxes.list()).toMatchObject({ value: { rows: [{ name: 'train-a' }, { name: 'new' }] } });
  });

  it('forgets one box, and its address is free again', () => {
    const { boxes } = openTemporaryDatabase();
    const a = box();
    boxes.add(a);
    expect(boxes.forget(a.id)).toEqual(ok(null));
    expect(boxes.list()).toEqual(ok({ rows: [], unreadable: [] }));
    expect(boxes.add(box()).ok).toBe(true);
  });

  it('answers no-such-box for an unknown one', () => {
    const { boxes } = openTemporaryDatabase();
    for (const answer of [boxes.rename(randomUUID(), 'x'), boxes.forget(randomUUID())]) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'no-such-box' } });
    }
  });

  it('does not keep a box that could not be read back', () => {
    const { boxes } = openTemporaryDatabase();
    expect(boxes.add(box({ address: address(70_000) })).ok).toBe(false);
    const kept = box({ address: address(1) });
    boxes.add(kept);
    expect(boxes.rename(kept.id, '').ok).toBe(false);
    expect(boxes.list()).toEqual(ok({ rows: [kept], unreadable: [] }));
  });

  it.each([
    ['text that is not UTF-8', "UPDATE boxes SET name = CAST(x'ff' AS TEXT)"],
    ['an impossible port', 'UPDATE boxes SET port = 0'],
    ['a route of no known kind', `UPDATE boxes SET route = '{"kind":"tunnel"}'`],
    ['a route that is no JSON', "UPDATE boxes SET route = '{'"],
    ['an id that is none', "UPDATE boxes SET id = 'x'"],
  ])('reports a row with %s and keeps it in the file', (_what, damage) =>
    withFolder((folder) => {
      const { database } = openDatabase({ folder });
      database.boxes.add(box());
      const tool = openConnection(join(folder, DATABASE_FILE), 1000);
      tool.exec(damage);
      expect(database.boxes.list()).toMatchObject({
        ok: true,
        value: { rows: [], unreadable: [{ code: 'database-corrupt' }] },
      });
      expect(tool.rows(['port'], 'boxes')).toHaveLength(1);
      tool.close();
      database.close();
    }),
  );

  it('undoes everything when a transaction answers a problem or throws', () => {
    const { boxes, transaction } = openTemporaryDatabase();
    const kept = box({ address: address(1) });
    boxes.add(kept);
    const found = problem('aborted', 'no');
    expect(
      transaction('x', () => {
        boxes.add(box({ address: address(2) }));
        boxes.forget(kept.id);
        return err(found);
      }),
    ).toEqual(err(found));
    expect(() =>
      transaction('x', () => {
        boxes.add(box({ address: address(3) }));
        throw new Error('a bug');
      }),
    ).toThrow('a bug');
    expect(boxes.list()).toEqual(ok({ rows: [kept], unreadable: [] }));
  });

  it('undoes only the inner part when the outer goes on', () => {
    const { boxes, transaction } = openTemporaryDatabase();
    const [a, b] = [box({ address: address(1) }), box({ address: address(2) })];
    transaction('outer', () => {
      boxes.add(a);
      transaction('inner', () => {
        boxes.add(b);
        return err(problem('aborted', 'no'));
      });
      return ok(null);
    });
    expect(boxes.list()).toEqual(ok({ rows: [a], unreadable: [] }));
  });
});
