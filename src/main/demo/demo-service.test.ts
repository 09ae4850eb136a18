import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { Fleet } from '../boxes/fleet.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import { openNotices } from '../notices/notices.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { sessionEntries } from '../storage/session-entries.ts';
import { openSettings, type SettingsStore } from '../storage/settings.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { silentLog, TOOLS_FOLDER } from './demo-box.fixture.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { ProviderLinks } from '../teardown/provider-links.ts';
import { Tunnels } from '../tunnels/tunnels.ts';
import { openDemoService, type DemoService } from './demo-service.ts';

let folder: string;
let hub: StreamHub;
let database: Database;
let roster: BoxRoster;
let fleet: Fleet;
let demo: DemoService;
let links: ProviderLinks;
let underWay: Set<string>;
/** Why the evidence cannot be read. */
let unread: Problem | null;
let settings: SettingsStore;
let isDatabaseKept: boolean;
const setAccount = vi.fn(() => ok(null));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-demo-service-'));
  // The demo box makes its home in here, so that the test sees whether there is one.
  vi.stubEnv('TMPDIR', folder);
  [links, underWay, unread] = [new ProviderLinks(), new Set(), null];
  hub = new StreamHub();
  roster = new BoxRoster(hub);
  database = openTemporaryDatabase();
  fleet = new Fleet({
    gatewayAt: () => null,
    isUnderWay: () => ok(false),
    roster,
    boxes: database.boxes,
    hostKeys: sessionHostKeys(),
    forgetUnusedWays: () => undefined,
    proxyPassword: () => ok(null),
    gatherCredentials: () => Promise.reject(new Error('the demo box brings its own')),
    telemetry: new Telemetry({
      hub,
      table: database.history,
      refusals: database.refusals,
      scripts: onboxScripts,
      log: silentLog,
      onProblem: () => undefined,
    }),
    tunnels: new Tunnels({
      hub,
      store: database.tunnels,
      log: silentLog,
      onProblem: () => undefined,
    }),
    log: silentLog,
  });
  settings = (await openSettings(join(folder, 'data'))).store;
  const notices = openNotices(hub);
  isDatabaseKept = true;
  demo = openDemoService({
    hub,
    fleet,
    settings,
    notices,
    entries: sessionEntries(database.entries),
    setAccount,
    ...{ links, isUnderWay: (boxId) => (unread === null ? ok(underWay.has(boxId)) : err(unread)) },
    get isDatabaseKept() {
      return isDatabaseKept;
    },
    ...{ toolsFolder: TOOLS_FOLDER, dataFolder: join(folder, 'data') },
    log: silentLog,
  });
});

