import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../shared/result.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import { Fleet } from '../boxes/fleet.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import { openNotices } from '../notices/notices.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { sessionEntries } from '../storage/session-entries.ts';
import { openSettings } from '../storage/settings.ts';
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
const setAccount = vi.fn(() => ok(null));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-demo-service-'));
  // The demo box makes its home in here, so that the test sees whether there is one.
  vi.stubEnv('TMPDIR', folder);
  hub = new StreamHub();
  roster = new BoxRoster(hub);
  database = openTemporaryDatabase();
  fleet = new Fleet({
    gatewayAt: () => null,
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
  const { store: settings } = await openSettings(join(folder, 'data'));
  const notices = openNotices(hub);
  demo = openDemoService({
    hub,
    fleet,
    settings,
    notices,
    entries: sessionEntries(database.entries),
    setAccount,
    links: new ProviderLinks(),
    toolsFolder: TOOLS_FOLDER,
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

  it('ends a box that was still starting', async () => {
    demo.start();
    await demo.dispose();
    expect(roster.entries).toEqual([]);
    expect(homes()).toEqual([]);
  });
});
