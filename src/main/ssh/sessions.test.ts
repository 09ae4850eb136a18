import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Crowding } from '../../shared/boxes/crowding.ts';
import { hasDropbear, startDropbear, unlessItAsserts } from './dropbear.fixture.ts';
import { directWay } from './direct-way.ts';
import type { RemoteProcess } from './remote-process.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

const TERMINAL = {
  size: { cols: 80, rows: 24 },
  inFlightBytes: 1_000_000,
  onOutput: () => undefined,
};
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Ends when nobody takes what it prints: sshd passes no signal on to a command of root, and waits for its end. */
const ENDLESS = 'while echo x; do sleep 0.2; done';

describe.skipIf(!hasSshd || process.platform !== 'linux')('sessions on a real OpenSSH', () => {
  let sshd: TestSshd;
  let connection: SshConnection;
  let home: string;
  beforeAll(() => void (home = mkdtempSync(join(tmpdir(), 'leasehold-home-'))));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  async function start(...configLines: string[]): Promise<void> {
    // Not this machine's own start-up files: they would take longer than the commands.
    sshd = await startSshd({ configLines, home });
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    connection = opened.value;
  }

  async function stream(signal?: AbortSignal): Promise<RemoteProcess> {
    const started = await connection.start(ENDLESS, signal);
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
    return started.value;
  }

  /** No further log-in succeeds; who is in stays in. */
  function revokeKey(): void {
    writeFileSync(`${sshd.keyFile}.pub`, '');
  }

  afterEach(async () => {
    vi.restoreAllMocks();
    connection.close();
    await connection.closed;
    // Everything that was opened beside it is gone too.
    await vi.waitFor(() => expect(sshd.connections()).toBe(0));
    await sshd.stop();
  });

  it.each(['MaxSessions 1', 'MaxSessions 2', 'MaxSessions 10'])(
    'runs 30 commands at once with %s, none refused and none mixed up',
    async (line) => {
      await start(line);
      const runs = Array.from({ length: 30 }, (_, i) =>
        connection.run(`echo number ${String(i)}; cat`, { input: `value ${String(i)}` }),
      );
      const outcomes = await Promise.all(runs);
      expect(outcomes.map((each) => (each.ok ? each.value.stdout : each.error.code))).toEqual(
        Array.from({ length: 30 }, (_, i) => `number ${i}\nvalue ${i}`),
      );
    },
  );

  it('sends a long text in pieces, and none cuts a character in two', async () => {
    await start();
    // One unit in front of characters of two: each even cut is in the middle of one.
    const input = `x${'😀'.repeat(200_000)}`;
    const ran = await connection.run('cat', { input });
    expect(ran.ok && ran.value.stdout === input).toBe(true);
  });

  it('holds nothing of what has ended while the link stands, be it a command or a tunnelled connection', async () => {
    await start();
    const ended = [await endedCommand(), await endedStream()];
    await vi.waitFor(() => {
      collectGarbage();
      expect(ended.filter((each) => each.deref() !== undefined)).toEqual([]);
    });
  });

  async function endedCommand(): Promise<WeakRef<object>> {
    const started = await connection.start('true');
    if (!started.ok) throw new Error(started.error.message);
    for await (const text of started.value.stdout()) expect(text).toBe('');
    await started.value.exited;
    return new WeakRef(started.value);
  }

  async function endedStream(): Promise<WeakRef<object>> {
    const opened = await connection.openStream({ host: '127.0.0.1', port: sshd.port });
    if (!opened.ok) throw new Error(opened.error.message);
    const stream = opened.value;
    stream.resume().end();
    await once(stream, 'close');
    return new WeakRef(stream);
  }

  it('asks one connection for ten sessions and no more, and keeps one of them for commands', async () => {
    await start('MaxSessions 10');
    const streams = await Promise.all(Array.from({ length: 9 }, () => stream()));
    expect(sshd.connections()).toBe(1);
    expect(await connection.run('echo there')).toMatchObject({ ok: true });
    expect(sshd.connections()).toBe(1);
    streams.push(await stream());
    expect(sshd.connections()).toBe(2);
    for (const each of streams) each.stop();
    await Promise.all(streams.map(({ exited }) => exited));
  });

  it('opens a second connection at once where streams hold every session, without a word to anybody', async () => {
    await start('MaxSessions 1');
    // Who waits for a second is told, and on a busy machine a log-in takes longer: here no time passes.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const crowding = vi.fn();
    connection.watchCrowding(crowding);
    const telemetry = await stream();
    const terminal = await connection.openTerminal(TERMINAL);
    expect(terminal).toMatchObject({ ok: true });
    expect(await connection.run('echo there')).toMatchObject({
      ok: true,
      value: { stdout: 'there\n' },
    });
    expect(sshd.connections()).toBe(3);
    expect(crowding).not.toHaveBeenCalled();
    telemetry.stop();
    if (terminal.ok) terminal.value.close();
  });

  it('waits where no second log-in is let in, says why, and goes on as soon as a session is free', async () => {
    await start('MaxSessions 1');
    const telemetry = await stream();
    revokeKey();
    const told = new Promise<Crowding>((resolve) => {
      connection.watchCrowding((crowding) => crowding?.refusal && resolve(crowding));
    });
    const waiting = connection.run('echo there');
    expect(await told).toMatchObject({
      waiting: 1,
      limit: 1,
      connections: 1,
      refusal: { code: 'auth-refused' },
    });
    const over = new Promise((resolve) => {
      connection.watchCrowding((crowding) => crowding === null && resolve(null));
    });
    telemetry.stop();
    expect(await waiting).toMatchObject({ ok: true, value: { stdout: 'there\n' } });
    await over;
  });

  it('takes back a request that still waits', async () => {
    await start('MaxSessions 1');
    const telemetry = await stream();
    revokeKey();
    const stopper = new AbortController();
    const waiting = connection.run('echo never', { signal: stopper.signal });
    stopper.abort();
    expect(await waiting).toMatchObject({
      ok: false,
      error: { code: 'aborted', mayHaveRun: false },
    });
    telemetry.stop();
    // Nobody has left a place behind that nobody uses.
    expect(await connection.run('echo there')).toMatchObject({ ok: true });
  });

  it('does not lose a session to a command that prints without end, hangs or is stopped', async () => {
    await start('MaxSessions 1');
    revokeKey();
    expect(await connection.run('yes', { maxChars: 1000 })).toMatchObject({
      error: { code: 'output-too-large' },
    });
    expect(await connection.run(ENDLESS, { timeoutMs: 500 })).toMatchObject({
      error: { code: 'command-timeout', mayHaveRun: true },
    });
    const stopper = new AbortController();
    (await stream(stopper.signal)).exited.catch(() => undefined);
    stopper.abort();
    expect(await connection.run('echo there')).toMatchObject({ ok: true });
  });

  it('says that a server opens no session at all, while its tunnels work', async () => {
    await start('MaxSessions 0');
    expect(await connection.run('true')).toMatchObject({
      error: { code: 'session-refused', mayHaveRun: false },
    });
    expect(await connection.openTerminal(TERMINAL)).toMatchObject({
      error: { code: 'session-refused' },
    });
    expect(sshd.connections()).toBe(1);
    const target = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port } = target.address() as AddressInfo;
    // A forwarded connection is no session: OpenSSH does not count it.
    for (let i = 0; i < 5; i += 1) {
      const opened = await connection.openStream({ host: '127.0.0.1', port });
      if (!opened.ok) throw new Error(opened.error.code);
      const [chunk] = (await once(opened.value, 'data')) as [Buffer];
      expect(chunk.toString()).toBe('hello');
    }
    target.close();
  });

  it('counts no forwarded connection: twelve of them leave the one session free', async () => {
    await start('MaxSessions 1');
    const target = createServer((socket) => socket.on('error', () => undefined));
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port } = target.address() as AddressInfo;
    const tunnels = await Promise.all(
      Array.from({ length: 12 }, () => connection.openStream({ host: '127.0.0.1', port })),
    );
    expect(tunnels.every(({ ok }) => ok)).toBe(true);
    expect(await connection.run('echo there')).toMatchObject({ ok: true });
    expect(sshd.connections()).toBe(1);
    for (const tunnel of tunnels) if (tunnel.ok) tunnel.value.destroy();
    target.close();
  });

  it('does not know what became of a command whose server process was killed', async () => {
    await start();
    const running = await connection.run('kill -9 $PPID');
    expect(running).toMatchObject({ ok: false, error: { mayHaveRun: true } });
    await connection.closed;
    // The server is asked again over a connection of its own, which needs nobody.
    const another = await connection.openAnother(new AbortController().signal);
    if (!another.ok) throw new Error(another.error.code);
    expect(await another.value.run('echo there')).toMatchObject({ ok: true });
    another.value.close();
    await another.value.closed;
  });

  it('takes only the very same server for a further connection, and sends nothing to another', async () => {
    await start('MaxSessions 1');
    const other = await startSshd({ home, keyFile: sshd.keyFile });
    let { port } = sshd;
    const opened = await openConnection({
      address: { host: '127.0.0.1', port, user: sshd.user },
      openWay: (signal) => directWay({ host: '127.0.0.1', port, user: sshd.user })(signal),
      credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.code);
    port = other.port;
    const another = await opened.value.openAnother(new AbortController().signal);
    expect(another).toMatchObject({ ok: false, error: { code: 'host-key-changed' } });
    opened.value.close();
    await opened.value.closed;
    await vi.waitFor(() => expect(other.connections()).toBe(0));
    await other.stop();
  });

  it('knows that a command was never run when the connection was gone before', async () => {
    await start();
    connection.close();
    await connection.closed;
    expect(await connection.run('true')).toMatchObject({ ok: false, error: { mayHaveRun: false } });
  });
});

