import { once } from 'node:events';
import { createServer, connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planShownBy } from '../../shared/boxes/host-key.fixture.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import type { Box } from '../../shared/boxes/box.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { DIRECT, USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { sessionHostKeys } from '../known-hosts/session-host-keys.ts';
import type { HostKeyStore } from './host-key-store.ts';
import type { Trust } from './host-key.ts';
import { Link, type LinkOptions } from './link.ts';
import { watchStates } from './link-states.fixture.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;

const TRUST: Trust = {
  address: { host: '127.0.0.1', port: 22 },
  by: 'confirmed',
  where: null,
};

describe.skipIf(!hasSshd)('Link', () => {
  let sshd: TestSshd;
  let link: Link;
  const shown = (): PlanRef => planShownBy(link.state);
  let linkOptions: LinkOptions;
  let states: ReturnType<typeof watchStates>;
  let received: number;
  let hostKeys: HostKeyStore;
  const currentKey = () => {
    const current = hostKeys.current('b1');
    return current.ok ? current.value : current.error;
  };

  function linkTo(
    port: number,
    privateKeyOf: (machineId: string) => string = () => sshd.privateKey,
    route: Route = DIRECT,
  ): Link {
    const box: Box = {
      id: 'b1',
      name: 'train-a',
      platform: 'generic-ssh',
      address: { host: '127.0.0.1', port, user: sshd.user },
      ...USUAL_WAY,
      route,
      tags: [],
      addedAtMs: 0,
    };
    linkOptions = {
      box,
      hostKeys,
      proxyPassword: () => ok(null),
      log: silent,
      gatherCredentials: ({ id }) =>
        Promise.resolve(ok([{ kind: 'key', privateKey: privateKeyOf(id) }])),
      onReceived: (bytes) => (received += bytes),
      onChange: states.onChange,
    };
    return new Link(linkOptions);
  }

  beforeEach(async () => {
    sshd = await startSshd();
    received = 0;
    states = watchStates();
    hostKeys = sessionHostKeys();
    link = linkTo(sshd.port);
  });
  afterEach(async () => {
    link.disconnect();
    await sshd.stop();
  });

  async function trustAndConnect(): Promise<void> {
    const asked = states.next('host-key-unknown');
    link.connect();
    const { offered } = await asked;
    const up = states.next('up');
    expect(link.trustHostKey(offered.fingerprint)).toEqual(ok(null));
    await up;
  }

  it('asks about an unknown host key, and connects only after the person said yes', async () => {
    const asked = states.next('host-key-unknown');
    link.connect();
    expect((await asked).offered).toMatchObject({
      type: 'ssh-ed25519',
      fingerprint: sshd.fingerprint,
    });
    expect(link.connection).toBeNull();
    expect(currentKey()).toBeNull();
    expect(states.seen.map(({ kind }) => kind)).not.toContain('up');

    const up = states.next('up');
    expect(link.trustHostKey('SHA256:something-else')).toMatchObject({ ok: false });
    expect(link.trustHostKey(sshd.fingerprint)).toEqual(ok(null));
    await up;
    expect(link.connection).not.toBeNull();
    expect(currentKey()).toMatchObject({ fingerprint: sshd.fingerprint });
  });

  it('logs in once where it is asked to connect twice, also once it is up', async () => {
    await trustAndConnect();
    link.disconnect();
    const before = states.seen.length;
    const up = states.next('up');
    link.connect();
    link.connect();
    await up;
    const { connection } = link;
    link.connect();
    expect(link.connection).toBe(connection);
    const since = states.seen.slice(before).map(({ kind }) => kind);
    expect(since.filter((kind) => kind === 'connecting')).toHaveLength(1);
  });

  it('does not accept a yes when nothing was asked', () => {
    expect(link.trustHostKey(sshd.fingerprint)).toMatchObject({ ok: false });
    expect(currentKey()).toBeNull();
  });

  it('refuses a changed host key, shows both, and stays away (T6)', async () => {
    const other = { type: 'ssh-ed25519', fingerprint: 'SHA256:old', publicKey: 'b2xk' };
    hostKeys.store('b1', other, 1234, TRUST);
    const changed = states.next('host-key-changed');
    link.connect();
    expect(await changed).toMatchObject({
      offered: { type: 'ssh-ed25519', fingerprint: sshd.fingerprint },
      expected: {
        type: 'ssh-ed25519',
        fingerprint: 'SHA256:old',
        storedAtMs: 1234,
        lastSeenMs: null,
        place: null,
      },
      offeredPlace: null,
      jumpHost: null,
    });
    expect(link.trustHostKey(sshd.fingerprint)).toMatchObject({ ok: false });
    expect(currentKey()).toMatchObject({ fingerprint: 'SHA256:old' });
    expect(states.seen.at(-1)?.kind).toBe('host-key-changed');
  });

  it('takes the name that the box has now for the confirmation of its new key', async () => {
    const other = { type: 'ssh-ed25519', fingerprint: 'SHA256:old', publicKey: 'b2xk' };
    hostKeys.store('b1', other, 1234, TRUST);
    const changed = states.next('host-key-changed');
    link.connect();
    await changed;
    link.describe({ ...linkOptions.box, name: 'sweep-2' });
    expect(await link.replaceHostKey(shown(), 'train-a')).toMatchObject({
      error: { message: expect.stringContaining('neither the name of sweep-2') },
    });
    const up = states.next('up');
    expect(await link.replaceHostKey(shown(), 'sweep-2')).toEqual(ok(null));
    await up;
  });

  it('does not connect while the stored key cannot be read: unknown is not "never trusted"', async () => {
    hostKeys = {
      ...hostKeys,
      current: () => err(problem('database-unavailable', 'The host key is unreadable.')),
    };
    link = linkTo(sshd.port);
    const first = Promise.race([states.next('waiting'), states.next('host-key-unknown')]);
    link.connect();
    expect(await first).toMatchObject({
      kind: 'waiting',
      problem: { code: 'database-unavailable' },
    });
  });

  it('asks about the machine at its new place once the box has moved', async () => {
    const asked: string[] = [];
    hostKeys = {
      ...hostKeys,
      knownElsewhere: ({ address }) => {
        asked.push(address.host);
        return Promise.resolve({ lines: [], problems: [] });
      },
    };
    link = linkTo(sshd.port);
    const here = states.next('host-key-unknown');
    link.connect();
    await here;
    const there = states.next('host-key-unknown');
    const { box } = linkOptions;
    link.moveTo({ ...box, address: { ...box.address, host: 'localhost' } });
    await there;
    expect(asked).toEqual(['127.0.0.1', 'localhost']);
  });

  it('does not try again by itself when the login is refused', async () => {
    const other = await startSshd();
    link = linkTo(sshd.port, () => other.privateKey);
    await other.stop();
    const asked = states.next('host-key-unknown');
    link.connect();
    const { offered } = await asked;
    const down = states.next('down');
    link.trustHostKey(offered.fingerprint);
    expect((await down).problem.code).toBe('auth-refused');
    expect(states.seen.at(-1)?.kind).toBe('down');
  });

  it('says when it tries again after a loss, and comes back by itself (GEN8)', async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer((near) => {
      const far = connectTcp(sshd.port, '127.0.0.1');
      sockets.add(near);
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    link = linkTo((proxy.address() as AddressInfo).port);
    await trustAndConnect();

    const waiting = states.next('waiting');
    const back = states.next('up');
    for (const socket of sockets) socket.destroy();
    const wait = await waiting;
    expect(wait).toMatchObject({ attempt: 1, problem: { code: 'link-lost' } });
    expect(wait.retryAtMs).toBeGreaterThan(Date.now() - 1);
    expect(link.connection).toBeNull();
    await back;
    link.disconnect();
    proxy.close();
    await once(proxy, 'close');
  });

  it('opens no second connection to a server with another key than the one that is trusted', async () => {
    await trustAndConnect();
    const trusted = hostKeys.current('b1');
    if (!trusted.ok || trusted.value === null) throw new Error('no key is trusted');
    const other = { ...trusted.value, publicKey: 'b2xk' };
    hostKeys.store('b1', other, Date.now(), TRUST);
    const credentials = [{ kind: 'key', privateKey: sshd.privateKey }] as const;
    const beside = await link.openBeside(credentials, new AbortController().signal);
    expect(beside.ok).toBe(false);
    expect(link.state.kind).toBe('up');
  });

  it('asks about each machine on the way by its name, and stores each key where it belongs', async () => {
    const gate = await startSshd();
    const hops = [
      { address: { host: '127.0.0.1', port: gate.port, user: gate.user }, identityFile: null },
    ];
    const keys: Record<string, string> = {
      b1: sshd.privateKey,
      [`hop:127.0.0.1:${gate.port}`]: gate.privateKey,
    };
    link = linkTo(sshd.port, (id) => keys[id] ?? '', { kind: 'jumps', hops });
    const atGate = states.next('host-key-unknown');
    link.connect();
    expect(await atGate).toMatchObject({
      offered: { fingerprint: gate.fingerprint },
      jumpHost: { address: { port: gate.port }, position: 1, count: 1 },
    });
    const atBox = states.next('host-key-unknown');
    expect(link.trustHostKey(gate.fingerprint)).toEqual(ok(null));
    expect(await atBox).toMatchObject({
      offered: { fingerprint: sshd.fingerprint },
      jumpHost: null,
    });
    const up = states.next('up');
    link.trustHostKey(sshd.fingerprint);
    expect(await up).toMatchObject({ latencyMs: null });
    expect(hostKeys.current(`hop:127.0.0.1:${gate.port}`)).toMatchObject({
      value: { fingerprint: gate.fingerprint },
    });
    expect(currentKey()).toMatchObject({ fingerprint: sshd.fingerprint });
    // A second connection to the box takes the same way, and no new key on it is a question.
    const beside = await link.openBeside(
      [{ kind: 'key', privateKey: sshd.privateKey }],
      new AbortController().signal,
    );
    expect(beside).toMatchObject({ ok: true, value: { latencyMs: null } });
    // Bytes of the box are counted on both connections, and once each: what the jump host sends is not the box's.
    for (const connection of [link.connection, beside.ok ? beside.value : null]) {
      const before = received;
      expect(await connection?.run('head -c 300000 /dev/zero')).toMatchObject({ ok: true });
      expect(received - before).toBeGreaterThan(300_000);
      expect(received - before).toBeLessThan(450_000);
    }
    if (beside.ok) beside.value.close();
    // A jump host that was re-created gets its new identity by its own name; the box keeps its own.
    link.disconnect();
    const { port } = gate;
    await gate.stop();
    const anew = await startSshd({ port });
    keys[`hop:127.0.0.1:${port}`] = anew.privateKey;
    const changed = states.next('host-key-changed');
    link.connect();
    expect(await changed).toMatchObject({ jumpHost: { address: { port } } });
    expect(await link.replaceHostKey(shown(), 'train-a')).toMatchObject({ ok: false });
    const again = states.next('up');
    expect(await link.replaceHostKey(shown(), '127.0.0.1')).toEqual(ok(null));
    await again;
    expect(currentKey()).toMatchObject({ fingerprint: sshd.fingerprint });
    const identity = await link.identity();
    if (!identity.ok) throw new Error(identity.error.message);
    expect(identity.value.keys).toMatchObject([{ fingerprint: sshd.fingerprint, untilMs: null }]);
    expect(identity.value.jumpHosts).toMatchObject([
      {
        address: { host: '127.0.0.1', port },
        keys: [
          { fingerprint: anew.fingerprint, trustedBy: 'new-machine-name', untilMs: null },
          { fingerprint: gate.fingerprint, replacedBecause: 'new-machine' },
        ],
      },
    ]);
    link.disconnect();
    await anew.stop();
  });

  it('goes to the new place when the box is edited, and only if it was wanted', async () => {
    await trustAndConnect();
    const { box } = linkOptions;
    const elsewhere = { ...box, address: { ...box.address, port: await freePort() } };
    const waiting = states.next('waiting');
    link.moveTo(elsewhere);
    expect((await waiting).problem.code).toBe('unreachable');
    link.disconnect();
    link.moveTo(box);
    expect(link.state).toEqual({ kind: 'idle' });
  });

  it('counts its tries while nothing answers, and stops when told', async () => {
    await sshd.stop();
    const first = states.next('waiting');
    link.connect();
    expect(await first).toMatchObject({ attempt: 1, problem: { code: 'unreachable' } });
    const second = states.next('waiting');
    link.connect(); // "Retry now"
    expect(await second).toMatchObject({ attempt: 1 });
    const third = states.next('waiting');
    expect(await third).toMatchObject({ attempt: 2 });
    link.disconnect();
    expect(link.state).toEqual({ kind: 'idle' });
  });
});
