import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startProxy, type ProxyOptions, type TestProxy } from '../ssh/proxy.fixture.ts';
import { freePort } from '../ssh/sshd.fixture.ts';
import { runFixture } from '../storage/disk.fixture.ts';
import { startHookServer, type HookServer } from './http-server.fixture.ts';
import { postJson, type Post } from './post-json.ts';
import type { FindProxies } from './way-out.ts';

const POST_TRUSTING = new URL('./post-trusting.fixture.ts', import.meta.url);

let server: HookServer;
let running: TestProxy[];
beforeEach(async () => {
  running = [];
  server = await startHookServer();
});
afterEach(async () => {
  for (const each of running) {
    await expect.poll(each.open).toBe(0);
    await each.stop();
  }
  expect(await server.connections()).toBe(0);
  await server.stop();
});

async function startOne(options: ProxyOptions): Promise<TestProxy> {
  const started = await startProxy(options);
  running.push(started);
  return started;
}

function post(findProxies: FindProxies, part: Partial<Post> = {}) {
  const url = new URL(server.url);
  const { signal } = new AbortController();
  return postJson({ url, body: '{}', id: '1', authorization: null, findProxies, signal, ...part });
}
const saying =
  (text: string): FindProxies =>
  () =>
    Promise.resolve(text);

it.each([
  ['http', 'PROXY'],
  ['socks5', 'SOCKS5'],
] as const)('posts through the %s proxy that the system names', async (protocol, word) => {
  const proxy = await startOne({ protocol });
  const outcome = await post(saying(`${word} 127.0.0.1:${proxy.port}`));
  expect(outcome).toEqual({ kind: 'delivered' });
  expect(proxy.taken()).toBe(1);
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.headers.host).toBe(`127.0.0.1:${server.port}`);
});

it('asks the system about the origin alone: the rest of the address is a secret', async () => {
  const asked: string[] = [];
  await post((origin) => {
    asked.push(origin);
    return Promise.resolve('DIRECT');
  });
  expect(asked).toEqual([`http://127.0.0.1:${server.port}/`]);
});

it('takes the next way only where nobody is at the one before', async () => {
  const refusing = await startOne({ protocol: 'http', mischief: 'refuse' });
  const nobody = `PROXY 127.0.0.1:${await freePort()}`;
  expect(await post(saying(`${nobody}; DIRECT`))).toEqual({ kind: 'delivered' });
  expect(await post(saying(`PROXY 127.0.0.1:${refusing.port}; DIRECT`))).toMatchObject({
    kind: 'failed',
    because: expect.stringMatching(
      /did not connect to 127\.0\.0\.1 port \d+: it answered 403/,
    ) as string,
  });
  expect(await post(saying(nobody))).toMatchObject({
    because: expect.stringMatching(/^nothing answers at the HTTP proxy/) as string,
  });
  expect(server.received).toHaveLength(1);
});

it.each([
  ['a proxy that asks for a login', { login: { user: 'me', password: 'x' } }, /asks for a login/],
  ['one that does not speak HTTP', { mischief: 'garbage' }, /does not speak HTTP/],
] as const)('names %s, and goes no other way', async (_what, part, because) => {
  const proxy = await startOne({ protocol: 'http', ...part });
  expect(await post(saying(`PROXY 127.0.0.1:${proxy.port}`))).toMatchObject({
    kind: 'failed',
    because: expect.stringMatching(because) as string,
  });
  expect(server.received).toEqual([]);
});

it.each([
  ['a kind of proxy that is not used here', saying('SOCKS 127.0.0.1:9'), /of a kind/],
  ['a system that does not say', () => Promise.reject(new Error('x')), /did not say/],
] as const)('does not go straight there past %s', async (_what, findProxies, because) => {
  expect(await post(findProxies)).toMatchObject({
    because: expect.stringMatching(because) as string,
  });
  expect(server.received).toEqual([]);
});

it('waits no longer for a silent proxy or system than for a silent receiver', async () => {
  const proxy = await startOne({ protocol: 'http', mischief: 'stall' });
  const late = { kind: 'failed', because: 'no answer within 0.2 s', askedMs: null };
  const silent = saying(`PROXY 127.0.0.1:${proxy.port}`);
  expect(await post(silent, { timeoutMs: 200 })).toEqual(late);
  expect(await post(() => new Promise(() => undefined), { timeoutMs: 200 })).toEqual(late);
});

/** For localhost, signed by itself; the test removes the folder. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', keyFile, '-out', certFile, '-days', '2'];
  execFileSync('openssl', [...made, ...files, ...name], { stdio: 'ignore' });
  return { folder, certFile, key: readFileSync(keyFile), cert: readFileSync(certFile) };
}

it('delivers to https through a proxy, which is told the host and nothing else', async () => {
  const { folder, certFile, key, cert } = makeCertificate();
  const received: unknown[] = [];
  const secure = createSecureServer({ key, cert }, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push([request.url, request.headers.authorization, body]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.address() as AddressInfo;
  const proxy = await startOne({ protocol: 'http' });
  vi.stubEnv('NODE_EXTRA_CA_CERTS', certFile);
  // The same server by a name that its certificate does not hold.
  const urls = ['localhost', '127.0.0.1'].map((host) => `https://${host}:${port}/hook/secret`);
  const { lines, stderr } = await runFixture(POST_TRUSTING, [String(proxy.port), ...urls]);
  vi.unstubAllEnvs();
  expect({ stderr, outcomes: lines.map((line): unknown => JSON.parse(line)) }).toMatchObject({
    stderr: '',
    outcomes: [
      { kind: 'delivered' },
      { kind: 'failed', because: 'its certificate is for another host' },
    ],
  });
  expect(received).toEqual([['/hook/secret', 'Bearer of-the-topic', '{"source":"leasehold"}']]);
  expect(proxy.asked).toEqual([`localhost:${port}`, `127.0.0.1:${port}`]);
  await new Promise((resolve) => secure.close(resolve));
  rmSync(folder, { recursive: true });
});

it('checks the certificate behind a proxy too, against the host that was entered', async () => {
  const { folder, key, cert } = makeCertificate();
  const names: string[] = [];
  const secure = createSecureServer(
    {
      key,
      cert,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    () => {
      throw new Error('a request came through');
    },
  );
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.address() as AddressInfo;
  const proxy = await startOne({ protocol: 'http' });
  const url = new URL(`https://localhost:${port}/hook`);
  const outcome = await post(saying(`PROXY 127.0.0.1:${proxy.port}`), { url });
  expect(outcome).toMatchObject({ kind: 'failed', because: 'its certificate is self-signed' });
  expect(proxy.asked).toEqual([`localhost:${port}`]);
  expect(names).toEqual(['localhost']);
  await new Promise((resolve) => secure.close(resolve));
  rmSync(folder, { recursive: true });
});
