import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushLook, PushSubject } from '../../shared/push/push-waiter.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { startHookServer, type HookServer } from '../webhook/http-server.fixture.ts';
import { PushDesk } from './push-desk.ts';

// Real servers and processes: only a hang should end a test, not a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const TOKEN = 'very-secret-token';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a push from the box', () => {
  let home: string;
  let sshd: TestSshd;
  let connection: SshConnection;
  let server: HookServer;
  let run: ChildProcess;
  let desk: PushDesk;
  let subject: PushSubject & { readonly kind: 'process' };

  beforeEach(async () => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
    server = await startHookServer();
    run = spawn('sleep', ['600']);
    const startTicks = Number(
      readFileSync(`/proc/${String(run.pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ')[19],
    );
    subject = { kind: 'process', pid: Number(run.pid), startTicks };
    await open({});
  });
  afterEach(async () => {
    const left = await desk.look(BOX);
    for (const { id } of left.ok ? left.value.waiters : []) await desk.disarm(BOX, id);
    await close();
    if (run.exitCode === null && run.signalCode === null) await end();
    await server.stop();
    expect(waiters()).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });

  async function open(options: { readonly path?: string }): Promise<void> {
    sshd = await startSshd({
      home,
      env: { LEASEHOLD_EVERY_S: '1', LEASEHOLD_PAUSES_S: '1' },
      ...options,
    });
    connection = await connectTo(sshd.port, sshd);
    desk = new PushDesk({
      connectionOf: () => connection,
      nameOf: () => 'train "a"',
      scripts: onboxScripts,
      sent: { note: (_boxId, secret) => void noted.push(secret.path) },
      redactor: { register: () => undefined },
    });
  }
  async function close(): Promise<void> {
    connection.close();
    await connection.closed;
    await sshd.stop();
  }
  const noted: string[] = [];
  const folder = (id = ''): string => join(home, '.local/state/leasehold/push', id);
  const arm = (what: PushSubject = subject) =>
    desk.arm(BOX, { subject: what, kind: 'json', url: server.url, isPlainAllowed: false });
  async function end(): Promise<void> {
    const gone = once(run, 'exit');
    run.kill('SIGKILL');
    await gone;
  }
  async function looked(): Promise<PushLook> {
    const look = await desk.look(BOX);
    if (!look.ok) throw new Error(look.error.message);
    return look.value;
  }
  /** Command lines of everything that runs for this home. */
  function waiters(): string[] {
    return readdirSync('/proc').flatMap((pid) => {
      if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return [];
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.includes(`${home}/.local/state`) ? [command.replaceAll('\0', ' ')] : [];
      } catch {
        return []; // gone meanwhile
      }
    });
  }

  it('comes when the run ends, though nobody is connected, and takes its address with it', async () => {
    const armed = await arm();
    expect(armed).toMatchObject({
      ok: true,
      value: { waiters: [{ subject, state: { kind: 'waiting' } }] },
    });
    const id = `p-${String(subject.pid)}-${String(subject.startTicks)}`;
    expect(statSync(join(folder(id), 'url')).mode & 0o777).toBe(0o600);
    expect(waiters()).toHaveLength(1);
    expect(waiters().join()).not.toContain(TOKEN);
    expect(noted).toContain(`~/.local/state/leasehold/push/${id}/url`);

    await close(); // the laptop sleeps
    await end();
    await server.gotten(1);
    const [got] = server.received;
    expect(got?.path).toContain(TOKEN);
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      box: 'train "a"',
      because: 'ended',
      at: expect.stringMatching(/^20\d\d-.* UTC$/),
    });
    await vi.waitFor(() => expect(existsSync(join(folder(id), 'url'))).toBe(false));
    await open({});
    expect((await looked()).waiters).toMatchObject([
      { id, state: { kind: 'fired', because: 'ended', isDelivered: true } },
    ]);
    expect((await desk.disarm(BOX, id)).ok).toBe(true);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('comes when a marker appears, whatever its name', async () => {
    const path = join(home, `DONE '$(touch owned)" x`);
    expect((await arm({ kind: 'marker', path })).ok).toBe(true);
    writeFileSync(path, '');
    await server.gotten(1);
    expect(server.received[0]?.body).toContain('a marker has appeared');
    expect(readdirSync(home)).not.toContain('owned');
  });

  it('is there once for a run, and is ended by pid and start, with its address', async () => {
    expect((await arm()).ok).toBe(true);
    expect(await arm()).toMatchObject({ ok: false, error: { code: 'push-not-armed' } });
    const [waiter] = (await looked()).waiters;
    expect(await desk.disarm(BOX, waiter?.id ?? '')).toMatchObject({
      ok: true,
      value: { waiters: [] },
    });
    expect(waiters()).toEqual([]);
    expect(readdirSync(folder())).toEqual([]);
    await end();
    expect(server.received).toEqual([]);
  });

  it('never ends another process that has the number of its waiter', async () => {
    expect((await arm()).ok).toBe(true);
    const [waiter] = (await looked()).waiters;
    const file = join(folder(waiter?.id), 'waiter');
    const kept = readFileSync(file, 'utf8');
    writeFileSync(file, `${String(subject.pid)} ${String(subject.startTicks)}\n`);
    await desk.disarm(BOX, waiter?.id ?? '');
    expect(run.signalCode).toBeNull();
    process.kill(Number(kept.split(' ')[0]), 'SIGTERM');
    await vi.waitFor(() => expect(waiters()).toEqual([]));
  });

  it('says that a run which is gone cannot be waited for, and leaves no address', async () => {
    await end();
    expect(await arm()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('not there any more') },
    });
    expect(readdirSync(folder())).toEqual([]);
  });

  it('says that the box can post nothing, before any address goes there', async () => {
    await close();
    const bin = join(home, 'bin');
    mkdirSync(bin);
    for (const tool of [
      'sh',
      'cat',
      'cut',
      'grep',
      'head',
      'sed',
      'tr',
      'ls',
      'printf',
      'rm',
      'date',
    ]) {
      symlinkSync(`/usr/bin/${tool}`, join(bin, tool));
    }
    writeFileSync(join(bin, 'wget'), '#!/bin/sh\necho BusyBox\n');
    chmodSync(join(bin, 'wget'), 0o755);
    await open({ path: bin });
    expect((await looked()).tool).toBeNull();
    expect(await arm()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('neither curl nor GNU Wget') },
    });
    expect(existsSync(folder())).toBe(false);
  });

  it('tells of a waiter that ended without a word, and of a post that never arrived', async () => {
    expect((await arm()).ok).toBe(true);
    const [waiter] = (await looked()).waiters;
    const [pid = ''] = readFileSync(join(folder(waiter?.id), 'waiter'), 'utf8').split(' ');
    process.kill(Number(pid), 'SIGKILL');
    await vi.waitFor(async () =>
      expect((await looked()).waiters).toMatchObject([{ state: { kind: 'ended-silently' } }]),
    );
    const refuse = (response: { writeHead: (code: number) => { end: () => void } }): void =>
      response.writeHead(500).end();
    server.plan.push(refuse, refuse);
    expect((await arm()).ok).toBe(true);
    await end();
    await server.gotten(2);
    await vi.waitFor(async () =>
      expect((await looked()).waiters).toMatchObject([
        { state: { kind: 'fired', isDelivered: false } },
      ]),
    );
  });
});
