import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { judgeTunnel } from '../../shared/tunnels/judge-tunnel.ts';
import { freePort } from '../ssh/sshd.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { talkInTerminal } from '../ssh/terminal.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { BoxTunnels } from './box-tunnels.ts';
import { SESSION_STORE } from './tunnel-store.ts';
import {
  connectTo,
  draft,
  isListening,
  readAll,
  rowWhere,
  TestSockets,
} from './tunnels.fixture.ts';

// A real server: only a hang should end a test, not a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const DROPBEAR = '/usr/sbin/dropbear';

// Only root may make a mount namespace, and without one the test would write into the home of whoever runs it.
const cannotRun = !existsSync(DROPBEAR) || process.platform !== 'linux' || process.getuid?.() !== 0;

describe.skipIf(cannotRun)('tunnels and terminals on dropbear', () => {
  let folder: string;
  let server: ChildProcess;
  let connection: SshConnection;
  let hub: StreamHub;
  let tunnels: BoxTunnels;
  let sockets: TestSockets;

  async function start(more: readonly string[] = []): Promise<void> {
    const key = join(folder, 'client');
    const hostKey = join(folder, 'host');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    execFileSync('dropbearkey', ['-t', 'ed25519', '-f', hostKey], { stdio: 'ignore' });
    mkdirSync(join(folder, '.ssh'), { mode: 0o700 });
    writeFileSync(join(folder, '.ssh/authorized_keys'), readFileSync(`${key}.pub`), {
      mode: 0o600,
    });
    const { username, uid, gid } = userInfo();
    const passwd = join(folder, 'passwd');
    writeFileSync(passwd, `${username}:x:${uid}:${gid}::${folder}:/bin/sh\n`);
    const port = await freePort();
    const options = ['-F', '-E', '-r', hostKey, '-p', `127.0.0.1:${port}`, ...more];
    // Dropbear reads keys from the user's home and from nowhere else: in a mount namespace of its own, that is ours.
    const script = 'mount --bind "$0" /etc/passwd && exec "$@"';
    const command = ['-m', 'sh', '-c', script, passwd, DROPBEAR, ...options];
    server = spawn('unshare', command, { stdio: 'ignore' });
    await vi.waitFor(async () => expect(await isListening(port)).toBe(true), { timeout: 10_000 });
    connection = await connectTo(port, {
      user: userInfo().username,
      privateKey: readFileSync(key, 'utf8'),
    });
    tunnels.useConnection(connection);
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-dropbear-'));
    hub = new StreamHub();
    sockets = new TestSockets();
    tunnels = new BoxTunnels({
      boxId: 'b1',
      hub,
      store: SESSION_STORE,
      log: { info: () => undefined },
      onProblem: (found) => {
        throw new Error(found.message);
      },
    });
  });
  afterEach(async () => {
    await tunnels.close();
    connection.close();
    await connection.closed;
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    await sockets.end();
    hub.dispose();
    rmSync(folder, { recursive: true, force: true });
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
