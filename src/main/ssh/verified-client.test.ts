import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { Client } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_HOST_KEY } from './login-server.fixture.ts';
import { startKeyFakingServer, type KeyFakingServer } from './key-faking-server.fixture.ts';
import { VerifiedClient } from './verified-client.ts';

let server: KeyFakingServer;
beforeEach(async () => {
  server = await startKeyFakingServer();
});
afterEach(() => server.stop());

/** How it ended, and what was sent to the server until then. */
async function ending(client: Client, more: object = {}): Promise<string> {
  const ended = new Promise<string>((resolve) => {
    client.on('ready', () => resolve('ready'));
    client.on('error', ({ message }) => resolve(message));
  });
  client.connect({ host: '127.0.0.1', port: server.port, username: 'u', password: 'p', ...more });
  const how = await ended;
  client.destroy();
  return how;
}

describe('VerifiedClient', () => {
  it('is needed: a Client of ssh2 by itself logs in anywhere', async () => {
    expect(await ending(new Client())).toBe('ready');
  });

  it('asks about the key, and sends no login without a yes', async () => {
    const asked: Buffer[] = [];
    const client = new VerifiedClient((blob) => {
      asked.push(blob);
      return false;
    });
    expect(await ending(client)).toContain('Host denied');
    expect(asked).toHaveLength(1);
    expect(server.logins()).toBe(0);
    expect(await ending(new VerifiedClient(() => true))).toBe('ready');
  });

  it.each([undefined, null, 'yes', 1, {}])('takes %j for a no', async (answer) => {
    expect(await ending(new VerifiedClient((() => answer) as never))).toContain('Host denied');
    expect(server.logins()).toBe(0);
  });

  it('cannot be talked out of it by what it is given to connect with', async () => {
    const client = new VerifiedClient(() => false);
    expect(await ending(client, { hostVerifier: () => true, hostHash: 'md5' })).toContain('denied');
    expect(server.logins()).toBe(0);
  });

  // 7 MB of zeros that were made small inflate to 6.7 GB.
  it('agrees on no compression, whatever a server insists on and a caller asks for', async () => {
    const packing = new ssh2.Server(
      { hostKeys: [TEST_HOST_KEY], algorithms: { compress: ['zlib@openssh.com', 'zlib'] } },
      (client) => client.on('error', () => undefined).on('authentication', (each) => each.accept()),
    ).listen(0, '127.0.0.1');
    await once(packing, 'listening');
    const { port } = packing.address() as AddressInfo;
    const asked = { port, algorithms: { compress: ['zlib@openssh.com'] } };
    expect(await ending(new Client(), asked)).toBe('ready');
    expect(await ending(new VerifiedClient(() => true), asked)).toContain('compression');
    await new Promise((resolve) => packing.close(resolve));
  });
});
