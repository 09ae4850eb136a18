import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { hasDropbear, startDropbear } from './dropbear.fixture.ts';
import type { RunBytesOptions } from './run-command.ts';
import type { ConnectOptions } from './single-connection.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type SshdOptions, type TestSshd } from './sshd.fixture.ts';
import { startTcpProxy } from './tcp-proxy.fixture.ts';

const MIB = 1024 * 1024;
/** Ends when nobody takes what it prints: sshd passes no signal on to a command of root, and waits for its end. */
const ENDLESS = 'while echo x; do sleep 0.05; done';

type Read<T> = RunBytesOptions<T>['read'];
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hashed: Read<string> = async (stdout) => {
  const hash = createHash('sha256');
  for await (const piece of stdout) hash.update(piece);
  return ok(hash.digest('hex'));
};
const whole: Read<Buffer> = async (stdout) => {
  const pieces: Buffer[] = [];
  for await (const piece of stdout) pieces.push(piece);
  return ok(Buffer.concat(pieces));
};
/** Tells of the first bytes, and reads on to the end. */
function telling(onFirst: () => void): Read<boolean> {
  return async (stdout) => {
    for await (const piece of stdout) if (piece.length > 0) onFirst();
    return ok(true);
  };
}
/** Cut anywhere, as a file on a disk would not be. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 3 + 1) % 200_003) {
    yield bytes.subarray(at, at + size);
  }
}

interface Server {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
}

async function connect(to: Server, more: Partial<ConnectOptions> = {}): Promise<SshConnection> {
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: to.port, user: to.user },
    credentials: [{ kind: 'key', privateKey: to.privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
    ...more,
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value;
}

async function bothWays(connection: SshConnection): Promise<void> {
  const bytes = randomBytes(64 * MIB);
  const input = Readable.from(pieces(bytes));
  const ran = await connection.runBytes('cat', { timeoutMs: null, input, read: hashed });
  expect(ran).toMatchObject({
    ok: true,
    value: { value: sha256(bytes), end: { kind: 'exited', code: 0 }, stderr: '' },
  });
}

describe.skipIf(!hasSshd)('bytes to and from a command on a real sshd', () => {
  let sshd: TestSshd;
  let connection: SshConnection;
  let home: string;
  beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'leasehold-bytes-'))));

  async function start(options: SshdOptions = {}, more: Partial<ConnectOptions> = {}) {
    sshd = await startSshd({ home, ...options });
    connection = await connect(sshd, more);
  }
  /** A server with one session in all: whoever does not give it back is found out. */
  const MEAGRE: SshdOptions = { configLines: ['MaxSessions 1'] };
  async function expectSeatFree(): Promise<void> {
    writeFileSync(`${sshd.keyFile}.pub`, ''); // no further log-in
    expect(await connection.run('echo there')).toMatchObject({ value: { stdout: 'there\n' } });
  }

  afterEach(async () => {
    connection.close();
    await connection.closed;
    await vi.waitFor(() => expect(sshd.connections()).toBe(0));
    await sshd.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('carries 64 MiB of random bytes both ways unchanged', async () => {
    await start(MEAGRE);
    await bothWays(connection);
    await expectSeatFree();
  });

  it('lets a box send ahead as much as was allowed, which a long way needs', async () => {
    await start();
    // It gets to its end while nobody reads on; with the usual 2 MiB it would never.
    const command = 'head -c 12000000 /dev/zero; : >"$HOME/printed"';
    const ran = await connection.runBytes(command, {
      ...{ timeoutMs: null, inFlightBytes: 16 * MIB },
      read: async (stdout) => {
        let bytes = 0;
        for await (const piece of stdout) {
          if (bytes === 0) {
            await vi.waitFor(() => expect(existsSync(join(home, 'printed'))).toBe(true));
          }
          bytes += piece.length;
        }
        return ok(bytes);
      },
    });
    expect(ran).toMatchObject({ ok: true, value: { value: 12_000_000 } });
  });

  it('lets the exit code decide, keeps stderr apart, and gives bytes that are no text as they are', async () => {
    await start();
    const ran = await connection.runBytes(`printf '\\377\\0\\r\\n'; echo oops >&2; exit 3`, {
      timeoutMs: 10_000,
      read: whole,
    });
    expect(ran).toEqual(
      ok({
        value: Buffer.from([0xff, 0, 13, 10]),
        stderr: 'oops\n',
        end: { kind: 'exited', code: 3 },
      }),
    );
    expect(
      await connection.runBytes('kill -9 $$', { timeoutMs: 10_000, read: whole }),
    ).toMatchObject({ value: { end: { kind: 'signalled', signal: 'SIGKILL' } } });
  });

  it('keeps what start-up files print before and after out of the bytes', async () => {
    writeFileSync(join(home, '.bashrc'), `head -c 100000 /dev/zero | tr '\\0' '\\377'; echo Hi\n`);
    await start({ loginShell: '/bin/bash' });
    const bytes = randomBytes(MIB);
    const ran = await connection.runBytes('cat; trap "echo Bye" 0', {
      timeoutMs: null,
      input: Readable.from([bytes]),
      read: hashed,
    });
    if (!ran.ok) throw new Error(ran.error.message);
    const bye = createHash('sha256').update(bytes).update('Bye\n').digest('hex');
    expect(ran.value.value).toBe(bye);
    expect(ran.value.noise).toMatch(/Hi\n$/);
  });

  it.each([
    ['alone', 'head -c 67108864 /dev/zero'],
    // With each word on stderr ssh2 would let the box send 2 MiB more.
    ['beside stderr', 'for i in $(seq 64); do echo "$i" >&2; head -c 1048576 /dev/zero; done'],
  ])(
    'lets a slow reader hold up the box: what is on its way is bounded, %s',
    async (_how, line) => {
      let received = 0;
      await start({}, { onReceived: (bytes) => (received += bytes) });
      let isStill = false;
      const ran = await connection.runBytes(line, {
        timeoutMs: null,
        read: async (stdout) => {
          let taken = 0;
          for await (const piece of stdout) {
            taken += piece.length;
            if (isStill) continue;
            // Until nothing more comes: the box has sent all that it may.
            for (let before = -1; before !== received;) {
              before = received;
              await delay(200);
            }
            isStill = true;
            expect(received - taken).toBeLessThan(3 * MIB);
          }
          return ok(taken);
        },
      });
      expect(ran).toMatchObject({ value: { value: 64 * MIB } });
    },
  );

  it('asks its source for no more than a slow command takes', async () => {
    await start();
    let given = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for (; given < 256 * MIB; given += MIB) yield Buffer.alloc(MIB);
    }
    const stopper = new AbortController();
    const running = connection.runBytes('echo begun; sleep 100 & wait', {
      timeoutMs: null,
      signal: stopper.signal,
      input: source(),
      read: telling(() => undefined),
    });
    for (let before = -1; before !== given || given === 0;) {
      before = given;
      await delay(300);
    }
    expect(given).toBeLessThan(8 * MIB);
    stopper.abort();
    expect(await running).toMatchObject({ error: { code: 'aborted' } });
  });

  it('stops in the middle on request, closes the source and gives the session back', async () => {
    await start(MEAGRE);
    const stopper = new AbortController();
    let isClosed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        isClosed = true;
      }
    }
    const ran = await connection.runBytes('cat', {
      timeoutMs: null,
      signal: stopper.signal,
      input: source(),
      read: telling(() => stopper.abort()),
    });
    expect(ran).toMatchObject({ ok: false, error: { code: 'aborted', mayHaveRun: true } });
    await vi.waitFor(() => expect(isClosed).toBe(true));
    await expectSeatFree();
  });

  it('ends at its deadline, and gives the session back', async () => {
    await start(MEAGRE);
    const ran = await connection.runBytes(ENDLESS, { timeoutMs: 300, read: whole });
    expect(ran).toMatchObject({ error: { code: 'command-timeout', mayHaveRun: true } });
    await expectSeatFree();
  });

  it('says that the link was lost in the middle; whoever reads is not left waiting', async () => {
    sshd = await startSshd({ home });
    const proxy = await startTcpProxy(sshd.port);
    connection = await connect({ ...sshd, port: proxy.port });
    let hasEnded = false;
    const ran = await connection.runBytes('cat; sleep 100', {
      timeoutMs: null,
      input: Readable.from([Buffer.from('x')]),
      read: async (stdout) => {
        for await (const piece of stdout) if (piece.length > 0) proxy.cut();
        hasEnded = true;
        return ok(null);
      },
    });
    expect(ran).toMatchObject({ ok: false, error: { code: 'link-lost', mayHaveRun: true } });
    expect(hasEnded).toBe(true);
    await proxy.stop();
  });

  it('is not held up by a command that leaves its input unread: the exit code decides', async () => {
    await start(MEAGRE);
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield await Promise.resolve(Buffer.alloc(65_536, 'y'));
    }
    const ran = await connection.runBytes('head -c 10', {
      timeoutMs: null,
      input: endless(),
      read: whole,
    });
    expect(ran).toMatchObject({
      value: { value: Buffer.from('y'.repeat(10)), end: { kind: 'exited', code: 0 } },
    });
    // Nor by a source that has nothing for now.
    const silent = Readable.from(
      (async function* (): AsyncGenerator<Buffer> {
        yield Buffer.from('z');
        await new Promise(() => undefined);
      })(),
    );
    expect(
      await connection.runBytes('head -c 1; exit 4', {
        timeoutMs: null,
        input: silent,
        read: whole,
      }),
    ).toMatchObject({ value: { end: { kind: 'exited', code: 4 } } });
    await expectSeatFree();
  });

  it.each<[string, Result<null, Problem>, object]>([
    ['with what it wanted', ok(null), { value: { end: { kind: 'unknown', because: null } } }],
    ['with a Problem', err(problem('disk-full', 'Full.')), { error: { code: 'disk-full' } }],
  ])('ends the command where its reader leaves early %s', async (_how, answer, expected) => {
    await start(MEAGRE);
    const ran = await connection.runBytes('yes', {
      timeoutMs: null,
      read: async (stdout) => {
        for await (const piece of stdout) if (piece.length > 0) break;
        return answer;
      },
    });
    expect(ran).toMatchObject(expected);
    await expectSeatFree();
  });

  it('hands a fault of the source or the reader to the caller, and ends the command', async () => {
    await start(MEAGRE);
    async function* broken(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from('x'));
      throw new Error('the disk is gone');
    }
    await expect(
      connection.runBytes('cat', { timeoutMs: null, input: broken(), read: whole }),
    ).rejects.toThrow('the disk is gone');
    await expect(
      connection.runBytes('yes', {
        timeoutMs: null,
        read: () => Promise.reject(new Error('no room')),
      }),
    ).rejects.toThrow('no room');
    await expectSeatFree();
  });

  it('refuses by name where a terminal is put around commands, and begins nothing', async () => {
    await start({
      configLines: [`ForceCommand exec script -qec "$SSH_ORIGINAL_COMMAND" /dev/null`],
    });
    const made = join(home, 'made');
    const ran = await connection.runBytes(`cat > ${made}`, {
      timeoutMs: 10_000,
      input: Readable.from([Buffer.from('x')]),
      read: whole,
    });
    expect(ran).toMatchObject({ ok: false, error: { code: 'terminal-in-between' } });
    expect(existsSync(made)).toBe(false);
    expect(await connection.run('true')).toMatchObject({ value: { end: { code: 0 } } });
  });

  it('refuses by name where another command runs in place of ours, and sends it nothing', async () => {
    const got = join(home, 'got');
    await start({ configLines: [`ForceCommand head -c 1 </dev/null; cat >${got}; echo no`] });
    const running = connection.runBytes('cat', {
      // Until then it has begun.
      timeoutMs: 5000,
      input: Readable.from([Buffer.from('a secret')]),
      read: whole,
    });
    expect(await running).toMatchObject({ error: { code: 'command-timeout' } });
    await vi.waitFor(() => expect(readFileSync(got, 'utf8')).toBe(''));
  });
});

it.skipIf(!hasDropbear)('bytes both ways on a real dropbear, unchanged', async () => {
  const dropbear = await startDropbear();
  const connection = await connect(dropbear);
  await bothWays(connection);
  connection.close();
  await connection.closed;
  await dropbear.stop();
});
