import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import type { Link } from './link.ts';
import { startProxy, type TestProxy } from './proxy.fixture.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.fixture.ts';
import { trustingLink, type TrustingLinkOptions } from './trusting-link.fixture.ts';

describe.skipIf(!hasSshd)('a link after sleep or a changed network', () => {
  let sshd: TestSshd;
  let network: TcpProxy;
  let link: Link | null = null;
  let silentProxy: TestProxy | null = null;

  beforeAll(async () => {
    sshd = await startSshd();
  });
  beforeEach(async () => {
    network = await startTcpProxy(sshd.port);
  });
  afterEach(async () => {
    vi.useRealTimers();
    link?.disconnect();
    link = null;
    await network.stop();
    await silentProxy?.stop();
    silentProxy = null;
  });
  afterAll(() => sshd.stop());

  function make(more: Partial<TrustingLinkOptions> = {}) {
    const made = trustingLink({ sshd, port: network.port, ...more });
    link = made.link;
    return made;
  }

  /** From now on the test moves the clock; what is on the network moves by itself. */
  function holdTimers(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  }

  it('stays as it is when the box answers', async () => {
    const { link: up, states, connect } = make();
    await connect();
    const { connection } = up;
    const seen = states.seen.length;
    up.wake();
    expect(await connection?.prove()).toBe(true);
    expect(states.seen).toHaveLength(seen);
    expect(up.connection).toBe(connection);
  });

  it('is made anew at once when nobody answers', async () => {
    const { link: up, states, connect } = make();
    await connect();
    const lost = up.connection;
    const seen = states.seen.length;
    network.freeze(true);
    holdTimers();
    up.wake();
    up.wake(); // both the system and the network say so
    await vi.advanceTimersByTimeAsync(4900);
    expect(up.connection).toBe(lost);
    const trying = states.next('connecting');
    await vi.advanceTimersByTimeAsync(200);
    expect(await trying).toMatchObject({ attempt: 1 });
    expect(lost?.isGone()).toBe(true);
    expect(await lost?.closed).toMatchObject({ code: 'connect-timeout' });
    vi.useRealTimers();
    const back = states.next('up');
    network.freeze(false);
    await back;
    expect(states.kinds().slice(seen)).toEqual(['connecting', 'up']);
  });

  it('finds out by itself within 30 s that nobody answers, where nothing says so', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { link: up, states, connect } = make();
    await connect();
    const lost = up.connection;
    // It stands for as long as the box answers.
    for (let tens = 0; tens < 6; tens += 1) {
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await lost?.prove()).toBe(true);
    }
    network.freeze(true);
    const waiting = states.next('waiting');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await waiting).toMatchObject({ attempt: 1, problem: { code: 'connect-timeout' } });
    expect(lost?.isGone()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    network.freeze(false);
  });

  it('ends its wait and begins to count anew', async () => {
    const { link: waiting, states, connect } = make();
    await connect();
    await network.refuse(true);
    await states.next('waiting');
    const second = states.next('waiting');
    expect(await second).toMatchObject({ attempt: 2, problem: { code: 'unreachable' } });
    await network.refuse(false);
    const trying = states.next('connecting');
    const back = states.next('up');
    waiting.wake();
    expect(await trying).toMatchObject({ attempt: 1 });
    await back;
  });

  it('gives up dialling over the old network', async () => {
    silentProxy = await startProxy({ protocol: 'socks5', mischief: 'stall' });
    const { port } = silentProxy;
    const proxy = { protocol: 'socks5', host: '127.0.0.1', port, user: null } as const;
    const { link: stuck, states } = make({ route: { kind: 'proxy', proxy } });
    stuck.connect();
    await vi.waitUntil(() => silentProxy?.open() === 1);
    stuck.wake();
    expect(states.seen).toMatchObject([
      { kind: 'connecting', attempt: 1 },
      { kind: 'connecting', attempt: 1 },
    ]);
    await vi.waitUntil(() => silentProxy?.open() === 1 && silentProxy.taken() === 2);
  });

  it('lets a log-in go on that may be asking a person', async () => {
    let ask: () => void = () => undefined;
    const asking = new Promise<void>((resolve) => (ask = resolve));
    const { link: trying, states } = make({
      gatherCredentials: (_machine, signal) => {
        ask();
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(err(problem('aborted', 'stopped')))),
        );
      },
    });
    trying.connect();
    await asking;
    trying.wake();
    expect(states.kinds()).toEqual(['connecting']);
  });

  it('is left alone while only a person can go on', async () => {
    const { link: refused, states } = make({
      gatherCredentials: () => Promise.resolve(err(problem('no-credentials', 'none'))),
    });
    refused.wake();
    expect(states.seen).toEqual([]);
    const down = states.next('down');
    refused.connect();
    await down;
    const seen = states.seen.length;
    refused.wake();
    expect(states.seen).toHaveLength(seen);
  });
});
