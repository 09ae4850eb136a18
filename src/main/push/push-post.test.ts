import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { answer, startHookServer } from '../webhook/http-server.fixture.ts';
import { ACCESS_TOKEN, PushBox, value } from './push-box.fixture.ts';

const BUSYBOX = '/usr/bin/busybox';

describe.skipIf(!hasSshd || process.platform !== 'linux')('what a box posts', () => {
  let box: PushBox;
  beforeAll(async () => {
    box = new PushBox();
    await box.open();
  });
  afterAll(() => box.close());
  beforeEach(() => box.begin());
  afterEach(() => box.finish());

  it('is tried again where that can help, given up where it cannot, and follows no redirect', async () => {
    const elsewhere = await startHookServer();
    box.server.plan.push(answer(503), answer(302, { location: elsewhere.url }));
    const waiter = await box.arm();
    await box.run.end();
    await vi.waitFor(async () =>
      expect(await box.stateOf(waiter)).toMatchObject({
        isDelivered: false,
        post: { status: 302 },
      }),
    );
    expect(box.server.received).toHaveLength(2);
    expect(elsewhere.received).toEqual([]);
    await elsewhere.stop();
  });

  it('is told of a test in bounded time, however the other end behaves', async () => {
    const { server } = box;
    expect(await box.test(server.url)).toBe('accepted with HTTP 200');
    expect(server.received[0]?.body).toContain('"because":"test"');
    server.plan.push(answer(403));
    expect(await box.test(server.url)).toContain('the access token is missing');
    server.plan.push(() => undefined);
    expect(await box.test(server.url)).toBe('no answer came in time');
    let drip: ReturnType<typeof setInterval> | undefined;
    server.plan.push((response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write('x'), 50);
    });
    // An answer without end counts by its status.
    expect(await box.test(server.url)).toBe('accepted with HTTP 200');
    clearInterval(drip);
    expect(await box.test('https://no-such-host.invalid/x')).toContain('could not find out');
    expect(await box.test('http://127.0.0.1:1/x')).toContain('could not connect');
  });

  it('goes to a server only if the box trusts its certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-tls-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
    const files = ['-keyout', keyFile, '-out', certFile, '-days', '2', '-subj', '/CN=localhost'];
    const name = ['-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...made, ...files, ...name], { stdio: 'ignore' });
    const got: (string | undefined)[] = [];
    const secure = createSecureServer(
      { key: readFileSync(keyFile), cert: readFileSync(certFile) },
      (request, response) => {
        got.push(request.url);
        response.end();
      },
    );
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    const url = `https://localhost:${String(port)}/hook`;
    expect(await box.test(url)).toContain('certificate is not trusted');
    expect(got).toEqual([]);
    await box.within({ env: { CURL_CA_BUNDLE: certFile } }, async () => {
      expect(await box.test(url)).toBe('accepted with HTTP 200');
    });
    expect(got).toEqual(['/hook']);
    await new Promise((resolve) => secure.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('cannot become another line of what the tools read', async () => {
    const broken = await box.plan(box.to(box.server.url, 'a\nurl = http://127.0.0.1/'));
    expect(broken).toMatchObject({ error: { code: 'bad-input' } });
    // A person's own configuration of curl would lead elsewhere.
    writeFileSync(join(box.home, '.curlrc'), 'proxy = "http://127.0.0.1:1"\n');
    expect(await box.test(`${box.server.url}?a="\\b`)).toBe('accepted with HTTP 200');
    expect(box.server.received[0]?.path).toMatch(/\?a=%22(?:\\|%5C)b$/);
    rmSync(join(box.home, '.curlrc'));
  });

  it.skipIf(!existsSync('/usr/bin/wget'))(
    'goes with GNU Wget as well, and is as well hidden',
    async () => {
      await box.within({ path: programs(['wget']) }, async () => {
        expect(value(await box.plan()).tool).toBe('wget');
        const waiter = await box.arm();
        box.expectHidden();
        let finish: () => void = () => undefined;
        box.server.plan.push((response) => (finish = () => response.end('ok')));
        await box.run.end();
        await box.server.gotten(1);
        box.expectUnseen();
        expect(statSync(join(box.folder(waiter.id), 'wgetrc')).mode & 0o777).toBe(0o600);
        finish();
        await vi.waitFor(async () =>
          expect(await box.stateOf(waiter)).toMatchObject({
            isDelivered: true,
            post: { tool: 'wget', status: 200 },
          }),
        );
        const [got] = box.server.received;
        expect(got?.headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`);
        expect(JSON.parse(got?.body ?? '')).toMatchObject({ box: 'train "a"' });
        expect(readdirSync(box.folder(waiter.id))).not.toContain('wgetrc');
        box.server.plan.push(answer(302, { location: box.server.url }));
        expect(await box.test(box.server.url)).toContain('HTTP 302');
        expect(box.server.received).toHaveLength(2);
      });
    },
  );

  it.skipIf(!existsSync(BUSYBOX))('goes from the shell and with the tools of busybox', async () => {
    await box.within({ path: programs(['curl'], BUSYBOX) }, async () => {
      const old = await box.arm();
      await box.arm(); // takes its place
      expect((await box.look()).waiters.map(({ id }) => id)).not.toContain(old.id);
      // Without setsid, what hangs up the session reaches it.
      for (const pid of await box.hasWaiters(1)) process.kill(pid, 'SIGHUP');
      expect(await box.look()).toMatchObject({ waiters: [{ state: { kind: 'waiting' } }] });
      box.expectHidden();
      await box.run.end();
      await box.server.gotten(1);
      expect(box.server.received[0]?.headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`);
    });
  });

  it('is refused before anything goes to a box that has nothing to post with', async () => {
    const bin = programs([]);
    writeFileSync(join(bin, 'wget'), '#!/bin/sh\necho BusyBox\n');
    chmodSync(join(bin, 'wget'), 0o755);
    await box.within({ path: bin }, async () => {
      expect(await box.plan()).toMatchObject({
        error: { code: 'push-no-tool', nextStep: expect.stringContaining('curl') as string },
      });
    });
  });

  it('is refused where nothing that is started there could be read back', async () => {
    const proc = mkdtempSync(join(box.home, 'proc-'));
    await box.within({ env: { LEASEHOLD_PROC_ROOT: proc } }, async () => {
      expect(await box.plan()).toMatchObject({
        error: {
          code: 'push-not-armed',
          nextStep: expect.stringContaining('Tell me when') as string,
        },
      });
    });
  });

  /** A folder with these programs, and what a plain box has besides. */
  function programs(wanted: readonly string[], all?: string): string {
    const bin = mkdtempSync(join(box.home, 'bin-'));
    const usual = 'sh cat cut grep head tail sed tr rm mkdir mktemp date sleep kill timeout';
    for (const tool of usual.split(' ')) symlinkSync(all ?? `/usr/bin/${tool}`, join(bin, tool));
    for (const tool of wanted) symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
    return bin;
  }
});
