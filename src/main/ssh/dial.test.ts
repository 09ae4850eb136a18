import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { dial } from './dial.ts';
import { freePort } from './sshd.fixture.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
});

async function listen(host: string, port = 0): Promise<number | null> {
  const server = createServer((socket) => socket.resume());
  server.listen(port, host);
  const isUp = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]);
  if (!isUp) return null;
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

const signal = new AbortController().signal;

async function dialTo(addresses: readonly string[], port: number): Promise<string> {
  const dialled = await dial({ host: 'gpu.example', port }, signal, async () => addresses);
  if (!dialled.ok) return dialled.error.code;
  const { remoteAddress = '' } = dialled.value.socket;
  dialled.value.socket.destroy();
  return remoteAddress;
}

describe('dial', () => {
  it('takes the other family at once where the first is refused', async () => {
    const port = (await listen('127.0.0.1')) ?? 0;
    expect(await dialTo(['::1', '127.0.0.1'], port)).toBe('127.0.0.1');
  });

  it('reaches a box that has IPv6 only', async ({ skip }) => {
    const port = await listen('::1');
    if (port === null) return skip('this machine has no IPv6');
    expect(await dialTo(['127.0.0.1', '::1'], port)).toBe('::1');
    const literal = await dial({ host: '::1', port }, signal);
    expect(literal).toMatchObject({ ok: true, value: { latencyMs: expect.any(Number) } });
    if (literal.ok) literal.value.socket.destroy();
  });

  it('does not wait for an address that swallows everything', async () => {
    const port = (await listen('127.0.0.1')) ?? 0;
    // 192.0.2.0/24 is for documentation: nothing answers there, or the machine says so at once.
    expect(await dialTo(['192.0.2.1', '192.0.2.2', '127.0.0.1'], port)).toBe('127.0.0.1');
  });

  it('tells what a machine answered rather than that a network is missing', async () => {
    expect(await dialTo(['127.0.0.1'], await freePort())).toBe('ECONNREFUSED');
    expect(await dialTo([], 22)).toBe('ENOTFOUND');
  });

  it('stops when told, before and while it waits', async () => {
    const stopper = new AbortController();
    const waiting = dial({ host: '192.0.2.1', port: 9 }, stopper.signal);
    stopper.abort();
    expect((await waiting).ok).toBe(false);
    expect(await dial({ host: '127.0.0.1', port: 9 }, stopper.signal)).toMatchObject({
      error: { code: 'ABORT_ERR' },
    });
  });
});
