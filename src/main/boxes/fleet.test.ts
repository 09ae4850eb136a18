import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EndOnRecord } from '../../shared/boxes/archived.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FleetState } from '../../shared/streams/fleet-stream.ts';
import { openHostKeys } from '../known-hosts/host-keys.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import type { Log } from '../log/log.ts';
import { readHostKey } from '../ssh/host-key.ts';
import type { Link } from '../ssh/link.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { TeardownRecords } from '../teardown/teardown-records.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { Tunnels } from '../tunnels/tunnels.ts';
import { BoxRoster } from './box-roster.ts';
import { Fleet, type FleetOptions } from './fleet.ts';

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
  child: () => silent,
};
const ADDRESS = { host: '192.0.2.7', port: 41022, user: 'root' };
const CONNECTION = {
  address: ADDRESS,
  ...USUAL_WAY,
};
const NOBODY = '3f0e64a8-1111-4222-8333-444455556666';

let hub: StreamHub;
let database: Database;
let roster: BoxRoster;
let fleet: Fleet;

function openFleet(more: Partial<FleetOptions> = {}): Fleet {
  hub = new StreamHub();
  roster = new BoxRoster(hub);
  return new Fleet({
    gatewayAt: () => null,
    isUnderWay: () => ok(false),
    roster,
    boxes: database.boxes,
    hostKeys: openHostKeys({
      table: database.hostKeys,
      knownElsewhere: () => Promise.resolve({ lines: [], problems: [] }),
      onChange: () => undefined,
    }),
    forgetUnusedWays: () => undefined,
    proxyPassword: () => ok(null),
    gatherCredentials: () => Promise.resolve(err(problem('no-credentials', 'none'))),
    telemetry: new Telemetry({
      hub,
      table: database.history,
      refusals: database.refusals,
      scripts: onboxScripts,
      log: silent,
      onProblem: () => undefined,
    }),
    tunnels: new Tunnels({ hub, store: database.tunnels, log: silent, onProblem: () => undefined }),
    log: silent,
    ...more,
  });
}

beforeEach(() => {
  database = openTemporaryDatabase();
  fleet = openFleet();
});
afterEach(() => {
  fleet.dispose();
  hub.dispose();
  database.close();
});

const names = (): string[] => roster.entries.map(({ box }) => box.name);

