import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Connection, ServerChannel } from 'ssh2';
import { startLoginServer, type LoginServer, type SessionScript } from './login-server.fixture.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';

// What no sshd does: a server that lets us in and then plays false. Each ends in a name, and nothing is left.

const TERMINAL = {
  size: { cols: 80, rows: 24 },
  inFlightBytes: 1_000_000,
  onOutput: () => undefined,
};
const MIB = 1024 * 1024;

/** What ssh2's server keeps to itself; the tests make it lie. */
interface Inside {
  readonly _protocol: {
    channelOpenFail(channel: number, reason: number, description: string): void;
    channelOpenConfirm(remote: number, local: number, window: number, packet: number): void;
    channelData(channel: number, data: Buffer): void;
  };
}
const inside = (client: Connection) => (client as unknown as Inside)._protocol;

let server: LoginServer;
let connection: SshConnection;

async function serve(onSession: SessionScript): Promise<void> {
  server = await startLoginServer((context) => context.accept(), onSession);
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: server.port, user: 'u' },
    credentials: [
      {
        kind: 'person',
        person: {
          password: () => ({
            answered: Promise.resolve({ ok: true, value: ['pw'] }),
            loginLost: () => undefined,
          }),
          prompts: () => {
            throw new Error('nothing asks');
          },
          meets: () => undefined,
          recall: () => Promise.resolve(null),
          unlock: () => Promise.reject(new Error('there is no key')),
          loggedIn: () => undefined,
        },
      },
    ],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  connection = opened.value;
}

/** Runs each command that it is asked for like this; `mark` is what a shell would print before and after it. */
function commands(
  run: (channel: ServerChannel, mark: string, client: Connection) => void,
): SessionScript {
  return (accept, _reject, client) => {
    accept().on('exec', (acceptExec, _rejectExec, { command }) => {
      const [, first = '', second = ''] = /(leasehold[0-9a-f]+)""([0-9a-f]+x)/.exec(command) ?? [];
      const channel = acceptExec();
      channel.resume(); // unread input would keep it open
      run(channel, first + second, client);
    });
  };
}

