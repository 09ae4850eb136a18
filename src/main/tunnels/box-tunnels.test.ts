import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { judgeTunnel } from '../../shared/tunnels/judge-tunnel.ts';
import type { Tunnel, TunnelDraft } from '../../shared/tunnels/tunnel.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import type { BoxTunnels } from './box-tunnels.ts';
import {
  connectTo,
  draft,
  isListening,
  openTunnels,
  readAll,
  rowWhere,
  TestSockets,
} from './tunnels.fixture.ts';

const BIG = 24 * 1024 * 1024;

describe.skipIf(!hasSshd)('the tunnels of a box with a real sshd', () => {
  let sshd: TestSshd;
  let proxy: TcpProxy;
  let hub: StreamHub;
  let tunnels: BoxTunnels;
  let sockets: TestSockets;
  let connection: SshConnection | null;

  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());
  beforeEach(async () => {
    proxy = await startTcpProxy(sshd.port);
    hub = new StreamHub();
    sockets = new TestSockets();
    connection = null;
    tunnels = openTunnels(hub);
  });
  afterEach(async () => {
    await tunnels.close();
    connection?.close();
    await connection?.closed;
    await sockets.end();
    await proxy.stop();
    hub.dispose();
  });

  async function linkUp(server = sshd, port = proxy.port): Promise<SshConnection> {
    connection = await connectTo(port, server);
    tunnels.useConnection(connection);
    void connection.closed.then(() => tunnels.useConnection(null));
    return connection;
  }

  async function add(more: Partial<TunnelDraft>): Promise<Tunnel> {
    const added = tunnels.add(draft({ listenPort: await freePort(), ...more }));
    if (!added.ok) throw new Error(added.error.message);
    return added.value;
  }

  async function addTo(port: number, more: Partial<TunnelDraft> = {}): Promise<Tunnel> {
    const tunnel = await add({ target: { host: '127.0.0.1', port }, ...more });
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
    return tunnel;
  }

  const echo = (socket: Socket): void => void socket.pipe(socket);

  it('waits for the link, then carries bytes both ways unharmed', async () => {
    const target = await sockets.serve(echo);
    const tunnel = await add({ target: { host: '127.0.0.1', port: target } });
    expect(tunnels.rows[0]?.state).toEqual({ kind: 'waiting' });
    expect(await isListening(tunnel.listenPort)).toBe(false);
    await linkUp();
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
    const sent = randomBytes(BIG);
    const client = await sockets.dial(tunnel.listenPort);
    client.end(sent);
    const { bytes } = await readAll(client);
    expect(hash(bytes)).toBe(hash(sent));
    const row = await rowWhere(tunnels, tunnel, ({ bytesIn }) => bytesIn >= BIG);
    expect(row.bytesOut).toBeGreaterThanOrEqual(BIG);
    await rowWhere(tunnels, tunnel, ({ openConnections }) => openConnections === 0);
  });

  it('passes on a half-close: the answer comes after the question has ended', async () => {
    const target = await sockets.serve((socket) => {
      let asked = '';
      socket.on('data', (chunk: Buffer) => (asked += chunk.toString()));
      socket.on('end', () => socket.end(`you asked: ${asked}`));
    });
    await linkUp();
    const tunnel = await addTo(target);
    const client = await sockets.dial(tunnel.listenPort);
    client.end('how are you');
    expect((await readAll(client)).bytes.toString()).toBe('you asked: how are you');
  });

  it('holds back a flooding target while nobody reads', async () => {
    let written = 0;
    let onWritten = (): void => undefined;
    let newest: Socket | null = null;
    const target = await sockets.serve((socket) => {
      newest = socket;
      written = 0;
      const flood = (): void => {
        for (let isRoom = true; isRoom && !socket.destroyed;) {
          isRoom = socket.write(Buffer.alloc(65_536));
          // Each is counted, also one that has to wait: where the system gives little room to a socket, all of them do. But
          // not what the check after opening got, which is a flood of its own.
          if (socket === newest) written += 65_536;
        }
        onWritten();
      };
      socket.on('drain', flood);
      flood();
    });
    const link = await linkUp();
    const tunnel = await addTo(target);
    await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    const client = await sockets.dial(tunnel.listenPort);
    client.pause();
    await rowWhere(tunnels, tunnel, ({ openConnections }) => openConnections === 1);
    // Until the flood stands still: every buffer on the way is full, and none of them is ours without bound. Whoever has answered
    // a round trip had its turn to hand on what it holds, on a busy machine too.
    for (let [before, still] = [-1, 0]; still < 20; still = written === before ? still + 1 : 0) {
      before = written;
      expect(await link.prove()).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const heldBackAt = written;
    expect(heldBackAt).toBeGreaterThan(0);
    // What the target has written may lie with the system, whose buffers grow by tens of MiB. Ours is what the app has taken in.
    const taken = await rowWhere(tunnels, tunnel, ({ bytesIn }) => bytesIn > 0);
    expect(taken.bytesIn).toBeLessThan(BIG);
    const goesOn = new Promise<void>((resolve) => {
      onWritten = () => {
        if (written > heldBackAt + BIG) resolve();
      };
    });
    client.resume();
    await goesOn;
  });

  it('carries many connections at once', async () => {
    const target = await sockets.serve(echo);
    await linkUp();
    const tunnel = await addTo(target);
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_none, i) => {
        const client = await sockets.dial(tunnel.listenPort);
        client.end(`number ${i}`);
        return (await readAll(client)).bytes.toString();
      }),
    );
    expect(answers).toEqual(answers.map((_answer, i) => `number ${i}`));
  });

  it('resets the client when nothing listens at the target, and says so in the row', async () => {
    const nobody = await freePort();
    await linkUp();
    const tunnel = await addTo(nobody);
    const client = await sockets.dial(tunnel.listenPort);
    expect((await readAll(client)).isReset).toBe(true);
    const row = await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    expect(row.check).toMatchObject({ outcome: 'failed', problem: { code: 'target-refused' } });
    expect(judgeTunnel(row, Date.now())).toBe('no-answer');
  });

  it('takes a reset of either side to the other', async () => {
    const met: Socket[] = [];
    const target = await sockets.serve((socket) => met.push(socket));
    await linkUp();
    const tunnel = await addTo(target);
    await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    met.splice(0);
    const client = await sockets.dial(tunnel.listenPort);
    client.write('x');
    await rowWhere(tunnels, tunnel, ({ bytesOut }) => bytesOut > 0);
    const farEnd = once(met[0]!.resume(), 'end');
    client.resetAndDestroy();
    await farEnd;
    await rowWhere(tunnels, tunnel, ({ openConnections }) => openConnections === 0);
  });

  it('frees its port at once when it is stopped, also with a stalled target', async () => {
    const target = await sockets.serve((socket) => socket.pause());
    await linkUp();
    const tunnel = await addTo(target);
    const client = await sockets.dial(tunnel.listenPort);
    client.write(Buffer.alloc(BIG)); // more than every buffer on the way
    await rowWhere(tunnels, tunnel, ({ bytesOut }) => bytesOut > 0);
    expect(await tunnels.setOn(tunnel.id, false)).toEqual({ ok: true, value: null });
    expect(await isListening(tunnel.listenPort)).toBe(false);
    expect(tunnels.rows[0]?.state).toEqual({ kind: 'stopped' });
    await tunnels.setOn(tunnel.id, true);
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
  });

  it('explains a taken port and offers a free one', async () => {
    const taken = await sockets.serve(() => undefined);
    await linkUp();
    const tunnel = await add({ listenPort: taken });
    const row = await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'port-taken');
    if (row.state.kind !== 'port-taken') throw new Error('not taken');
    expect(row.state.holder?.pid).toBe(process.pid);
    expect(row.state.freePort).toBeGreaterThan(taken);
    await tunnels.change(tunnel.id, draft({ listenPort: row.state.freePort ?? 0 }));
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
  });

  it.runIf(process.platform === 'linux')(
    'listens for this machine alone, unless the person insists',
    async () => {
      const target = await sockets.serve(echo);
      await linkUp();
      const tunnel = await addTo(target);
      const port = tunnel.listenPort;
      // On Linux every address of 127/8 is this machine's; one that was not asked for stands for all the others.
      expect([await isListening(port), await isListening(port, '127.0.0.2')]).toEqual([
        true,
        false,
      ]);
      const exposed = draft({ listenPort: port, target: tunnel.target, isExposed: true });
      expect(await tunnels.change(tunnel.id, exposed)).toMatchObject({ ok: true });
      await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
      expect(await isListening(port, '127.0.0.2')).toBe(true);
    },
  );

  it('lets go of its ports when the link drops and makes itself anew when it is back', async () => {
    const target = await sockets.serve(echo);
    const first = await linkUp();
    const tunnel = await addTo(target);
    const client = await sockets.dial(tunnel.listenPort);
    const cut = readAll(client);
    proxy.cut();
    await first.closed;
    await cut;
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'waiting');
    expect(await isListening(tunnel.listenPort)).toBe(false);
    await linkUp();
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
    const again = await sockets.dial(tunnel.listenPort);
    again.end('back');
    expect((await readAll(again)).bytes.toString()).toBe('back');
  });

  it('is not green while the network is frozen, and says what it asked', async () => {
    const target = await sockets.serve((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    await linkUp();
    const tunnel = await addTo(target, { service: 'http' });
    const answered = await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    expect(answered.check).toMatchObject({ outcome: 'answered', saw: 'HTTP 204 to GET /' });
    expect(judgeTunnel(answered, Date.now())).toBe('answered');
    proxy.freeze(true);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const checked = tunnels.check(tunnel.id);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      expect(tunnels.rows[0]?.check?.outcome).toBe('failed');
    });
    vi.useRealTimers();
    await checked;
    expect(tunnels.rows[0]?.check?.problem?.code).toBe('target-silent');
    expect(judgeTunnel(tunnels.rows[0]!, Date.now())).toBe('no-answer');
    proxy.freeze(false);
  });

  it('claims no answer from a target that takes the connection and is silent', async () => {
    const target = await sockets.serve(() => undefined);
    await linkUp();
    const tunnel = await addTo(target);
    const row = await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    expect(row.check).toMatchObject({ outcome: 'accepted', problem: null });
    expect(row.answeredAtMs).toBeNull();
    expect(judgeTunnel(row, Date.now())).toBe('silent');
  });

  it('serves SOCKS, names included, and asks the box through it', async () => {
    const target = await sockets.serve((socket) => socket.end('far end'));
    await linkUp();
    const tunnel = await add({ kind: 'dynamic', target: null });
    const row = await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
    expect(row.check?.outcome).toBe('answered');
    const client = await sockets.dial(tunnel.listenPort);
    const name = Buffer.from('localhost');
    client.write(Buffer.from([5, 1, 0]));
    client.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, portBytes(target)]));
    const { bytes } = await readAll(client);
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([5, 0]));
    expect(bytes.subarray(2, 4)).toEqual(Buffer.from([5, 0]));
    expect(bytes.subarray(12).toString()).toBe('far end');
  });

  it('opens a port on the box that leads here, and gives it back', async () => {
    const here = await sockets.serve(echo);
    await linkUp();
    const boxPort = await freePort();
    const tunnel = await add({
      kind: 'remote',
      service: 'tcp',
      listenPort: boxPort,
      target: { host: '127.0.0.1', port: here },
    });
    await rowWhere(tunnels, tunnel, ({ state }) => state.kind === 'listening');
    const client = await sockets.dial(boxPort); // the box is this machine
    client.end('from the box');
    expect((await readAll(client)).bytes.toString()).toBe('from the box');
    await tunnels.remove(tunnel.id);
    expect(await isListening(boxPort)).toBe(false);
    expect(tunnels.rows).toEqual([]);
  });

  it('says that the box forbids forwarding', async () => {
    const strict = await startSshd({ configLines: ['AllowTcpForwarding no'] });
    try {
      await linkUp(strict, strict.port);
      const tunnel = await addTo(await sockets.serve(echo));
      const row = await rowWhere(tunnels, tunnel, ({ check }) => check !== null);
      expect(row.check?.problem?.code).toBe('forward-refused');
      expect(judgeTunnel(row, Date.now())).toBe('refused');
      const remote = await add({ kind: 'remote', listenPort: await freePort() });
      const refused = await rowWhere(tunnels, remote, ({ state }) => state.kind === 'failed');
      expect(refused.state).toMatchObject({ problem: { code: 'box-port-refused' } });
    } finally {
      connection?.close();
      await connection?.closed;
      await strict.stop();
    }
  });
});

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}
