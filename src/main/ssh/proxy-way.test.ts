import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Proxy } from '../../shared/boxes/route.ts';
import { ok } from '../../shared/result.ts';
import { startProxy, type ProxyOptions, type TestProxy } from './proxy.fixture.ts';
import { throughProxy } from './proxy-way.ts';
import { openConnection } from './ssh-connection.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const LOGIN = { user: 'me', password: 'pä55 word' };
const running: TestProxy[] = [];

async function proxyFor(options: ProxyOptions): Promise<TestProxy & { readonly proxy: Proxy }> {
  const started = await startProxy(options);
  running.push(started);
  const { protocol, login } = options;
  const proxy: Proxy = {
    protocol,
    host: '127.0.0.1',
    port: started.port,
    user: login?.user ?? null,
  };
  return { ...started, proxy };
}

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
});

function wayTo(
  proxy: Proxy,
  { port = 9, host = '127.0.0.1', password = null as string | null, timeoutMs = 10_000 } = {},
) {
  return throughProxy({
    proxy,
    target: { host, port, user: 'root' },
    password: () => ok(password),
    timeoutMs,
  });
}

describe.each(['socks5', 'http'] as const)('a way through a %s proxy', (protocol) => {
  it.each([
    ['garbage', 'proxy-garbled', /does not speak/],
    ['flood', 'proxy-garbled', /does not speak/],
    ['hang-up', 'proxy-garbled', /hung up/],
    ['hang-up-later', 'proxy-garbled', /hung up/],
    ['refuse', 'proxy-refused', /did not connect to 127.0.0.1 port 9/],
  ] as const)('names a proxy of which the mischief is %s', async (mischief, code, message) => {
    const { proxy, open } = await proxyFor({ protocol, mischief });
    const opened = await wayTo(proxy)(new AbortController().signal);
    expect(opened).toMatchObject({ ok: false, error: { code, reach: 'no-way' } });
    expect(opened.ok ? '' : opened.error.message).toMatch(message);
    expect(opened.ok ? '' : opened.error.message).not.toMatch(/[^\x20-\x7e]/);
    await expect.poll(open).toBe(0);
  });

  it('gives up on one that says nothing, and lets the person stop waiting', async () => {
    const { proxy, open } = await proxyFor({ protocol, mischief: 'stall' });
    const late = await wayTo(proxy, { timeoutMs: 1 })(new AbortController().signal);
    expect(late).toMatchObject({ error: { code: 'proxy-timeout', reach: 'no-way' } });
    const stopper = new AbortController();
    const waiting = wayTo(proxy)(stopper.signal);
    stopper.abort();
    expect(await waiting).toMatchObject({ error: { code: 'aborted' } });
    await expect.poll(open).toBe(0);
  });

  it('tells a missing password from a wrong one, and a proxy that wants a login', async () => {
    const { proxy } = await proxyFor({ protocol, login: LOGIN });
    const { signal } = new AbortController();
    expect(await wayTo(proxy)(signal)).toMatchObject({ error: { code: 'proxy-password-missing' } });
    const wrong = await wayTo(proxy, { password: 'wrong' })(signal);
    expect(wrong).toMatchObject({ error: { code: 'proxy-login-refused' } });
    expect(JSON.stringify(wrong)).not.toContain('wrong');
    if (protocol === 'http') {
      expect(await wayTo({ ...proxy, user: null })(signal)).toMatchObject({
        error: { code: 'proxy-login-refused' },
      });
    }
  });

  it('names a proxy that is not there', async () => {
    const proxy: Proxy = { protocol, host: '127.0.0.1', port: await freePort(), user: null };
    expect(await wayTo(proxy)(new AbortController().signal)).toMatchObject({
      error: { code: 'proxy-unreachable', reach: 'no-way' },
    });
  });
});

describe('what a SOCKS5 proxy is asked for', () => {
  it.each([
    ['gpu.example', 'gpu.example 9'],
    ['2001:db8::1', '2001:0db8:0000:0000:0000:0000:0000:0001 9'],
    ['::ffff:192.0.2.1', '0000:0000:0000:0000:0000:ffff:c000:0201 9'],
    ['192.0.2.7', '192.0.2.7 9'],
  ])('keeps %s as it is', async (host, expected) => {
    const { proxy, asked } = await proxyFor({ protocol: 'socks5', mischief: 'refuse' });
    await wayTo(proxy, { host })(new AbortController().signal);
    expect(asked).toEqual([expected]);
  });
});

describe.skipIf(!hasSshd)('SSH through a proxy', () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  it.each([
    ['socks5', null],
    ['socks5', 'eager'],
    ['http', null],
    ['http', 'eager'],
  ] as const)('runs commands through %s, answer cut: %s', async (protocol, mischief) => {
    const { proxy, open } = await proxyFor({ protocol, mischief, login: LOGIN });
    const address = { host: '127.0.0.1', port: sshd.port, user: sshd.user };
    const opened = await openConnection({
      address,
      openWay: wayTo(proxy, { port: sshd.port, password: LOGIN.password }),
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: ({ fingerprint }) => (fingerprint === sshd.fingerprint ? 'accept' : 'refuse'),
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.latencyMs).toBeNull();
    expect(await opened.value.run('echo through')).toMatchObject({
      value: { stdout: 'through\n' },
    });
    opened.value.close();
    await opened.value.closed;
    await expect.poll(open).toBe(0);
  });

  it('names the box when the proxy dies under a live link', async () => {
    const { proxy, stop } = await proxyFor({ protocol: 'socks5' });
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
      openWay: wayTo(proxy, { port: sshd.port }),
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    running.splice(0);
    await stop();
    expect(await opened.value.closed).toMatchObject({ code: 'link-lost' });
  });
});
