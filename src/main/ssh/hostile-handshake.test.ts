import { Client } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProblemCode } from '../../shared/problem.ts';
import {
  hostileHandshakes,
  startHostileServer,
  type HostileServer,
} from './hostile-handshake.fixture.ts';
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

/** How it ends although somebody would take any key. */
const ENDINGS: readonly (readonly [string, ProblemCode])[] = [
  ['a group of 8192 bits', 'key-exchange-refused'],
  ['a group of 16384 bits', 'key-exchange-refused'],
  ['an even number as prime', 'key-exchange-refused'],
  ['a tiny prime', 'key-exchange-refused'],
  ['a composite prime', 'key-exchange-refused'],
  ['a group that nobody agreed on', 'host-key-unusable'],
  ['fixed groups only', 'key-exchange-refused'],
  ['a share of 30 kB for X25519', 'link-lost'],
  ['a share of 30 kB for P-521', 'link-lost'],
  ['a share of nothing but zeros', 'link-lost'],
  ['an RSA key of 20000 bits', 'host-key-unusable'],
  ['an RSA key of 65536 bits', 'host-key-unusable'],
  ['an RSA key with an endless exponent', 'host-key-unproven'],
  ['a list of 17000 names', 'link-lost'],
  ['a greeting of 4 MB', 'key-exchange-refused'],
  ['a greeting of 2000 empty lines', 'key-exchange-refused'],
  ['a greeting of one line without an end', 'key-exchange-refused'],
  ['half a million packets that say nothing', 'key-exchange-refused'],
];

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

  it.each(ENDINGS)('gets nothing computed with %s', async (name, code) => {
    server = await startHostileServer(handshakes[name]!);
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: server.port, user: 'u' },
      credentials: [{ kind: 'note', text: 'nobody logs in here' }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    expect(opened).toMatchObject({ ok: false, error: { code } });
    expect(computed).toEqual([]);
    const heard = await server.messages();
    // Nothing that an impostor could use: not even the name of a user.
    expect([DISCONNECT, KEXINIT, NEWKEYS, SHARE]).toEqual(expect.arrayContaining([...heard]));
  });
});

it('tries every way that there is', () => {
  expect(ENDINGS.map(([name]) => name)).toEqual(Object.keys(handshakes));
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
});
