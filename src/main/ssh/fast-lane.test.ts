import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { PassThrough } from 'node:stream';
import { utils } from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useOwnTmp } from '../storage/own-tmp.fixture.ts';
import { join } from '../tunnels/join.ts';
import { openBulkWay } from '../tunnels/bulk-way.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { openFastLane, type FastLane } from './fast-lane.ts';
import { fileSigner, type Signer } from './signer.ts';
import type { SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';
import { startTcpProxy } from './tcp-proxy.fixture.ts';

const lanesLeft = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('leasehold-lane-'));

useOwnTmp();

describe.skipIf(!hasSshd || process.platform === 'win32')(
  'the fast lane over the system’s ssh',
  () => {
    const bytes = randomBytes(24 * 1024 * 1024);
    let sshd: TestSshd;
    let target: Server;
    let targetPort: number;
    let connection: SshConnection;
    let counted: number;

    beforeAll(async () => {
      sshd = await startSshd();
      target = createServer((socket) => {
        socket.on('error', () => undefined); // tests that hang up early
        socket.end(bytes);
      }).listen(0, '127.0.0.1');
      await once(target, 'listening');
      targetPort = (target.address() as AddressInfo).port;
    });
    afterAll(async () => {
      target.close();
      await sshd.stop();
    });
    beforeEach(async () => {
      counted = 0;
      connection = await connectTo(sshd.port, sshd, (more) => (counted += more));
    });
    afterEach(async () => {
      connection.close();
      await connection.closed;
      // Neither a folder with a known_hosts file nor the sockets in it are left.
      await vi.waitFor(() => expect(lanesLeft()).toEqual([]));
    });

    async function open(): Promise<FastLane> {
      const opened = await connection.openFastLane(new AbortController().signal);
      if (!opened.ok) throw new Error(opened.error.detail ?? opened.error.message);
      return opened.value;
    }

    it('carries bytes unharmed, with a slow reader too, and leaves nothing', async () => {
      const lane = await open();
      const opened = await lane.openStream({ host: '127.0.0.1', port: targetPort });
      if (!opened.ok) throw new Error(opened.error.detail ?? '');
      const asking = new PassThrough({ highWaterMark: 1024 });
      let received = 0;
      join(asking, opened.value, {
        opened: () => undefined,
        closed: () => undefined,
        sent: () => undefined,
        received: (count) => (received += count),
      });
      // What `asking` writes out again would go back to the target; its readable side is what was received.
      const hash = createHash('sha256');
      asking.unpipe();
      for await (const chunk of asking) {
        hash.update(chunk as Buffer);
        if (received % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(received).toBe(bytes.length);
      // Beside these, what the link's own connection says meanwhile.
      expect(counted).toBeGreaterThanOrEqual(bytes.length);
      expect(counted).toBeLessThan(bytes.length + 100_000);
      lane.close();
      await lane.gone;
    });

    it('takes no more from a box than was asked for', async () => {
      const lane = await open();
      const file = await openFile(joinPath(tmpdir(), 'too-much'), 'w');
      const received = await lane.receive('head -c 3000000 /dev/zero', {
        ...{ input: '', into: file, mostBytes: 1000, onBytes: () => undefined },
        signal: new AbortController().signal,
      });
      expect(received).toMatchObject({ ok: false });
      expect(received.ok ? '' : received.error.detail).toContain('more than was asked for');
      await file.close();
      lane.close();
      await lane.gone;
    });

    it('accepts no other host key than the one of the link', async () => {
      const impostor = await startSshd();
      const refused = await openFastLane({
        signal: new AbortController().signal,
        address: { host: '127.0.0.1', port: impostor.port, user: impostor.user },
        isDirect: true,
        signer: signerOf(impostor.privateKey),
        hostKey: { type: 'ssh-ed25519', fingerprint: '', publicKey: otherKey() },
        onReceived: () => undefined,
      });
      expect(refused).toMatchObject({ ok: false, error: { code: 'tunnel-not-open' } });
      await impostor.stop();
    });

    it('is left to the link where something is in between', async () => {
      const refused = await openFastLane({
        signal: new AbortController().signal,
        address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
        isDirect: false,
        signer: signerOf(sshd.privateKey),
        hostKey: { type: 'ssh-ed25519', fingerprint: '', publicKey: otherKey() },
        onReceived: () => undefined,
      });
      expect(refused).toMatchObject({ ok: false, error: { code: 'tunnel-not-open' } });
    });

    it('is left to the link where the person’s own agent holds the key', async () => {
      const refused = await openFastLane({
        signal: new AbortController().signal,
        address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
        isDirect: true,
        signer: { ...signerOf(sshd.privateKey), isOurs: false },
        hostKey: { type: 'ssh-ed25519', fingerprint: '', publicKey: otherKey() },
        onReceived: () => undefined,
      });
      expect(refused).toMatchObject({ ok: false });
    });

    it('is taken once a tunnel is heavy and the runtime slow, and given up without harm', async () => {
      const said: string[] = [];
      const way = openBulkWay({
        connection,
        log: { info: (message) => void said.push(message) },
        heavyBytes: 10,
        isCryptoSlow: () => true,
      });
      way.count(9);
      expect(said).toEqual([]);
      way.count(1);
      await vi.waitFor(() => expect(said).toEqual(['bulk data goes over the system’s ssh']));
      const fast = await way.openStream({ host: '127.0.0.1', port: targetPort });
      expect(fast.ok).toBe(true);
      if (fast.ok) fast.value.destroy();
      way.close();
      await vi.waitFor(() => expect(lanesLeft()).toEqual([]));
      const slow = await way.openStream({ host: '127.0.0.1', port: targetPort });
      expect(slow.ok).toBe(true);
      if (slow.ok) slow.value.destroy();
    });

    it('is given up at once where nobody needs it any more before it is open', async () => {
      const frozen = await startTcpProxy(sshd.port);
      const link = await connectTo(frozen.port, sshd);
      frozen.freeze(true);
      const log = { info: () => undefined };
      const way = openBulkWay({ connection: link, log, heavyBytes: 1, isCryptoSlow: () => true });
      const began = vi.waitFor(() => expect(lanesLeft()).toHaveLength(1));
      way.count(1);
      await began;
      way.close();
      // Long before ssh itself would give up: afterEach would see it too, but not so soon.
      await vi.waitFor(() => expect(lanesLeft()).toEqual([]));
      link.close();
      frozen.freeze(false);
      await link.closed;
      await frozen.stop();
    });

    it('is not tried where the runtime is fast enough', async () => {
      const opened = vi.spyOn(connection, 'openFastLane');
      const log = { info: () => undefined };
      const way = openBulkWay({ connection, log, heavyBytes: 1, isCryptoSlow: () => false });
      way.count(100);
      expect(opened).not.toHaveBeenCalled();
      way.close();
    });
  },
);

/** A well-formed ed25519 key that nobody has. */
function signerOf(privateKey: string): Signer {
  const key = utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return fileSigner(key, 'test');
}

function otherKey(): string {
  const name = Buffer.from('ssh-ed25519');
  const length = (n: number): Buffer => Buffer.from([0, 0, 0, n]);
  return Buffer.concat([length(name.length), name, length(32), randomBytes(32)]).toString('base64');
}
