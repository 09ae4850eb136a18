import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { DIRECT, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { silentLog, startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import { watchStates } from '../ssh/link-states.fixture.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { Telemetry } from '../telemetry/telemetry.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { SESSION_STORE } from '../tunnels/tunnel-store.ts';
import { Tunnels } from '../tunnels/tunnels.ts';
import { draft, isListening, rowWhere } from '../tunnels/tunnels.fixture.ts';
import { FlavourWatch } from './flavour-watch.ts';
import { openBoxSession, type BoxSession } from './box-session.ts';

describe.skipIf(process.platform === 'win32').each([
  { way: 'straight', isJump: false },
  { way: 'over a jump host', isJump: true },
])('a box whose link is lost, reached $way', ({ isJump }) => {
  let demo: DemoBox;
  let gate: TestSshd | null;
  /** In front of what is dialled first. */
  let network: TcpProxy;
  let hub: StreamHub;
  let database: Database;
  let telemetry: Telemetry;
  let tunnels: Tunnels;
  let session: BoxSession;
  let states: ReturnType<typeof watchStates>;
  let onReading: () => void;

  beforeEach(async ({ skip }) => {
    skip(isJump && !hasSshd, 'sshd is not installed');
    demo = await startTestBox();
    gate = isJump ? await startSshd() : null;
    network = await startTcpProxy(gate?.port ?? demo.address.port);
    hub = new StreamHub();
    database = openTemporaryDatabase();
    const onProblem = (found: Problem): void => {
      throw new Error(found.message);
    };
    telemetry = new Telemetry({
      hub,
      table: database.history,
      refusals: database.refusals,
      scripts: onboxScripts,
      log: silentLog,
      onProblem,
    });
    telemetry.readings.follow(() => onReading());
    tunnels = new Tunnels({
      hub,
      store: SESSION_STORE,
      log: silentLog,
      onProblem,
    });
    states = watchStates();
    onReading = () => undefined;
    const address = gate === null ? { ...demo.address, port: network.port } : demo.address;
    const hop = { host: '127.0.0.1', port: network.port, user: gate?.user ?? '' };
    const hostKeys = sessionHostKeys();
    hostKeys.store('b1', demo.hostKey, 1, { address, by: 'built-in', where: null });
    const box: Box = {
      ...USUAL_WAY,
      id: 'b1',
      name: 'train-a',
      platform: 'demo',
      address,
      route:
        gate === null ? DIRECT : { kind: 'jumps', hops: [{ address: hop, identityFile: null }] },
      tags: [],
      addedAtMs: 0,
    };
    const onChange = ({ link }: Partial<FleetEntry>): void => {
      if (link !== undefined) states.onChange(link);
      if (link?.kind === 'host-key-unknown' && link.jumpHost !== null) {
        const { fingerprint } = link.offered;
        queueMicrotask(() => session.link.trustHostKey(fingerprint));
      }
    };
    session = openBoxSession({
      box,
      telemetry: telemetry.follow({ boxId: 'b1', log: silentLog, onChange }),
      flavour: new FlavourWatch({
        host: address.host,
        gatewayAt: () => null,
        tunnelTargets: () => [],
        log: silentLog,
        onState: () => undefined,
      }),
      tunnels: tunnels.follow('b1', { isStored: false }),
      log: silentLog,
      hostKeys,
      proxyPassword: () => ok(null),
      gatherCredentials: ({ id }) => {
        const privateKey = id === 'b1' ? demo.clientKey : (gate?.privateKey ?? '');
        return Promise.resolve(ok([{ kind: 'key', privateKey }]));
      },
      onChange,
    });
    const up = states.next('up');
    session.link.connect();
    await up;
  });
  afterEach(async () => {
    vi.useRealTimers();
    session.close();
    await tunnels.settled();
    telemetry.close();
    database.close();
    hub.dispose();
    await network.stop();
    await gate?.stop();
    await demo.stop();
  });

  const nextReading = (): Promise<void> => new Promise((resolve) => (onReading = resolve));

  /** Loses the link, and waits until it is up again. */
  const LOSSES: readonly [string, () => Promise<void>][] = [
    [
      'cut',
      async () => {
        const back = states.next('up');
        network.cut();
        await back;
      },
    ],
    [
      'half open, as after sleep',
      async () => {
        const back = states.next('up');
        network.freeze(true);
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        session.link.wake();
        await vi.advanceTimersByTimeAsync(5000);
        vi.useRealTimers();
        network.freeze(false);
        await back;
      },
    ],
  ];

  it.each(LOSSES)('goes on reading and tunnelling by itself: %s', async (_how, loseAndRegain) => {
    const found = tunnels.of('b1');
    if (!found.ok) throw new Error(found.error.message);
    const listenPort = await freePort();
    const target = { host: '127.0.0.1', port: 6006 };
    const added = found.value.add(draft({ service: 'http', listenPort, target }));
    if (!added.ok) throw new Error(added.error.message);
    const isProven = async (): Promise<number> => {
      await rowWhere(found.value, added.value, ({ state }) => state.kind === 'listening');
      expect(await found.value.check(added.value.id)).toEqual(ok(null));
      const row = found.value.find(added.value.id);
      return row.ok ? (row.value.answeredAtMs ?? 0) : 0;
    };
    await nextReading();
    const before = await isProven();
    expect(before).toBeGreaterThan(0);
    const old = session.link.connection;

    await loseAndRegain();
    expect(session.link.connection).not.toBe(old);
    expect(old?.isGone()).toBe(true);
    await nextReading();
    expect(await isProven()).toBeGreaterThan(before);

    session.link.disconnect();
    await rowWhere(found.value, added.value, ({ state }) => state.kind !== 'listening');
    expect(await isListening(listenPort)).toBe(false);
  });
});
