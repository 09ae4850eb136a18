import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import type { Proxy, Route } from '../../shared/boxes/route.ts';
import { DIRECT, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { proxyPasswordName } from '../secrets/proxy-passwords.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { readHostKey } from './host-key.ts';
import { jumpHostsOf } from './jump-way.ts';
import { openLoginBench } from './login.fixture.ts';
import { passwordName, passwordOwner } from './secret-names.ts';
import { forgetUnusedWays } from './unused-ways.ts';

const KEY = readHostKey(Buffer.from('0000000b7373682d65643235353139', 'hex'));

function boxOver(route: Route): Box {
  return {
    ...USUAL_WAY,
    id: `box over ${JSON.stringify(route)}`,
    name: 'train-a',
    platform: 'generic-ssh',
    address: { host: '10.0.0.4', port: 22, user: 'me' },
    route,
    tags: [],
    addedAtMs: 0,
  };
}

const jumpOver = (host: string, user: string): Route => ({
  kind: 'jumps',
  hops: [{ address: { host, port: 22, user }, identityFile: null }],
});
const proxyAt = (host: string): Proxy => ({ protocol: 'http', host, port: 8080, user: 'me' });
const passwordFor = (box: Box): string =>
  jumpHostsOf(box).map(passwordOwner).map(passwordName).join();

describe('forgetUnusedWays', () => {
  let database: Database;
  let bench: Awaited<ReturnType<typeof openLoginBench>>;
  let problems: Problem[];

  beforeEach(async () => {
    database = openTemporaryDatabase();
    bench = await openLoginBench();
    problems = [];
  });
  afterEach(async () => {
    await bench.close();
    database.close();
  });

  const forget = (boxes: readonly Box[], keepHopKeys = database.hostKeys.keepHops) =>
    forgetUnusedWays(boxes, {
      keepHopKeys,
      persons: bench.persons,
      secrets: bench.secrets,
      onProblem: (found) => problems.push(found),
    });

  it('keeps what some box still needs, and forgets keys and passwords of everybody else', async () => {
    const [stays, other] = [boxOver(jumpOver('gate', 'me')), boxOver(jumpOver('gate', 'you'))];
    const gone = boxOver(jumpOver('old-gate', 'me'));
    const proxied = boxOver({ kind: 'proxy', proxy: proxyAt('Proxy.example') });
    const kept = [
      passwordFor(stays),
      proxyPasswordName(proxyAt('proxy.example')),
      passwordName(stays.id.slice(0, 3)),
      'passphrase:id_ed25519:0a',
    ];
    const unused = [passwordFor(other), passwordFor(gone), proxyPasswordName(proxyAt('old'))];
    for (const name of [...kept, ...unused]) {
      expect(await bench.secrets.set(name, 'hunter2')).toMatchObject({ ok: true });
    }
    const trust = { address: { host: 'gate', port: 22 }, by: 'confirmed', where: null } as const;
    for (const id of ['hop:gate:22', 'hop:old-gate:22', 'a-box']) {
      database.hostKeys.store(id, KEY, 1, trust);
    }

    await forget([stays, proxied]);
    expect(problems).toEqual([]);
    expect([...bench.secrets.names()].sort()).toEqual(kept.sort());
    expect(database.hostKeys.current('hop:gate:22')).toMatchObject({ value: { storedAtMs: 1 } });
    expect(database.hostKeys.current('a-box')).toMatchObject({ value: { storedAtMs: 1 } });
    expect(database.hostKeys.current('hop:old-gate:22')).toEqual(ok(null));
  });

  it('forgets the way that an edited box does not take any more', async () => {
    const before = boxOver(jumpOver('gate', 'me'));
    await bench.secrets.set(passwordFor(before), 'hunter2');
    await forget([before]);
    expect(bench.secrets.names()).toHaveLength(1);
    await forget([{ ...before, route: DIRECT }]);
    expect(bench.secrets.names()).toEqual([]);
  });

  it('says what could not be forgotten, and forgets the rest', async () => {
    await bench.secrets.set(passwordFor(boxOver(jumpOver('gate', 'me'))), 'hunter2');
    const failure = problem('database-unavailable', 'The keys were not forgotten.');
    await forget([], () => err(failure));
    expect(problems).toEqual([failure]);
    expect(bench.secrets.names()).toEqual([]);
  });
});
