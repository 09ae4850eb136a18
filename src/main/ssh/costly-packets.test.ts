import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLoginServer, type LoginServer } from './login-server.fixture.ts';
import { number } from './raw-packets.fixture.ts';
import { VerifiedClient } from './verified-client.ts';
import { field } from './wire-fields.ts';

interface Internals {
  readonly _protocol: { readonly _packetRW: { readonly read: { read(payload: Buffer): Buffer } } };
}

let server: LoginServer;
let client: VerifiedClient;

beforeEach(async () => {
  server = await startLoginServer((context) => context.accept());
  client = new VerifiedClient(() => true);
  client.connect({ host: '127.0.0.1', port: server.port, username: 'u', password: 'x' });
  await once(client, 'ready');
});
afterEach(async () => {
  client.destroy();
  await server.stop();
});

/** What ssh2 gets to see of a packet: after a key exchange, which puts another reader there. */
const seen = (...parts: readonly Buffer[]): Buffer =>
  (client as unknown as Internals)._protocol._packetRW.read.read(Buffer.concat(parts));
const round = (count: number, ...rest: readonly Buffer[]): readonly Buffer[] => [
  Buffer.of(60),
  ...['name', 'instruction', ''].map(field),
  number(count),
  ...rest,
];

describe('ssh2 gets to see', () => {
  it.each([
    ['that wants a reply', 1],
    ['that wants none', 0],
  ])('no host keys in a request about them %s', (_what, wantsReply) => {
    const payload = seen(
      Buffer.of(80),
      field('hostkeys-00@openssh.com'),
      Buffer.of(wantsReply),
      field('-----BEGIN RSA PRIVATE KEY-----\na:b\n'),
    );
    expect(payload).toEqual(Buffer.concat([Buffer.of(80), field('-'), Buffer.of(wantsReply)]));
  });

  it('no round that claims more questions than its packet holds', () => {
    expect(seen(...round(2 ** 25 - 1))).toEqual(Buffer.of(60));
    expect(seen(...round(3, field(''), Buffer.of(0), field(''), Buffer.of(0)))).toHaveLength(1);
  });

  it.each([
    [
      'a round of questions',
      round(2, field('Password:'), Buffer.of(0), field('Code:'), Buffer.of(1)),
    ],
    ['a round of none', round(0)],
    ['that a key is known', [Buffer.of(60), field('ssh-ed25519'), field(Buffer.alloc(51))]],
    [
      'a message of that number without a count',
      round(0)
        .slice(0, 3)
        .concat(number(2 ** 32 - 1)),
    ],
    ['another request', [Buffer.of(80), field('keepalive@openssh.com'), Buffer.of(1)]],
    ['data', [Buffer.of(94), number(0), field('hostkeys-00@openssh.com')]],
    ['a broken request', [Buffer.of(80), number(2 ** 31)]],
  ])('%s as it came', (_what, parts) => {
    expect(seen(...parts)).toEqual(Buffer.concat(parts));
  });
});