describe('Fleet', () => {
  it('remembers an added box without contacting it', () => {
    expect(fleet.add('train-a', CONNECTION)).toMatchObject({ ok: true });
    expect(roster.entries).toMatchObject([
      { box: { name: 'train-a', address: ADDRESS }, link: { kind: 'idle' }, load: null },
    ]);

    fleet.dispose();
    fleet = openFleet();
    expect(fleet.loadStored()).toEqual([]);
    expect(names()).toEqual(['train-a']);
    expect(roster.entries[0]?.link).toEqual({ kind: 'idle' });
  });

  it('connects at the next start what the person has trusted before', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const key = readHostKey(Buffer.from('0000000b7373682d65643235353139', 'hex'));
    expect(
      database.hostKeys.store(added.value.id, key, 1, {
        address: ADDRESS,
        by: 'confirmed',
        where: null,
      }),
    ).toEqual(ok(null));
    fleet.dispose();
    fleet = openFleet();
    fleet.loadStored();
    expect(roster.entries[0]?.link.kind).not.toBe('idle');
  });

  it('asks the database nothing more once it is disposed of, also where a try has just begun', async () => {
    const asked: string[] = [];
    const current = (machineId: string): Result<null, Problem> => {
      asked.push(machineId);
      return ok(null);
    };
    fleet.dispose();
    fleet = openFleet({ hostKeys: { ...sessionHostKeys(), current } });
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    roster.connect(added.value.id);
    fleet.dispose();
    await import('../ssh/open-route.ts'); // what the try was waiting for
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
  });

  it('reaches an edited box at its new place, and forgets what it read at the old one', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const moved = { ...CONNECTION, address: { ...ADDRESS, port: 41023 } };
    expect(fleet.edit(added.value.id, moved)).toMatchObject({ ok: true });
    expect(roster.entries).toMatchObject([
      { box: { name: 'train-a', ...moved }, link: { kind: 'idle' }, gpus: null, load: null },
    ]);
    expect(fleet.edit(NOBODY, moved)).toMatchObject({ error: { code: 'no-such-box' } });
  });

  it.each([
    ['its port', { address: { ...ADDRESS, port: 41023 } }],
    ['its host', { address: { ...ADDRESS, host: '192.0.2.8' } }],
    ['its user', { address: { ...ADDRESS, user: 'me' } }],
    [
      'its jump host',
      {
        route: {
          kind: 'jumps' as const,
          hops: [{ address: { ...ADDRESS, host: 'gate.example' }, identityFile: null }],
        },
      },
    ],
  ])(
    'refuses another way to a box that is being ended, by %s, and nothing else',
    (_what, other) => {
      const ending = new Set<string>();
      fleet.dispose();
      fleet = openFleet({ isUnderWay: (boxId) => ok(ending.has(boxId)) });
      const added = fleet.add('train-a', CONNECTION);
      if (!added.ok) throw new Error(added.error.message);
      const { id } = added.value;
      ending.add(id);
      expect(fleet.edit(id, { ...CONNECTION, ...other })).toMatchObject({
        error: { code: 'teardown-refused', nextStep: expect.stringContaining('Teardown tab') },
      });
      expect(roster.boxOf(id)).toMatchObject({ address: ADDRESS, route: CONNECTION.route });
      expect(database.boxes.list()).toMatchObject({ value: { rows: [{ address: ADDRESS }] } });
      // An entry of the SSH config that was declined is noted all the same.
      const noted = { ...CONNECTION, options: { ...CONNECTION.options, configDigest: 'seen' } };
      expect(fleet.edit(id, noted)).toMatchObject({ ok: true });
      expect(fleet.rename(id, 'train-b')).toMatchObject({ ok: true });
      expect(fleet.tag(id, ['mine'])).toMatchObject({ ok: true });
      ending.clear();
      expect(fleet.edit(id, { ...CONNECTION, ...other })).toMatchObject({ ok: true, value: other });
    },
  );

  it('refuses another way to a box of which the evidence cannot be read, says so and the way forward', () => {
    fleet.dispose();
    const records = new TeardownRecords(database.evidence);
    fleet = openFleet({ isUnderWay: (boxId) => records.isUnderWay(boxId) });
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    const elsewhere = { ...CONNECTION, address: { ...ADDRESS, port: 1 } };
    const body = '{"step":"from later"}';
    const entry = { atMs: 1, kind: 'teardown', boxId: id, about: id, body } as const;
    expect(database.evidence.append(entry)).toMatchObject({ ok: true });
    expect(fleet.edit(id, elsewhere)).toEqual(
      err({
        code: 'database-corrupt',
        message:
          'Whether the end of this box is under way is not known, so the way to it cannot be changed now. Evidence entry 1 is not what Leasehold writes.',
        nextStep:
          'If a newer Leasehold wrote it, go on with that one. If it is damaged, put your data folder back from a backup. Name, tags and notes can be changed at any time.',
      }),
    );
    expect(roster.boxOf(id)).toMatchObject({ address: ADDRESS });
    expect(fleet.rename(id, 'train-b')).toMatchObject({ ok: true });
  });

  it('says which boxes are left when one is forgotten or goes another way, and not while it cannot know', () => {
    const left: (readonly Box[])[] = [];
    const forgetUnusedWays = (boxes: readonly Box[]): void => void left.push(boxes);
    fleet.dispose();
    fleet = openFleet({ forgetUnusedWays });
    const ids = [1, 2].map((port) => {
      const added = fleet.add(`b${port}`, { ...CONNECTION, address: { ...ADDRESS, port } });
      return added.ok ? added.value.id : '';
    });
    const hop = { address: { ...ADDRESS, host: 'gate.example' }, identityFile: null };
    const route = { kind: 'jumps' as const, hops: [hop] };
    fleet.edit(ids[0] ?? '', { ...CONNECTION, route, address: { ...ADDRESS, port: 1 } });
    expect(left.at(-1)?.map(({ route: { kind } }) => kind)).toEqual(['jumps', 'direct']);
    fleet.forget(ids[1] ?? '');
    expect(left.at(-1)?.map(({ name }) => name)).toEqual(['b1']);

    left.length = 0;
    fleet.dispose();
    const unreadable = [problem('database-unavailable', 'One row cannot be read.')];
    const listed = database.boxes.list();
    if (!listed.ok) throw new Error(listed.error.message);
    const list = () => ok({ ...listed.value, unreadable });
    fleet = openFleet({ forgetUnusedWays, boxes: { ...database.boxes, list } });
    expect(fleet.loadStored()).toEqual(unreadable);
    fleet.forget(ids[0] ?? '');
    expect(left).toEqual([]);
  });

  it('refuses the same address twice and keeps one', () => {
    fleet.add('train-a', CONNECTION);
    expect(fleet.add('train-b', CONNECTION)).toMatchObject({
      ok: false,
      error: { code: 'box-exists' },
    });
    expect(names()).toEqual(['train-a']);
  });

  it('takes tags and platform over and tells the window; a box that is not stored has none', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    expect(fleet.tag(added.value.id, ['ablation'])).toMatchObject({ ok: true });
    expect(roster.entries).toMatchObject([{ box: { name: 'train-a', tags: ['ablation'] } }]);
    expect(fleet.setPlatform(added.value.id, 'runpod')).toMatchObject({ ok: true });
    expect(roster.entries).toMatchObject([{ box: { platform: 'runpod', tags: ['ablation'] } }]);
    expect(fleet.tag(NOBODY, ['x'])).toMatchObject({ ok: false, error: { code: 'no-such-box' } });
  });

  it('keeps a box that is gone, connects to it by no way, and gives its address to the next', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    roster.connect(id);
    expect(fleet.archive(id, 77)).toEqual(ok(null));
    expect(roster.entries).toMatchObject([{ box: { archivedAtMs: 77 }, link: { kind: 'idle' } }]);
    expect(roster.living).toEqual([]);
    fleet.wake();
    expect(roster.connect(id)).toMatchObject({ error: { code: 'no-such-box' } });
    expect(roster.entryOf(id)?.link.kind).toBe('idle');

    expect(fleet.add('train-b', CONNECTION)).toMatchObject({ ok: true });
    expect(roster.living).toMatchObject([{ box: { name: 'train-b' } }]);
    // Its place is taken now.
    expect(fleet.archive(id, null)).toMatchObject({ error: { code: 'box-exists' } });
    expect(roster.living).toHaveLength(1);
    expect(fleet.forget(roster.living[0]?.box.id ?? '')).toEqual(ok(null));
    expect(fleet.archive(id, null)).toEqual(ok(null));
    expect(roster.connect(id)).toEqual(ok(null));
  });

  it('follows the evidence at the next start: what is gone is archived, what is there again is not', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    const key = readHostKey(Buffer.from('0000000b7373682d65643235353139', 'hex'));
    database.hostKeys.store(id, key, 1, { address: ADDRESS, by: 'confirmed', where: null });
    // Killed between the evidence and the row, each way.
    for (const [gone, kind] of [
      [88, 'idle'],
      [null, 'connecting'],
    ] as const) {
      fleet.dispose();
      fleet = openFleet({ endOnRecord: () => ok(gone) });
      expect(fleet.loadStored()).toEqual([]);
      expect(roster.entryOf(id)?.box.archivedAtMs).toBe(gone ?? undefined);
      expect(roster.entryOf(id)?.link.kind).toBe(kind);
      expect(database.boxes.list()).toMatchObject({
        value: { rows: [gone === null ? { id } : { id, archivedAtMs: gone }] },
      });
    }
  });

  it('leaves where they are a box whose end the evidence does not tell, and one that has answered since', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    const key = readHostKey(Buffer.from('0000000b7373682d65643235353139', 'hex'));
    database.hostKeys.store(id, key, 1, { address: ADDRESS, by: 'confirmed', where: null });
    const startsWith = (end: EndOnRecord): number | undefined => {
      fleet.dispose();
      fleet = openFleet({ endOnRecord: () => ok(end) });
      expect(fleet.loadStored()).toEqual([]);
      return roster.entryOf(id)?.box.archivedAtMs;
    };
    expect(startsWith('unsaid')).toBeUndefined();
    database.hostKeys.seen(id, 89, ADDRESS);
    expect(startsWith(88)).toBeUndefined();
    expect(startsWith(90)).toBe(90);
    expect(startsWith('unsaid')).toBe(90);
    expect(startsWith(null)).toBeUndefined();
  });

  it('archives no box twice, and keeps the link of one that is there already', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    roster.connect(id);
    expect(fleet.archive(id, null)).toEqual(ok(null));
    expect(roster.entryOf(id)?.link.kind).toBe('connecting');
    expect(fleet.archive(id, 77)).toEqual(ok(null));
    expect(fleet.archive(id, 78)).toEqual(ok(null));
    expect(roster.entryOf(id)?.box.archivedAtMs).toBe(77);
  });

  it.each([
    ['another key file', { login: { ...USUAL_WAY.login, identityFiles: ['/home/me/other'] } }],
    ['another case of its host', { address: { ...ADDRESS, host: 'GPU.example' } }],
  ])('puts no box back where another is reached by %s', (_what, other) => {
    const first = { ...CONNECTION, address: { ...ADDRESS, host: 'gpu.example' } };
    const added = fleet.add('train-a', first);
    if (!added.ok) throw new Error(added.error.message);
    expect(fleet.archive(added.value.id, 77)).toEqual(ok(null));
    expect(fleet.add('train-b', { ...first, ...other })).toMatchObject({
      ok: true,
    });
    expect(fleet.archive(added.value.id, null)).toMatchObject({ error: { code: 'box-exists' } });
    expect(roster.boxOf(added.value.id)?.archivedAtMs).toBe(77);
  });

  it('renames and forgets, and tells the window', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    const { id } = added.value;
    const described = vi.spyOn(roster.linkOf(id) as Link, 'describe');
    expect(fleet.rename(id, 'sweep-2')).toMatchObject({ ok: true, value: { name: 'sweep-2' } });
    expect(described).toHaveBeenCalledWith(expect.objectContaining({ id, name: 'sweep-2' }));
    hub.addClient(1, () => undefined);
    const opened = hub.open(1, 'fleet', '');
    if (!opened.ok) throw new Error(opened.error.message);
    expect((opened.value.state as FleetState).entries[0]?.box.name).toBe('sweep-2');
    expect(hub.open(1, 'readings', id)).toMatchObject({ ok: true });

    expect(fleet.forget(id)).toEqual(ok(null));
    expect(names()).toEqual([]);
    expect(hub.open(1, 'readings', id)).toMatchObject({ ok: false });
    expect(database.boxes.list()).toMatchObject({ ok: true, value: { rows: [] } });
  });

  it.each([
    ['connect', () => roster.connect(NOBODY)],
    ['disconnect', () => roster.disconnect(NOBODY)],
    ['rename', () => fleet.rename(NOBODY, 'x')],
    ['forget', () => fleet.forget(NOBODY)],
    ['name the identity of', () => fleet.identity(NOBODY)],
    ['trust', () => fleet.trustHostKey(NOBODY, 'SHA256:x', '')],
  ])('refuses to %s a box that is not there', async (_what, act) => {
    expect(await act()).toMatchObject({ ok: false, error: { code: 'no-such-box' } });
  });

  it('tells a listener what changed, and what was before', () => {
    const seen: string[] = [];
    roster.follow({
      added: ({ box }) => seen.push(`new>${box.name}`),
      changed: ({ box }, before) => seen.push(`${before.box.name}>${box.name}`),
    });
    const added = fleet.add('a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    fleet.rename(added.value.id, 'b');
    expect(seen).toEqual(['new>a', 'a>b']);
  });

  it('forgets no box because Leasehold quits', () => {
    const added = fleet.add('train-a', CONNECTION);
    if (!added.ok) throw new Error(added.error.message);
    roster.connect(added.value.id);
    const removed: string[] = [];
    roster.follow({ removed: (boxId) => removed.push(boxId) });
    fleet.dispose();
    expect(removed).toEqual([]);
    expect(roster.entries).toMatchObject([{ box: { name: 'train-a' }, link: { kind: 'idle' } }]);
    expect(fleet.forget(added.value.id)).toMatchObject({ error: { code: 'no-such-box' } });
  });

  describe('when this machine wakes', () => {
    let tries: string[];
    let hasTried: () => Promise<void>;

    /** Three boxes whose every try fails at once with something that is worth another one. */
    beforeEach(async () => {
      tries = [];
      let heard: () => void = () => undefined;
      hasTried = () => new Promise((resolve) => (heard = resolve));
      fleet.dispose();
      fleet = openFleet({
        gatherCredentials: ({ name }) => {
          tries.push(name);
          return Promise.resolve(err(problem('unreachable', 'no network')));
        },
      });
      roster.follow({
        changed: ({ link }) => {
          if (link.kind === 'waiting') heard();
        },
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      for (const [i, name] of ['a', 'b', 'c'].entries()) {
        const address = { ...ADDRESS, port: 1000 + i };
        const added = fleet.add(name, { ...CONNECTION, address });
        if (!added.ok) throw new Error(added.error.message);
        const tried = hasTried();
        roster.connect(added.value.id);
        await tried;
      }
      tries = [];
    });
    afterEach(() => {
      fleet.dispose();
      expect(vi.getTimerCount()).toBe(0);
      vi.useRealTimers();
    });

    it('tries every waiting box at once, one shortly after the other', async () => {
      fleet.wake();
      fleet.wake(); // the second starts the round anew, not a second round
      for (const name of ['a', 'b', 'c']) {
        const tried = hasTried();
        await vi.advanceTimersByTimeAsync(name === 'a' ? 0 : 25);
        await tried;
        expect(tries.at(-1)).toBe(name);
      }
      expect(tries).toEqual(['a', 'b', 'c']);
      for (const { link } of roster.entries)
        expect(link).toMatchObject({ kind: 'waiting', attempt: 1 });
    });

    it('does not touch those that nobody wants connected', async () => {
      for (const { box } of roster.entries) roster.disconnect(box.id);
      fleet.wake();
      await vi.advanceTimersByTimeAsync(1000);
      expect(tries).toEqual([]);
      expect(roster.entries.map(({ link }) => link.kind)).toEqual(['idle', 'idle', 'idle']);
    });
  });
});
