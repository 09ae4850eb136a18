import { once } from 'node:events';
import type { Connection } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLoginServer, type LoginServer } from './login-server.fixture.ts';
import { number, pour, socketOf } from './raw-packets.fixture.ts';
import { boundUnasked } from './unasked.ts';
import { VerifiedClient } from './verified-client.ts';
import { field } from './wire-fields.ts';

const ASKING = {
  'global requests': Buffer.concat([Buffer.of(80), field('keepalive@openssh.com'), Buffer.of(1)]),
  'requests on a channel': Buffer.concat([
    Buffer.of(98),
    number(0),
    field('keepalive@openssh.com'),
    Buffer.of(1),
  ]),
  channels: Buffer.concat([
    Buffer.of(90),
    field('x11'),
    number(1),
    number(2 ** 20),
    number(2 ** 15),
    field('127.0.0.1'),
    number(1),
  ]),
  'keys that it has': Buffer.concat([
    Buffer.of(80),
    field('hostkeys-00@openssh.com'),
    Buffer.of(1),
  ]),
};

describe('a server that lets us in and asks without end', () => {
  let server: LoginServer;
  let client: VerifiedClient;
  let errors: string[];

  beforeEach(async () => {
    server = await startLoginServer(
      (context) => context.accept(),
      (accept) => void accept().on('exec', (acceptExec) => acceptExec()),
    );
    errors = [];
    client = new VerifiedClient(() => true);
    client.on('error', ({ message }) => errors.push(message));
    client.connect({ host: '127.0.0.1', port: server.port, username: 'u', password: 'x' });
    await once(client, 'ready');
    await new Promise((resolve) => client.exec('stay', resolve));
  });
  afterEach(async () => {
    client.destroy();
    await server.stop();
  });

  const far = (): Connection => [...server.open][0]!;

  /** Ends the connection itself where all of it was borne. */
  async function ask(what: keyof typeof ASKING, times: number, ofEach: number): Promise<void> {
    // Not `once` of node:events, which fails at the first error.
    const closed = new Promise<void>((resolve) => client.on('close', resolve));
    if (await pour(far(), ASKING[what], times, ofEach)) socketOf(far()).end();
    await closed;
  }

  it.each(Object.keys(ASKING) as (keyof typeof ASKING)[])(
    'for %s, and reads no answer: loses its connection',
    async (what) => {
      socketOf(far()).pause();
      await ask(what, 60_000, 10_000);
      expect(errors.join()).toMatch(/asks (without reading|more than anybody)/);
    },
  );

  it('and reads all of it: loses its connection too', async () => {
    await ask('global requests', 50_000, 100);
    expect(errors.join()).toContain('it asks more than anybody answers');
  });

  it('but not as one that wants to know whether we are there', async () => {
    await ask('global requests', 5000, 100);
    expect(errors).toEqual([]);
  });

  it('is told from one whose answers wait behind an upload', () => {
    const { found, waiting, askOnce, pass } = slowSocket();
    // Three hours of an upload that leaves the socket never empty: one a second, each sent some time after it was asked for.
    for (let n = 0; n < 10_800; n += 1) {
      pass(1000);
      askOnce();
      if (n % 600 === 599) waiting.shift()!();
    }
    expect(found).toEqual([]);
    for (let n = 0; n < 4096; n += 1) askOnce();
    expect(found[0]).toContain('without reading');
  });

  it('is told from one that has read all the answers to what it asked at once, and asks as much once more', () => {
    const { found, waiting, askOnce, pass } = slowSocket();
    for (let burst = 0; burst < 2; burst += 1) {
      pass(60_000);
      for (let n = 0; n < 4096; n += 1) askOnce();
      while (waiting.length > 0) waiting.shift()!();
    }
    expect(found).toEqual([]);
  });
});

/** A client whose socket takes what is written only when the test says so. */
function slowSocket() {
  const found: string[] = [];
  const waiting: (() => void)[] = [];
  const handlers: Record<string, (...values: unknown[]) => void> = {
    GLOBAL_REQUEST: () => undefined,
    CHANNEL_REQUEST: () => undefined,
    CHANNEL_OPEN: () => undefined,
    USERAUTH_INFO_REQUEST: () => undefined,
  };
  const fake = {
    _protocol: { _handlers: handlers },
    _sock: { writable: true, write: (_bytes: Buffer, done: () => void) => waiting.push(done) },
  };
  let nowMs = 0;
  boundUnasked(
    fake as never,
    ({ message }) => found.push(message),
    () => nowMs,
  );
  return {
    ...{ found, waiting },
    askOnce: (): void => handlers['GLOBAL_REQUEST']!(null, 'keepalive', true),
    pass: (ms: number) => void (nowMs += ms),
  };
}