afterEach(async () => {
  await demo.dispose();
  fleet.dispose();
  hub.dispose();
  database.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const homes = (): string[] => readdirSync(folder).filter((name) => name !== 'data');

describe('openDemoService', () => {
  it('shows the box in the fleet, and takes it away with everything that belongs to it', async () => {
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    expect(roster.entries[0]?.box).toMatchObject({ name: 'demo', platform: 'demo' });
    expect(homes()).not.toEqual([]);
    await demo.dispose();
    expect(roster.entries).toEqual([]);
    expect(homes()).toEqual([]);
  });

  it('starts nothing once it was told to end, as when the app quits while it opens', async () => {
    hub.addClient(1, () => undefined);
    await demo.dispose();
    demo.start();
    // Waits for whatever was begun.
    await demo.dispose();
    expect(roster.entries).toEqual([]);
    expect(homes()).toEqual([]);
    expect(hub.open(1, 'demo', '')).toMatchObject({ value: { state: { isStarting: true } } });
  });

  /** What a Leasehold that was killed has left. */
  function leaveRental(): { readonly boxId: string; readonly file: string } {
    const [boxId, file] = [randomUUID(), join(folder, 'data', 'demo-provider.json')];
    mkdirSync(join(folder, 'data'), { recursive: true });
    const rented = {
      ...{ boxId, instance: 'demo-9', gpuCount: 2, told: ['act-1'] },
      ...{ address: { host: '127.0.0.1', port: 9, user: 'demo' }, end: { aim: 'gone', atMs: 1 } },
    };
    writeFileSync(file, JSON.stringify(rented));
    return { boxId, file };
  }

  it('goes on with a box that was being ended when the app was killed, and starts no other', async () => {
    const { boxId, file } = leaveRental();
    underWay.add(boxId);
    demo.start();
    await vi.waitFor(() => expect(roster.entries.map(({ box }) => box.id)).toEqual([boxId]));
    expect(homes()).toEqual([]);
    const { signal } = new AbortController();
    const look = () => links.of(boxId)?.link.look('demo-9', signal);
    expect(await look()).toMatchObject({ kind: 'gone' });
    expect(await demo.setFault('reboot', true)).toMatchObject({
      error: { code: 'demo-unavailable' },
    });
    expect(await demo.setFault('provider-silent', true)).toEqual(ok(null));
    await expect(look()).rejects.toThrow(/does not answer/);
    await demo.dispose();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ boxId, told: ['act-1'] });
  });

  it('goes on with a box of which the evidence cannot be read: its end may be under way', async () => {
    const { boxId } = leaveRental();
    unread = problem('database-corrupt', 'The evidence cannot be read.');
    demo.start();
    await vi.waitFor(() => expect(roster.entries.map(({ box }) => box.id)).toEqual([boxId]));
    expect(homes()).toEqual([]);
  });

  it('goes on with a box whose end was begun when the app quit, also where its order was on its way, which writes nothing late', async () => {
    mkdirSync(join(folder, 'data'), { recursive: true });
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    const boxId = roster.entries[0]?.box.id ?? '';
    underWay.add(boxId);
    // As much of a pass as this provider looks at.
    const pass = { act: { id: 'act-1', aim: 'gone' }, take: () => true } as never;
    const provider = links.of(boxId);
    const order = provider?.link.act(provider.instance, pass).catch(String);
    await demo.dispose();
    const file = join(folder, 'data', 'demo-provider.json');
    const left = readFileSync(file, 'utf8');
    expect(JSON.parse(left)).toMatchObject({ boxId, told: [] });
    await order;
    expect(readFileSync(file, 'utf8')).toBe(left);
  });

  it('drops a box whose end may never be confirmed once it is switched off', async () => {
    const { boxId, file } = leaveRental();
    underWay.add(boxId);
    demo.start();
    await vi.waitFor(() => expect(roster.entries.map(({ box }) => box.id)).toEqual([boxId]));
    await settings.change({ demo: { isOn: false } });
    await vi.waitFor(() => expect(existsSync(file)).toBe(false));
    expect(roster.entries).toEqual([]);
    await settings.change({ demo: { isOn: true } });
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    expect(roster.entries[0]?.box.id).not.toBe(boxId);
  });

  it('begins anew once that end is over, and keeps nothing of a box that nobody has ended', async () => {
    const { boxId, file } = leaveRental();
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    const id = roster.entries[0]?.box.id;
    expect(id).not.toBe(boxId);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ boxId: id, told: [] });
    await demo.dispose();
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['is damaged', (text: string) => text.slice(0, -9)],
    ['is of a later version', (text: string) => text.replace('{', '{"later":1,')],
  ])('puts what was kept before aside where it %s', async (_what, spoil) => {
    const { file } = leaveRental();
    const spoilt = spoil(readFileSync(file, 'utf8'));
    writeFileSync(file, spoilt);
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    const [aside] = readdirSync(join(folder, 'data')).filter((name) =>
      /unreadable-.*Z\.json$/.test(name),
    );
    expect(readFileSync(join(folder, 'data', aside ?? ''), 'utf8')).toBe(spoilt);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ told: [] });
  });

  it('leaves what was kept before as it is where it cannot be read', async () => {
    const { file } = leaveRental();
    rmSync(file);
    const away = join(folder, 'data', 'a disk that is away', 'file');
    symlinkSync(away, file);
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    await demo.dispose();
    expect(readlinkSync(file)).toBe(away);
  });

  it('leaves what was kept before as it is in a session that keeps no evidence', async () => {
    const { file } = leaveRental();
    const before = readFileSync(file, 'utf8');
    isDatabaseKept = false;
    demo.start();
    await vi.waitFor(() => expect(roster.entries).toHaveLength(1));
    expect(readFileSync(file, 'utf8')).toBe(before);
    await demo.dispose();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('ends a box that was still starting', async () => {
    demo.start();
    await demo.dispose();
    expect(roster.entries).toEqual([]);
    expect(homes()).toEqual([]);
  });
});
