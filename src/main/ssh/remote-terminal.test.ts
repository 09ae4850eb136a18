import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExitStatus } from './exit-status.ts';
import type { RemoteTerminal, TerminalOptions } from './remote-terminal.ts';
import { makeReadableKeyPair } from './readable-key-pair.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const MIB = 1024 * 1024;
const IN_FLIGHT = 256 * 1024;
const SIZE = { cols: 80, rows: 24 };
const opened: SshConnection[] = [];

async function connect(port: number, user: string, privateKey: string): Promise<SshConnection> {
  const result = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ''}`);
  opened.push(result.value);
  return result.value;
}

async function open(
  connection: SshConnection,
  more: Partial<TerminalOptions> & Pick<TerminalOptions, 'onOutput'>,
): Promise<RemoteTerminal> {
  // Output can come with the very answer that opens the terminal; tests get it once they hold the terminal.
  const early: Buffer[] = [];
  let isHeld = false;
  const result = await connection.openTerminal({
    size: SIZE,
    inFlightBytes: IN_FLIGHT,
    ...more,
    onOutput: (bytes) => (isHeld ? more.onOutput(bytes) : void early.push(bytes)),
  });
  if (!result.ok) throw new Error(result.error.detail ?? result.error.message);
  setImmediate(() => {
    isHeld = true;
    early.forEach(more.onOutput);
  });
  return result.value;
}

/** What ssh2's server keeps to itself: it sends whatever the window says. */
interface Inside {
  readonly _protocol: { channelData(channel: number, data: Buffer): void };
}

/** Resolves as soon as the collected output satisfies. */
function collector(isEnough: (text: string) => boolean) {
  let text = '';
  let finish: (text: string) => void = () => undefined;
  const done = new Promise<string>((resolve) => (finish = resolve));
  return {
    done,
    take: (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (isEnough(text)) finish(text);
    },
  };
}

describe.skipIf(!hasSshd)('a terminal on a real sshd', () => {
  let sshd: TestSshd;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-terminal-'));
    // A home of its own: what this machine's user has in a shell's start-up files is nobody's test.
    sshd = await startSshd({ home: folder });
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) {
      connection.close();
      await connection.closed;
    }
  });
  afterAll(async () => {
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const login = () => connect(sshd.port, sshd.user, sshd.privateKey);

  it('is a terminal of the asked kind and size, and follows a new size', async () => {
    const connection = await login();
    const { take, done } = collector((text) => text.includes('30 100'));
    const terminal = await open(connection, {
      command: `exec sh -c 'trap "stty size" WINCH; echo $TERM; stty size; while :; do sleep 0.05; done'`,
      onOutput: (bytes) => {
        take(bytes);
        terminal.consumed(bytes.length);
        if (bytes.includes('24 80')) terminal.resize({ cols: 100, rows: 30 });
      },
    });
    expect(await done).toMatch(/xterm-256color\r\n24 80\r\n[^]*30 100/);
    terminal.close();
  });

  it('is a login shell without a command, takes input and tells how it ended', async () => {
    const connection = await login();
    const { take, done } = collector((text) => /-\d+-/.test(text));
    const terminal = await open(connection, {
      onOutput: (bytes) => {
        take(bytes);
        terminal.consumed(bytes.length);
      },
    });
    terminal.write(Buffer.from('echo "-$((40+2))-"; exit 7\r'));
    expect(await done).toContain('-42-');
    expect(await terminal.ended).toEqual({ kind: 'exited', code: 7 });
  });

  it('loses no byte, and holds the box back while nobody consumes', async () => {
    const connection = await login();
    const file = join(folder, 'flood');
    const content = Buffer.alloc(12 * 1024 * 1024);
    for (let i = 0; i < content.length; i += 1) content[i] = 33 + ((i * 7 + (i >> 9)) % 90);
    writeFileSync(file, content);
    const hash = createHash('sha256');
    let unconsumed = 0;
    let mostUnconsumed = 0;
    let received = 0;
    const waiting: number[] = [];
    const terminal = await open(connection, {
      command: `exec sh -c 'stty -opost; cat ${file}'`,
      onOutput: (bytes) => {
        hash.update(bytes);
        received += bytes.length;
        unconsumed += bytes.length;
        // After the first 2 MiB, which ssh2 grants before anybody is asked.
        if (received > 3 * 1024 * 1024) mostUnconsumed = Math.max(mostUnconsumed, unconsumed);
        waiting.push(bytes.length);
        setImmediate(() => {
          const length = waiting.shift()!;
          unconsumed -= length;
          terminal.consumed(length);
        });
      },
    });
    await terminal.ended;
    expect(received).toBe(content.length);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    expect(mostUnconsumed).toBeLessThanOrEqual(IN_FLIGHT);
  });

  it('stops the box for good when nothing is consumed', async () => {
    const connection = await login();
    let received = 0;
    const terminal = await open(connection, {
      command: 'exec yes',
      onOutput: (bytes) => (received += bytes.length),
    });
    await vi.waitFor(() => expect(received).toBeGreaterThan(0));
    // A command that runs to its end over the same connection: everything that was on the way has arrived.
    for (let i = 0; i < 5; i += 1) await connection.run('true');
    for (let i = 0; i < 5; i += 1) await connection.run('true');
    expect(received).toBeLessThanOrEqual(2 * 1024 * 1024);
    terminal.close();
  });

  it('ends with the connection and says that nothing is known', async () => {
    const connection = await login();
    const terminal = await open(connection, { command: 'exec cat', onOutput: () => undefined });
    connection.close();
    expect(await terminal.ended).toMatchObject({ kind: 'unknown' });
  });

  it('answers a problem when there is no connection any more', async () => {
    const connection = await login();
    connection.close();
    await connection.closed;
    const result = await connection.openTerminal({
      size: SIZE,
      inFlightBytes: IN_FLIGHT,
      onOutput: () => undefined,
    });
    expect(result).toMatchObject({ ok: false });
  });
});

describe('a terminal on a box that lies', () => {
  const keys = makeReadableKeyPair();
  let server: ssh2.Server;
  let connection: SshConnection;
  let serve: (channel: ssh2.ServerChannel, inside: Inside) => void = () => undefined;

  beforeEach(async () => {
    server = new ssh2.Server({ hostKeys: [keys.private] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (attempt) => attempt.accept());
      client.on('session', (accept) => {
        const session = accept();
        session.on('pty', (answer) => answer());
        session.on('shell', (answer) => serve(answer(), client as unknown as Inside));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    connection = await connect((server.address() as AddressInfo).port, 'x', keys.private);
  });
  afterEach(async () => {
    connection.close();
    await connection.closed;
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['at first', 0],
    ['after it was allowed more again and again', 8],
  ])(
    'ends with its connection when it sends more than it was allowed to, %s',
    async (_when, mib) => {
      let received = 0;
      const honest = mib * MIB;
      serve = (channel, { _protocol }) => {
        channel.on('close', () => undefined); // it goes on whatever it is told
        const lie = (): void => {
          for (let sent = 0; sent < 8 * MIB; sent += 32_768) {
            _protocol.channelData(0, Buffer.alloc(32_768, 'x'));
          }
        };
        if (honest === 0) lie();
        else channel.write(Buffer.alloc(honest, 'x'), lie);
      };
      const terminal = await open(connection, {
        onOutput: (bytes) => {
          received += bytes.length;
          if (received <= honest) terminal.consumed(bytes.length);
        },
      });
      let end: ExitStatus | null = null;
      void terminal.ended.then((ended) => (end = ended));
      await vi.waitFor(() =>
        expect(end).toMatchObject({ kind: 'unknown', because: { code: 'link-lost' } }),
      );
      expect((await connection.closed).detail).toContain('more than it was allowed to');
      expect(received).toBeLessThanOrEqual(honest + 2 * MIB);
    },
  );

  it('counts input that it does not read', async () => {
    serve = (channel) => channel.pause();
    const terminal = await open(connection, { onOutput: () => undefined });
    for (let i = 0; i < 5; i += 1) terminal.write(Buffer.alloc(1024 * 1024, 'x'));
    expect(terminal.pendingInputBytes).toBeGreaterThan(2 * 1024 * 1024);
    terminal.close();
  });
});