/** Only the time that we set ourselves passes; the wire is real. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
const stopClock = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

afterEach(async () => {
  vi.useRealTimers();
  connection.close();
  await connection.closed;
  await vi.waitFor(() => expect(server.open.size).toBe(0));
  await server.stop();
});

describe('a server that lets us in and', () => {
  it.each([1, 2, 3, 4, 0, 0xffffffff])(
    'refuses every session with reason %i: named at once, with no further log-in',
    async (reason) => {
      await serve((_accept, reject, client) => {
        const protocol = inside(client);
        const fail = protocol.channelOpenFail.bind(protocol);
        protocol.channelOpenFail = (channel) => {
          protocol.channelOpenFail = fail;
          fail(channel, reason, 'no');
        };
        reject();
      });
      expect(await connection.run('true')).toMatchObject({
        ok: false,
        error: { code: 'session-refused', mayHaveRun: false },
      });
      expect(await connection.openTerminal(TERMINAL)).toMatchObject({
        error: { code: 'session-refused' },
      });
      expect(server.count()).toBe(1);
    },
  );

  it('never answers a request for a session: 20 s, and no timer stays', async () => {
    await serve(() => undefined);
    stopClock();
    const running = connection.run('true');
    const settled = vi.fn();
    void running.then(settled);
    await pass(19_999);
    expect(settled).not.toHaveBeenCalled();
    await pass(1);
    expect(await running).toMatchObject({ ok: false, error: { code: 'command-timeout' } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives a session and never starts the command in it: 20 s', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    await serve((accept) => void accept().on('exec', () => asked()));
    stopClock();
    const running = connection.run('true');
    await isAsked;
    await pass(20_000);
    expect(await running).toMatchObject({ error: { code: 'command-timeout', mayHaveRun: true } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['before it has begun', false, 20_000],
    ['in the middle of a command', true, 30_000],
  ])('stalls %s: bounded, and the session is given back', async (_when, isBegun, ms) => {
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const closed = vi.fn();
    await serve(
      commands((channel, mark) => {
        channel.on('close', closed);
        if (isBegun) channel.write(`${mark}\nsome`);
        started();
      }),
    );
    stopClock();
    const running = connection.run('true');
    await isStarted;
    await pass(ms);
    expect(await running).toMatchObject({ error: { code: 'command-timeout', mayHaveRun: true } });
    vi.useRealTimers();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
    expect(server.count()).toBe(1);
  });

  it.each([
    ['output', 'output-too-large', (mark: string) => `${mark}\n`],
    ['noise before the command', 'command-not-run', () => ''],
  ])('floods us with %s', async (_what, code, prologue) => {
    const closed = vi.fn();
    await serve(
      commands((channel, mark) => {
        channel.on('close', closed);
        channel.write(prologue(mark));
        const pour = (): void => {
          while (!closed.mock.calls.length && channel.write('x'.repeat(32_768)));
        };
        channel.on('drain', pour);
        pour();
      }),
    );
    expect(await connection.run('true')).toMatchObject({ ok: false, error: { code } });
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  });

  it('floods us with stderr: what is kept of it is bounded', async () => {
    await serve(
      commands((channel, mark) => {
        channel.stderr.write(`${mark}\n${'x'.repeat(MIB)}`);
        channel.end(`${mark}\n${mark} 0\n`);
      }),
    );
    const ran = await connection.run('true');
    if (!ran.ok) throw new Error(ran.error.message);
    expect(ran.value.stderr.length).toBeLessThanOrEqual(16 * 1024);
    expect(ran.value.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('floods us before a command that begins all the same: nobody waits for it', async () => {
    const much = 'x'.repeat(MIB);
    await serve(commands((channel, mark) => void channel.end(`${much}\n${mark}\n${mark} 0\n`)));
    expect(await connection.run('true')).toMatchObject({
      ok: false,
      error: { code: 'command-not-run', mayHaveRun: true },
    });
  });

  it('floods us behind a command: what is kept of it is bounded', async () => {
    const much = 'x'.repeat(MIB);
    await serve(commands((channel, mark) => void channel.end(`${mark}\n${mark} 0\n${much}`)));
    const ran = await connection.run('true');
    if (!ran.ok) throw new Error(ran.error.message);
    expect(ran.value.end).toEqual({ kind: 'exited', code: 0 });
    expect(ran.value.noise?.length).toBeLessThanOrEqual(MIB / 2);
  });

  it('drops the connection in the middle of a command: nobody knows what became of it', async () => {
    await serve(
      commands((channel, mark) => {
        channel.write(`${mark}\nsome`, () => server.hangUp());
      }),
    );
    expect(await connection.run('true')).toMatchObject({
      ok: false,
      error: { code: 'link-lost', mayHaveRun: true },
    });
  });

  it.each([255, 0])(
    'takes packets of %i bytes, where writing would hardly or never come to an end',
    async (bytes) => {
      await serve((accept, _reject, client) => {
        const protocol = inside(client);
        const confirm = protocol.channelOpenConfirm.bind(protocol);
        protocol.channelOpenConfirm = (remote, local, window) =>
          confirm(remote, local, window, bytes);
        accept().on('exec', (acceptExec) => acceptExec().end());
      });
      const running = await connection.run('cat', { input: 'anything' });
      expect(running).toMatchObject({ ok: false, error: { code: 'link-lost' } });
      expect((await connection.closed).detail).toContain('no packets of any useful size');
    },
  );

  it('sends more than it may to who does not read', async () => {
    await serve(
      commands((channel, mark, client) => {
        channel.write(`${mark}\n`);
        for (let sent = 0; sent < 8 * MIB; sent += 32_768) {
          inside(client).channelData(0, Buffer.alloc(32_768, 'x'));
        }
      }),
    );
    // Begun or not, nobody reads what comes.
    const started = await connection.start('tail');
    expect(started.ok ? await started.value.exited : started.error).toMatchObject(
      started.ok ? { kind: 'unknown' } : { code: 'link-lost' },
    );
    expect((await connection.closed).detail).toContain('more than it was allowed to');
  });
});
