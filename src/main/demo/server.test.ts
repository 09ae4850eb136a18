import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import ssh2, {
  BaseAgent,
  Client,
  type ConnectConfig,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReadableKeyPair } from '../ssh/readable-key-pair.ts';
import { eventually, exec, login, openExec, read, startTestBox } from './demo-box.fixture.ts';
import type { DemoBox } from './demo-box.ts';
import { listeningRows } from './port-owner.ts';
import { freePort } from '../ssh/sshd.fixture.ts';
import { findProgram } from './find-program.ts';

let box: DemoBox;
let client: Client;
beforeAll(async () => {
  box = await startTestBox();
  client = await login(box);
});
afterAll(async () => {
  client.end();
  await box.stop();
});

const python = await findProgram('python3');
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe('login', () => {
  const strangerKey = makeReadableKeyPair().private;

  it.each<[string, ConnectConfig]>([
    ['another key', { privateKey: strangerKey }],
    ['another user', { username: 'root' }],
    ['a password', { privateKey: '', password: 'demo' }],
    ['nothing at all', { privateKey: '' }],
  ])('refuses %s', async (_name, credentials) => {
    const { code, level } = await refusal({ username: box.address.user, ...credentials });
    expect([level, code]).toEqual(['client-authentication', undefined]);
  });

  it('refuses the right key without a valid signature', async () => {
    const { clientKey } = box;
    const key = ssh2.utils.parseKey(clientKey);
    if (key instanceof Error) throw key;
    const { level } = await refusal({ username: box.address.user, agent: new Forger(key) });
    expect(level).toBe('client-authentication');
  });

  it('shows the announced host key', async () => {
    let offered = '';
    const other = await login(box, {
      hostHash: 'sha256',
      hostVerifier: (hash: string) => {
        offered = Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '');
        return true;
      },
    });
    other.end();
    expect(`SHA256:${offered}`).toBe(box.hostKey.fingerprint);
  });

  function refusal(config: ConnectConfig): Promise<{ level?: string; code?: string }> {
    const stranger = new Client();
    const { host, port } = box.address;
    return new Promise((resolve, reject) => {
      stranger.once('ready', () => {
        stranger.end();
        reject(new Error('let in'));
      });
      stranger.once('error', resolve);
      stranger.connect({ host, port, ...config });
    });
  }
});

it('listens on the loopback only', () => {
  expect(box.address.host).toBe('127.0.0.1');
});

it('allows ten sessions at a time on a connection, and another once one has ended', async () => {
  const warned: string[] = [];
  const warn = ({ message }: Error): void => void warned.push(message);
  process.on('warning', warn);
  const other = await login(box);
  const open = await Promise.all(Array.from({ length: 10 }, () => openExec(other, 'cat')));
  await expect(openExec(other, 'true')).rejects.toThrow(/Channel open failure/);
  const [first] = open;
  if (first === undefined) throw new Error('no channel');
  first.resume();
  const closed = once(first, 'close');
  first.end();
  await closed;
  expect(await exec(other, 'true')).toMatchObject({ code: 0 });
  other.end();
  process.off('warning', warn);
  expect(warned).toEqual([]);
});

it('answers keepalive questions', async () => {
  const other = await login(box, { keepaliveInterval: 250, keepaliveCountMax: 2 });
  // An unanswered question would have ended this connection several times over.
  expect((await read(other, 'sleep 2; echo alive')).trim()).toBe('alive');
  other.end();
});

