import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepAlive } from './keep-alive.ts';
import { roundTrip } from './round-trip.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

describe.skipIf(!hasSshd)('keepAlive', () => {
  let sshd: TestSshd;
  let client: Client;
  let socket: Socket;
  let closed: Promise<unknown>;
  let asked: ReturnType<typeof countAsked>;

  beforeAll(async () => {
    sshd = await startSshd();
  });
  beforeEach(async () => {
    client = new Client();
    socket = connect(sshd.port, '127.0.0.1');
    closed = new Promise<void>((resolve) => client.on('close', () => resolve()));
    client.on('error', () => undefined);
    const { user: username, privateKey } = sshd;
    client.connect({ sock: socket, username, privateKey, hostVerifier: () => true });
    await once(client, 'ready');
    await roundTrip(client); // what the server says by itself after a log-in has come
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    asked = countAsked(client);
  });
  afterEach(async () => {
    vi.useRealTimers();
    client.destroy();
    await closed;
  });
  afterAll(() => sshd.stop());

  const begin = (onSilent = (): void => undefined): void =>
    keepAlive(client, socket, closed, { everyMs: 10_000, misses: 2 }, onSilent);

  it('asks nothing of a box from which something comes', async () => {
    begin();
    for (let nines = 0; nines < 4; nines += 1) {
      vi.advanceTimersByTime(9000);
      expect(asked()).toBe(nines);
      await roundTrip(client);
    }
  });

  it('asks one that is silent, again and again while it answers', async () => {
    const onSilent = vi.fn();
    begin(onSilent);
    for (let times = 1; times <= 5; times += 1) {
      const answered = once(socket, 'data');
      vi.advanceTimersByTime(10_000);
      expect(asked()).toBe(times);
      await answered;
    }
    expect(onSilent).not.toHaveBeenCalled();
  });

  it('tells after two questions without an answer, and asks no more once the link is closed', async () => {
    const onSilent = vi.fn();
    begin(onSilent);
    socket.pause();
    vi.advanceTimersByTime(29_999);
    expect(asked()).toBe(2);
    expect(onSilent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSilent).toHaveBeenCalledOnce();
    client.destroy();
    await closed;
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** How many questions have been sent. */
function countAsked(client: Client): () => number {
  const { _protocol } = client as unknown as { readonly _protocol: { ping(): void } };
  const ping = vi.spyOn(_protocol, 'ping');
  return () => ping.mock.calls.length;
}
