import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { Client } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hostileHandshakes,
  startHostileServer,
  type HostileServer,
} from './hostile-handshake.fixture.ts';
import { TEST_HOST_KEY } from './login-server.fixture.ts';
import { openConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { trustingLink } from './trusting-link.fixture.ts';

/** Every group that Node was asked to compute in. Counted before the SSH library takes the functions into its own hands. */
const computed = vi.hoisted(() => {
  const groups: string[] = [];
  const crypto = process.getBuiltinModule('node:crypto');
  for (const name of ['createDiffieHellman', 'createDiffieHellmanGroup'] as const) {
    const make = crypto[name] as (...values: unknown[]) => unknown;
    Object.assign(crypto, {
      [name]: (...values: unknown[]) => {
        groups.push(name);
        return make(...values);
      },
    });
  }
  return groups;
});

/** Numbers of messages. After its share, a client says that its keys are in use, or ends. */
const DISCONNECT = 1;
const KEXINIT = 20;
const NEWKEYS = 21;
const SHARE = 30;

const handshakes = hostileHandshakes();

beforeEach(() => void computed.splice(0));

describe('a server that nobody trusts', () => {
  let server: HostileServer;
  afterEach(() => server.stop());

  it('makes a Client of ssh2 by itself compute in a group of its own', async () => {
    server = await startHostileServer(handshakes['a composite prime']!);
    const client = new Client();
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve()).on('close', () => resolve());
    });
    client.connect({ host: '127.0.0.1', port: server.port, username: 'u', password: 'p' });
    await ended;
    client.destroy();
    expect(computed).toEqual(['createDiffieHellman']);
  });

  it.each(Object.entries(handshakes))('gets nothing computed with %s', async (_name, handshake) => {
    server = await startHostileServer(handshake);
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: server.port, user: 'u' },
      credentials: [{ kind: 'note', text: 'nobody logs in here' }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    expect(opened).toMatchObject({ ok: false, error: { code: handshake.endsAs } });
    expect(computed).toEqual([]);
    const heard = await server.messages();
    // Nothing that an impostor could use: not even the name of a user.
    expect([DISCONNECT, KEXINIT, NEWKEYS, SHARE]).toEqual(expect.arrayContaining([...heard]));
  });
});

describe.skipIf(!hasSshd)('a real sshd', () => {
  async function startWith(keyExchange: string): Promise<TestSshd> {
    const sshd = await startSshd({ configLines: [`KexAlgorithms ${keyExchange}`] });
    onTestFinished(() => sshd.stop());
    return sshd;
  }

  it.each(['curve25519-sha256', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'])(
    'that knows only %s lets in',
    async (keyExchange) => {
      const { link, connect } = trustingLink({ sshd: await startWith(keyExchange) });
      await connect();
      link.disconnect();
    },
  );

  it.each(['diffie-hellman-group14-sha256', 'diffie-hellman-group-exchange-sha256'])(
    'that knows only %s is not tried again, and the way out is named',
    async (keyExchange) => {
      const sshd = await startWith(keyExchange);
      const { link, states } = trustingLink({ sshd });
      const down = states.next('down');
      link.connect();
      expect((await down).problem).toMatchObject({
        code: 'key-exchange-refused',
        message: expect.stringContaining('P-256'),
        nextStep: expect.stringContaining('KexAlgorithms'),
      });
      expect(states.kinds()).toEqual(['connecting', 'down']);
      expect(computed).toEqual([]);
    },
  );

  it.each([
    ['Ciphers aes128-cbc', 'cipher', 'Ciphers'],
    ['Ciphers aes128-ctr\nMACs umac-64@openssh.com', 'MAC', 'MACs'],
  ])('that knows only %s is not tried again either', async (lines, word, setting) => {
    const sshd = await startSshd({ configLines: lines.split('\n') });
    onTestFinished(() => sshd.stop());
    const { link, states } = trustingLink({ sshd });
    const down = states.next('down');
    link.connect();
    expect((await down).problem).toMatchObject({
      message: expect.stringContaining(`offers no ${word}`),
      nextStep: expect.stringContaining(setting),
    });
    expect(states.kinds()).toEqual(['connecting', 'down']);
  });
});

it('a server that insists on compression is not tried again, and that is named', async () => {
  const packing = new ssh2.Server(
    { hostKeys: [TEST_HOST_KEY], algorithms: { compress: ['zlib@openssh.com', 'zlib'] } },
    (client) => client.on('error', () => undefined),
  ).listen(0, '127.0.0.1');
  await once(packing, 'listening');
  onTestFinished(() => void packing.close());
  const { port } = packing.address() as AddressInfo;
  const { link, states } = trustingLink({
    sshd: { port, user: 'u', privateKey: TEST_HOST_KEY } as TestSshd,
  });
  const down = states.next('down');
  link.connect();
  expect((await down).problem).toMatchObject({
    code: 'key-exchange-refused',
    message: expect.stringContaining('insists on compression'),
    nextStep: expect.stringContaining('without compression'),
  });
  expect(states.kinds()).toEqual(['connecting', 'down']);
});
