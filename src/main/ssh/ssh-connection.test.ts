import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OfferedHostKey } from './host-key.ts';
import type { ConnectOptions } from './single-connection.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { startTcpProxy } from './tcp-proxy.fixture.ts';

/**
 * Ends with the connection and not before: sshd leaves a command without a terminal behind. It looks whose child it is,
 * since a parent that nobody reaped still has its number.
 */
const HANG = `while [ $PPID != 1 ] && [ "$(ps -o ppid= -p $$ | tr -d ' ')" = $PPID ]; do sleep 0.05; done`;

let sshd: TestSshd;
const opened: SshConnection[] = [];

function options(more: Partial<ConnectOptions> = {}): ConnectOptions {
  return {
    address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
    credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
    ...more,
  };
}

async function connect(): Promise<SshConnection> {
  const result = await openConnection(options());
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ''}`);
  opened.push(result.value);
  return result.value;
}

describe.skipIf(!hasSshd)('an SSH connection to a real sshd', () => {
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) {
      connection.close();
      await connection.closed;
    }
  });
  afterAll(() => sshd.stop());

  it('shows the host key that OpenSSH itself shows', async () => {
    const offered: OfferedHostKey[] = [];
    const result = await openConnection(
      options({
        judgeHostKey: (key) => {
          offered.push(key);
          return 'refuse';
        },
      }),
    );
    expect(result).toMatchObject({ ok: false });
    expect(offered).toEqual([
      expect.objectContaining({ type: 'ssh-ed25519', fingerprint: sshd.fingerprint }),
    ]);
  });

  it('counts every byte that came, over each connection to the box and no other', async () => {
    const proxy = await startTcpProxy(sshd.port);
    const address = { host: '127.0.0.1', port: proxy.port, user: sshd.user };
    let received = 0;
    const result = await openConnection(
      options({ address, onReceived: (bytes) => (received += bytes) }),
    );
    if (!result.ok) throw new Error(result.error.message);
    opened.push(result.value);
    const further = await result.value.openAnother(new AbortController().signal);
    if (!further.ok) throw new Error(further.error.message);
    opened.push(further.value);
    for (const each of [result.value, further.value]) {
      const before = received;
      expect((await each.run('head -c 300000 /dev/zero')).ok).toBe(true);
      expect(received - before).toBeGreaterThan(300_000);
    }
    for (const each of opened.splice(0)) {
      each.close();
      await each.closed;
    }
    expect(received).toBe(proxy.carriedBack());
    await proxy.stop();
  });

  it('measures a round trip', async () => {
    const connection = await connect();
    expect(connection.latencyMs).toBeGreaterThan(0);
  });

  it('keeps stdout byte for byte, stderr apart, and lets the exit code decide', async () => {
    const connection = await connect();
    const outcome = await connection.run(`printf '  a\\n\\n'; printf 'oops' >&2; exit 3`);
    expect(outcome).toEqual({
      ok: true,
      value: { stdout: '  a\n\n', stderr: 'oops', end: { kind: 'exited', code: 3 } },
    });
  });

  it('names the signal that ended a command', async () => {
    const connection = await connect();
    const outcome = await connection.run('kill -9 $$');
    expect(outcome).toMatchObject({
      ok: true,
      value: { end: { kind: 'signalled', signal: 'SIGKILL' } },
    });
  });

  it('sends input on stdin, and 5 MB come back unharmed', async () => {
    const connection = await connect();
    const input = 'häß\u{1F600}\n'.repeat(300_000);
    const outcome = await connection.run('cat', { input, maxChars: 10_000_000 });
    if (!outcome.ok) throw new Error(outcome.error.code);
    const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(digest(outcome.value.stdout)).toBe(digest(input));
  });

  it('refuses a flood of output instead of keeping it', async () => {
    const connection = await connect();
    const outcome = await connection.run('yes', { maxChars: 100_000 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'output-too-large' } });
    expect(await connection.run('echo still here')).toMatchObject({ ok: true });
  });

  it('ends a command that hangs, and says so (U17)', async () => {
    const connection = await connect();
    const outcome = await connection.run(`trap "" TERM HUP; ${HANG}`, { timeoutMs: 50 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'command-timeout' } });
  });

  it('ends a command on request, also one that has not started', async () => {
    const connection = await connect();
    const stopper = new AbortController();
    const running = connection.run(HANG, { signal: stopper.signal });
    stopper.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'aborted' } });
    const late = await connection.run(HANG, { signal: stopper.signal });
    expect(late).toMatchObject({ ok: false, error: { code: 'aborted' } });
  });

  it('answers what was running when the connection goes', async () => {
    const connection = await connect();
    const running = connection.run(HANG);
    const started = await connection.start(HANG);
    if (!started.ok) throw new Error(started.error.code);
    connection.close();
    await connection.closed;
    expect(await running).toMatchObject({ ok: false });
    expect(await started.value.exited).toMatchObject({ kind: 'unknown' });
    expect(await connection.run('true')).toMatchObject({ ok: false });
  });

  it('is refused with a wrong key, once and for good', async () => {
    const other = await startSshd();
    const result = await openConnection(
      options({ credentials: [{ kind: 'key', privateKey: other.privateKey }] }),
    );
    await other.stop();
    expect(result).toMatchObject({ ok: false, error: { code: 'auth-refused' } });
  });
});

describe('an SSH connection to something bad', () => {
  const servers: TcpServer[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) {
      server.close();
      await once(server, 'close');
    }
  });

  async function serve(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined); // the client may well reset it
      onConnection(socket);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function tryPort(port: number, signal = new AbortController().signal) {
    return openConnection({
      address: { host: '127.0.0.1', port, user: 'nobody' },
      credentials: [{ kind: 'agent', socket: '/nonexistent' }],
      judgeHostKey: () => 'accept',
      signal,
    });
  }

  it('names a port where nothing listens', async () => {
    expect(await tryPort(await freePort())).toMatchObject({
      ok: false,
      error: { code: 'unreachable' },
    });
  });

  it('names a server that hangs up at once', async () => {
    const port = await serve((socket) => socket.end());
    expect(await tryPort(port)).toMatchObject({ ok: false, error: { code: 'link-lost' } });
  });

  it('names a server that does not speak SSH', async () => {
    const port = await serve((socket) =>
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(999)),
    );
    expect(await tryPort(port)).toMatchObject({
      ok: false,
      error: {
        code: 'key-exchange-refused',
        message: expect.stringContaining('does not talk like an SSH server'),
      },
    });
  });

  it('names a server that talks garbage after its banner', async () => {
    const port = await serve((socket) => socket.write(`SSH-2.0-x\r\n${'\xff'.repeat(5000)}`));
    expect(await tryPort(port)).toMatchObject({ ok: false, error: { code: 'link-lost' } });
  });

  it('lets the person stop waiting for a server that says nothing', async () => {
    const stopper = new AbortController();
    const port = await serve(() => stopper.abort());
    expect(await tryPort(port, stopper.signal)).toMatchObject({
      ok: false,
      error: { code: 'aborted' },
    });
  });
});
