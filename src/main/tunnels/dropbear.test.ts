import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeTunnel } from '../../shared/tunnels/judge-tunnel.ts';
import { hasDropbear, startDropbear, type TestDropbear } from '../ssh/dropbear.fixture.ts';
import { freePort } from '../ssh/sshd.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { talkInTerminal } from '../ssh/terminal.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import type { BoxTunnels } from './box-tunnels.ts';
import {
  connectTo,
  draft,
  openTunnels,
  readAll,
  rowWhere,
  TestSockets,
} from './tunnels.fixture.ts';

describe.skipIf(!hasDropbear)('tunnels and terminals on dropbear', () => {
  let server: TestDropbear;
  let connection: SshConnection;
  let hub: StreamHub;
  let tunnels: BoxTunnels;
  let sockets: TestSockets;

  async function start(args: readonly string[] = []): Promise<void> {
    server = await startDropbear({ args });
    connection = await connectTo(server.port, server);
    tunnels.useConnection(connection);
  }

  beforeEach(() => {
    hub = new StreamHub();
    sockets = new TestSockets();
    tunnels = openTunnels(hub);
  });
  afterEach(async () => {
    await tunnels.close();
    connection.close();
    await connection.closed;
    await server.stop();
    await sockets.end();
    hub.dispose();
  });

  it('gives terminals too, with size and keys', async () => {
    await start();
    const { text, status } = await talkInTerminal(connection);
    expect(text).toMatch(/33 99/);
    expect(status).toMatchObject({ code: 5 });
  });

  it('carries a question and its answer, half-closed in between', async () => {
    await start();
    const target = await sockets.serve((socket) => {
      let asked = '';
      socket.on('data', (chunk: Buffer) => (asked += chunk.toString()));
      socket.on('end', () => socket.end(`you asked: ${asked}`));
    });
    const listenPort = await freePort();
    const added = tunnels.add(draft({ listenPort, target: { host: '127.0.0.1', port: target } }));
    if (!added.ok) throw new Error(added.error.message);
    await rowWhere(tunnels, added.value, ({ state }) => state.kind === 'listening');
    const client = connect({ port: listenPort, host: '127.0.0.1', allowHalfOpen: true });
    client.end('how are you');
    expect((await readAll(client)).bytes.toString()).toBe('you asked: how are you');
  });

  it('says that forwarding is switched off', async () => {
    await start(['-j', '-k']);
    const target = await sockets.serve((socket) => socket.end('never'));
    const listenPort = await freePort();
    const added = tunnels.add(draft({ listenPort, target: { host: '127.0.0.1', port: target } }));
    if (!added.ok) throw new Error(added.error.message);
    const row = await rowWhere(tunnels, added.value, ({ check }) => check !== null);
    expect(row.check?.outcome).toBe('failed');
    expect(judgeTunnel(row, Date.now())).not.toBe('answered');
    expect(row.check?.problem?.code).toMatch(/^(?:forward|channel|target)-refused$/);
  });
});
