import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigListing, ConfigState } from '../../shared/boxes/ssh-config/config-listing.ts';
import { ok } from '../../shared/result.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { Fleet } from '../boxes/fleet.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import type { Log } from '../log/log.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { Tunnels } from '../tunnels/tunnels.ts';
import { openSshConfig, type SshConfigService } from './ssh-config-service.ts';

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  fatal: () => undefined,
  child: () => silent,
};

let home: string;
let hub: StreamHub;
let database: Database;
let roster: BoxRoster;
let fleet: Fleet;
let isEnding: boolean;
let service: SshConfigService;

const file = (name: string): string => join(home, '.ssh', name);

/** As an editor does it: beside, then in place. */
function write(name: string, text: string): void {
  writeFileSync(`${file(name)}~`, text);
  renameSync(`${file(name)}~`, file(name));
}

function openService(): SshConfigService {
  return openSshConfig({
    hub,
    roster,
    fleet,
    places: { home, roots: [file('config'), join(home, 'no-such-system-config')] },
    local: { name: 'me', home },
    log: silent,
  });
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'leasehold-config-'));
  mkdirSync(join(home, '.ssh', 'config.d'), { recursive: true });
  hub = new StreamHub();
  roster = new BoxRoster(hub);
  hub.addClient(1, () => undefined);
  database = openTemporaryDatabase();
  isEnding = false;
  fleet = new Fleet({
    gatewayAt: () => null,
    isUnderWay: () => ok(isEnding),
    roster,
    boxes: database.boxes,
    hostKeys: sessionHostKeys(),
    forgetUnusedWays: () => undefined,
    proxyPassword: () => ok(null),
    gatherCredentials: () => Promise.reject(new Error('nothing connects here')),
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
  });
  service = openService();
});
afterEach(() => {
  service.close();
  fleet.dispose();
  hub.dispose();
  database.close();
  rmSync(home, { recursive: true, force: true });
});

function state(): ConfigState {
  const opened = hub.open(1, 'ssh-config', '');
  if (!opened.ok) throw new Error('no stream');
  return opened.value.state as ConfigState;
}

const seen = ({ hosts }: ConfigListing) =>
  hosts.map(({ name, digest }) => ({ host: name, digest: digest ?? '' }));
const ports = () => roster.entries.map(({ box }) => [box.name, box.address.port]);