describe('tunnels', () => {
  it('reaches TensorBoard on 6006, many requests over one channel', async () => {
    const channel = await forward('localhost', 6006);
    // The run that has just begun shows once it has written its first event.
    const runs = await eventually(
      () => get(channel, '/data/runs'),
      ({ status, body }) => status !== 200 || (JSON.parse(body) as unknown[]).length === 2,
    );
    expect(runs.status).toBe(200);
    expect(JSON.parse(runs.body)).toEqual([
      expect.stringMatching(/^\d{8}-\d{6}-1$/),
      expect.any(String),
    ]);
    channel.end();
    const [first, second] = await Promise.all([
      forward('127.0.0.1', 6006),
      forward('localhost', 6006),
    ]);
    const [logdir, missing] = await Promise.all([
      get(first, '/data/logdir'),
      get(second, '/nothing'),
    ]);
    expect(JSON.parse(logdir.body)).toEqual({
      logdir: expect.stringMatching(/train\/runs$/) as string,
    });
    expect([missing.status, missing.body]).toEqual([404, 'Not found']);
  });

  it('refuses other machines', async () => {
    await expect(forward('192.0.2.1', 6006)).rejects.toThrow(/Channel open failure/);
    await expect(forward('example.org', 80)).rejects.toThrow(/Channel open failure/);
  });

  it('refuses ports on which something else of this machine listens, or nothing', async () => {
    const foreign = createServer((socket) => socket.end('secret'));
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const { port } = foreign.address() as AddressInfo;
    await expect(forward('localhost', port)).rejects.toThrow(/Channel open failure/);
    await new Promise((resolve) => foreign.close(resolve));
    await expect(forward('localhost', port)).rejects.toThrow(/Channel open failure/);
  });

  it('lists TensorBoard and what processes of the box listen at, and nothing else of this machine', async ({
    skip,
  }) => {
    const listed = async (): Promise<readonly number[]> =>
      listeningRows(await read(client, 'cat "$LEASEHOLD_PROC_ROOT"/net/tcp')).map(
        ({ port }) => port,
      );
    skip(process.platform !== 'linux', 'only Linux can tell whose a port is');
    skip(python === null, 'python3 is not installed');
    const foreign = createServer();
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const script = [
      'import socket, time',
      's = socket.create_server(("127.0.0.1", 0))',
      'print(s.getsockname()[1], flush=True)',
      'time.sleep(600)',
    ].join('\n');
    const command = await openExec(client, `exec ${String(python)} -c '${script}'`);
    const [line] = (await once(command, 'data')) as [Buffer];
    const port = Number(line.toString());
    expect(await eventually(listed, (ports) => ports.includes(port))).toEqual([6006, port]);
    foreign.close();
  });

  it('reaches what a process of the box listens on', async ({ skip }) => {
    skip(process.platform !== 'linux', 'only Linux can tell whose a port is');
    skip(python === null, 'python3 is not installed');
    const script = [
      'import socket',
      's = socket.create_server(("127.0.0.1", 0))',
      'print(s.getsockname()[1], flush=True)',
      'c, _ = s.accept()',
      'c.sendall(b"hello from the box")',
    ].join('\n');
    const command = await openExec(client, `${String(python)} -c '${script}'`);
    const [line] = (await once(command, 'data')) as [Buffer];
    const channel = await forward('localhost', Number(line.toString()));
    const [greeting] = (await once(channel, 'data')) as [Buffer];
    expect(greeting.toString()).toBe('hello from the box');
    channel.end();
  });

  it.for([
    { at: '127.0.0.2', family: 'AF_INET', beside: '127.0.0.1', table: 'tcp', reachedBy: [] },
    {
      at: '::1',
      family: 'AF_INET6',
      beside: '::1',
      table: 'tcp6',
      reachedBy: ['localhost', '::1'],
    },
  ])(
    'never leads to what has a port at 127.0.0.1, though a process of the box has it at $at',
    async ({ at, family, beside, table, reachedBy }, { skip }) => {
      skip(process.platform !== 'linux', 'only Linux can tell whose a port is');
      skip(python === null, 'python3 is not installed');
      skip(at === '::1' && !hasIpv6, 'this computer has no IPv6 loopback');
      const foreign = createServer((socket) => socket.end('secret'));
      await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
      const { port } = foreign.address() as AddressInfo;
      // The table that shows the second one was written when both were there.
      const script = [
        'import socket',
        `s = socket.create_server(("${at}", ${String(port)}), family=socket.${family})`,
        `t = socket.create_server(("${beside}", 0), family=socket.${family})`,
        'print(t.getsockname()[1], flush=True)',
        'while True: s.accept()[0].sendall(b"hello from the box")',
      ].join('\n');
      const command = await openExec(client, `exec ${String(python)} -c '${script}'`);
      const [line] = (await once(command, 'data')) as [Buffer];
      const besidePort = Number(line.toString());
      const ports = await eventually(
        async () =>
          listeningRows(await read(client, `cat "$LEASEHOLD_PROC_ROOT"/net/${table}`)).map(
            (row) => row.port,
          ),
        (all) => all.includes(besidePort),
      );
      const heard = await Promise.all(
        ['localhost', '127.0.0.1', '::1'].map(async (host) => {
          const channel = await forward(host, port).catch(() => null);
          if (channel === null) return [];
          const [said] = (await once(channel, 'data')) as [Buffer];
          channel.end();
          return [[host, said.toString()]];
        }),
      );
      expect({ isListed: ports.includes(port), heard: heard.flat() }).toEqual({
        isListed: reachedBy.length > 0,
        heard: reachedBy.map((host) => [host, 'hello from the box']),
      });
      foreign.close();
    },
  );

  const forwardIn = (host: string, port: number): Promise<unknown> =>
    new Promise((resolve) =>
      client.forwardIn(host, port, (cause) => resolve(cause ?? 'listening')),
    );

  it('listens on the loopback for a client, and gives the port back', async () => {
    const port = await freePort();
    expect(await forwardIn('127.0.0.1', port)).toBe('listening');
    client.once('tcp connection', (_details, accept) => accept().end('from the client'));
    const visitor = connect({ host: '127.0.0.1', port });
    const [said] = (await once(visitor, 'data')) as [Buffer];
    expect(said.toString()).toBe('from the client');
    visitor.destroy();
    await new Promise((resolve) => client.unforwardIn('127.0.0.1', port, resolve));
    const late = connect({ host: '127.0.0.1', port });
    expect(await new Promise((resolve) => late.once('error', resolve))).toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it.each([
    ['all addresses', ''],
    ['all addresses by number', '0.0.0.0'],
    ['another address', '192.0.2.1'],
  ])('refuses to listen on %s', async (_what, host) => {
    expect(await forwardIn(host, await freePort())).toBeInstanceOf(Error);
  });
});

it('survives garbage and clients that hang up in the middle of the handshake', async () => {
  const { host, port } = box.address;
  const socket = connect({ host, port });
  await once(socket, 'connect');
  socket.write('SSH-2.0-noise\r\n');
  socket.write(Buffer.alloc(5000, 0xff));
  socket.resume();
  await once(socket, 'close');
  await eventually(
    () => exec(client, 'true'),
    ({ code }) => code === 0,
  );
});

/** Knows the public key, as anyone may, and signs with noise. */
class Forger extends BaseAgent {
  readonly #key: ParsedKey;

  constructor(key: ParsedKey) {
    super();
    this.#key = key;
  }

  override getIdentities(done: IdentityCallback): void {
    done(undefined, [this.#key.getPublicSSH()]);
  }

  override sign(
    _key: unknown,
    _data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    const answer = typeof options === 'function' ? options : done;
    answer?.(undefined, Buffer.alloc(64, 7));
  }
}

function forward(host: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 40_000, host, port, (cause, channel) =>
      cause ? reject(cause) : resolve(channel),
    );
  });
}

function get(channel: Duplex, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { createConnection: () => channel, host: 'localhost', path },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}