/** Tells which process it is, and ends with whoever takes what it prints. */
const TELLING = `sh -c 'echo $$ >~/pid; ${ENDLESS}'`;

/** From this process up to the one that the server began for its session, and that of its connection. */
function sessionOf(pid: number): { readonly pids: readonly number[]; readonly server: number } {
  const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  if (readFileSync(`/proc/${parent}/comm`, 'utf8') === 'dropbear\n') {
    return { pids: [pid], server: parent };
  }
  const { pids, server } = sessionOf(parent);
  return { pids: [...pids, pid], server };
}

/** A process whose child has just ended may have followed it already. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}

it.skipIf(!hasDropbear).each<readonly [string, (connection: SshConnection) => Promise<unknown>]>([
  ['a command', (connection) => connection.run(TELLING)],
  ['a stream', (connection) => connection.start(TELLING)],
  [
    'a command with bytes',
    (connection) =>
      connection.runBytes(TELLING, {
        timeoutMs: null,
        read: async (stdout) => {
          for await (const piece of stdout) expect(piece.length).toBeGreaterThan(0);
          return { ok: true, value: null };
        },
      }),
  ],
  ['a terminal', (connection) => connection.openTerminal({ ...TERMINAL, command: TELLING })],
])(
  'on a real dropbear a command is run and a terminal opens, where %s ends at that moment',
  async (_what, begin) => {
    const home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
    const server = await startDropbear({ home });
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: server.port, user: server.user },
      credentials: [{ kind: 'key', privateKey: server.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    const connection = opened.value;
    try {
      for (const next of [
        () => connection.run('echo two'),
        () => connection.openTerminal({ ...TERMINAL, command: 'echo two' }),
      ]) {
        rmSync(join(home, 'pid'), { force: true });
        const first = begin(connection);
        const pid = await vi.waitFor(() => {
          const told = readFileSync(join(home, 'pid'), 'utf8');
          expect(told).toMatch(/^\d+\n$/);
          return Number(told);
        });
        const { pids, server: child } = sessionOf(pid);
        process.kill(child, 'SIGSTOP');
        for (const each of pids) endNow(each);
        const second = next();
        await new Promise(setImmediate);
        // It hears of both at once.
        process.kill(child, 'SIGCONT');
        expect(await second).toMatchObject({ ok: true });
        expect(await first).toMatchObject({ ok: true });
      }
    } finally {
      connection.close();
      await connection.closed;
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    }
  },
);

it.skipIf(!hasDropbear)(
  'sessions on a real dropbear: none refused, none mixed up',
  async ({ skip }) => {
    const server = await startDropbear();
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: server.port, user: server.user },
      credentials: [{ kind: 'key', privateKey: server.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.detail);
    const connection = opened.value;
    const crowding = vi.fn();
    connection.watchCrowding(crowding);
    try {
      await unlessItAsserts(server, skip, async () => {
        const nine = Array.from({ length: 9 }, () => connection.start(ENDLESS));
        const streams = await Promise.all(nine);
        expect(streams.filter(({ ok }) => !ok)).toEqual([]);
        const runs = Array.from({ length: 30 }, (_, i) =>
          connection.run(`echo number ${i}; cat`, { input: `value ${i}` }),
        );
        const outcomes = await Promise.all(runs);
        expect(outcomes.map((each) => (each.ok ? each.value.stdout : each.error.code))).toEqual(
          Array.from({ length: 30 }, (_, i) => `number ${i}\nvalue ${i}`),
        );
        // One more than fits beside a session for commands: it gets a connection of its own.
        const tenth = await connection.start(ENDLESS);
        expect(tenth).toMatchObject({ ok: true });
        for (const each of [...streams, tenth]) if (each.ok) each.value.stop();
      });
    } finally {
      connection.close();
      await connection.closed;
      await server.stop();
    }
  },
);