describe('the SSH config of this machine', () => {
  it('is empty where there is none', async () => {
    expect(await service.read()).toEqual({ files: [], hosts: [], notes: [] });
  });

  it('is read with what it includes, by name, home and pattern', async () => {
    write('config', 'Include config.d/*.conf ~/.ssh/by-home\nInclude missing/*\nHost last\n');
    write('by-home', 'Host home\n');
    write('config.d/b.conf', 'Host b\n');
    write('config.d/a.conf', 'Host a\n  Frobnicate\n');
    write('config.d/.hidden.conf', 'Host hidden\n');
    write('config.d/c.txt', 'Host text\n');
    const { hosts, files, notes } = await service.read();
    expect(hosts.map(({ name }) => name)).toEqual(['a', 'b', 'home', 'last']);
    expect(files).toHaveLength(4);
    expect(notes).toMatchObject([{ place: { file: file('config.d/a.conf'), line: 2 } }]);
  });

  it('says what could not be read, and goes on', async () => {
    write('config', 'Include config.d loop big\nHost a\n');
    symlinkSync(file('loop'), file('loop'));
    write('big', `#${'x'.repeat(2 * 1024 * 1024)}\nHost big\n`);
    const { hosts, notes } = await service.read();
    expect(hosts.map(({ name }) => name)).toEqual(['a']);
    expect(notes.map(({ because }) => because)).toEqual([
      'not read: this is no file',
      'not read: ELOOP',
      'not read: the file is too large',
    ]);
  });

  it('adds what the person chose, and nothing that changed under their eyes', async () => {
    write('config', 'Host a\n Port 1\nHost b\n Port 2\nHost c\n User -x\n');
    const listing = await service.read();
    write('config', 'Host a\n Port 1\nHost b\n Port 3\nHost c\n User -x\n');
    const outcome = await service.importHosts([...seen(listing), { host: 'gone', digest: 'x' }]);
    expect(ports()).toEqual([['a', 1]]);
    expect(outcome.added).toEqual([roster.entries[0]?.box.id]);
    expect(outcome.refused.map(({ host }) => host)).toEqual(['b', 'c', 'gone']);
    expect(await service.importHosts(seen(listing).slice(0, 1))).toMatchObject({
      added: [],
      refused: [{ because: expect.stringContaining('already there') }],
    });
  });

  it('offers what changes on disk, and changes nothing by itself', async () => {
    write('config', 'Host a\n Port 1\n');
    await service.importHosts(seen(await service.read()));
    write('config', 'Host a\n Port 7\n');
    await expect
      .poll(() => state().changes)
      .toMatchObject([{ host: 'a', connection: { address: { port: 7 } } }]);
    expect(state().revision).toBeGreaterThan(0);
    expect(ports()).toEqual([['a', 1]]);

    const [change] = state().changes;
    const { boxId = '', digest = '' } = change ?? {};
    write('config', 'Host a\n Port 8\n');
    expect(await service.apply(boxId, digest)).toMatchObject({ error: { code: 'config-changed' } });
    expect(ports()).toEqual([['a', 1]]);
    const now = state().changes[0]?.digest ?? '';
    expect(await service.apply(boxId, now)).toMatchObject({ ok: true });
    expect(ports()).toEqual([['a', 8]]);
    expect(state().changes).toEqual([]);
  });

  it('takes no other way over for a box that is being ended, and offers it still', async () => {
    write('config', 'Host a\n Port 1\n');
    await service.importHosts(seen(await service.read()));
    write('config', 'Host a\n Port 2\n');
    await service.read();
    const [{ boxId, digest } = { boxId: '', digest: '' }] = state().changes;
    isEnding = true;
    expect(await service.apply(boxId, digest)).toMatchObject({
      error: { code: 'teardown-refused' },
    });
    expect(ports()).toEqual([['a', 1]]);
    expect(state().changes).toMatchObject([{ boxId }]);
    isEnding = false;
    expect(await service.apply(boxId, digest)).toMatchObject({ ok: true });
  });

  it('does not offer again what was declined, not even after a restart', async () => {
    write('config', 'Host a\n Port 1\n');
    await service.importHosts(seen(await service.read()));
    write('config', 'Host a\n Port 2\n');
    await service.read();
    const [{ boxId, digest } = { boxId: '', digest: '' }] = state().changes;
    expect(await service.decline(boxId, digest)).toMatchObject({ ok: true });
    expect(ports()).toEqual([['a', 1]]);
    await service.read();
    expect(state().changes).toEqual([]);
    write('config', 'Host a\n Port 3\n');
    await service.read();
    expect(state().changes).toMatchObject([{ connection: { address: { port: 3 } } }]);
  });

  it('offers nothing of a ForwardAgent that once was noted with the box', async () => {
    write('config', 'Host a\n Port 1\n ForwardAgent yes\n');
    const listing = await service.read();
    await service.importHosts(seen(listing));
    const [host] = listing.hosts;
    const [entry] = roster.entries;
    if (host === undefined || host.connection === null || entry === undefined)
      throw new Error('nothing was imported');
    const { connection } = host;
    // As it was noted before migration 5. The port is the person's own change since.
    const noted = { ...connection, login: { ...connection.login, forwardAgent: true } };
    const configDigest = createHash('sha256').update(JSON.stringify(noted)).digest('hex');
    const { address, options } = connection;
    const edited = fleet.edit(entry.box.id, {
      ...connection,
      address: { ...address, port: 9 },
      options: { ...options, configDigest: configDigest.slice(0, 32) },
    });
    expect(edited).toMatchObject({ ok: true });
    await service.read();
    expect(state().changes).toEqual([]);
    write('config', 'Host a\n Port 2\n ForwardAgent yes\n');
    await service.read();
    expect(state().changes).toMatchObject([{ connection: { address: { port: 2 } } }]);
  });

  it('offers nothing that would change nothing', async () => {
    write('config', 'Host a\n Port 1\n');
    await service.importHosts(seen(await service.read()));
    const [entry] = roster.entries;
    if (entry === undefined) throw new Error('nothing was imported');
    const { address, route, login, options } = entry.box;
    const lent = { ...login, forwardAgent: true };
    // What an older Leasehold noted, in a form of its own; the agent was lent by hand since.
    const noted = { ...options, configDigest: '0'.repeat(32) };
    expect(fleet.edit(entry.box.id, { address, route, login: lent, options: noted }).ok).toBe(true);
    await service.read();
    expect(state().changes).toEqual([]);
    write('config', 'Host a\n Port 2\n');
    await service.read();
    expect(state().changes).toMatchObject([{ connection: { address: { port: 2 } } }]);
  });

  it('leaves a box alone whose entry is gone or cannot be used any more', async () => {
    write('config', 'Host a\n Port 1\nHost b\n Port 2\n');
    await service.importHosts(seen(await service.read()));
    write('config', 'Host b\n User "x y"\n');
    await service.read();
    expect(state().changes).toEqual([]);
    expect(ports()).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});
