import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import type { TerminalTarget, TmuxSession } from '../../shared/terminal/terminal.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { fakeWindowPort, lastState, type FakeWindowPort } from './port.fixture.ts';
import { Terminals } from './terminals.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const BOX = randomUUID();
const WINDOW = 1;

describe.skipIf(!hasSshd || !hasTmux)('terminals on a real sshd with a real tmux', () => {
  let sshd: TestSshd;
  let folder: string;
  let connection: SshConnection | null;
  let terminals: Terminals;

  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...process.env, TMUX_TMPDIR: folder, TMUX: '' },
    });

  /** Ends with its process: whoever came to a server that is about to go would find that it went. */
  async function endTmux(): Promise<void> {
    const env = { ...process.env, TMUX_TMPDIR: folder, TMUX: '' };
    const asked = ['display-message', '-p', '#{pid}', ';', 'kill-server'];
    const { stdout } = spawnSync('tmux', asked, { env, encoding: 'utf8' });
    const pid = Number(stdout);
    if (pid > 0) await until(() => Promise.resolve(!existsSync(`/proc/${String(pid)}`)));
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-tmux-'));
    // A home of its own: what this machine's user has in a shell's start-up files is nobody's test.
    sshd = await startSshd({ home: folder });
  });
  beforeEach(async () => {
    connection = await connect();
    terminals = new Terminals({
      roster: { connectionOf: (boxId) => (boxId === BOX ? connection : null) },
      log: silentLog,
    });
  });
  afterEach(async () => {
    terminals.dispose();
    connection?.close();
    await connection?.closed;
    await endTmux();
  });
  afterAll(async () => {
    await sshd.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const connect = (): Promise<SshConnection> => connectTo(sshd);

  async function loseLink(): Promise<void> {
    const lost = connection;
    connection = null;
    lost?.close();
    await lost?.closed;
  }

  async function linkReturns(): Promise<void> {
    connection = await connect();
    terminals.linkIsUp(BOX);
  }

  async function open(
    target: TerminalTarget,
    port = fakeWindowPort(),
  ): Promise<{ port: FakeWindowPort; session: TmuxSession | null }> {
    const request = { terminalId: randomUUID(), boxId: BOX, target, size: { cols: 80, rows: 24 } };
    const opened = await terminals.open(request, WINDOW, () => port);
    if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.detail ?? ''}`);
    return { port, session: opened.value.session };
  }

  async function list(): Promise<readonly TmuxSession[]> {
    const listed = await terminals.listTmux(BOX);
    if (!listed.ok || listed.value.kind !== 'installed') throw new Error('not listed');
    return listed.value.sessions;
  }

  it('lists nothing before a server runs, and each session with its facts after', async () => {
    expect(await list()).toEqual([]);
    tmux('new-session', '-d', '-s', 'train');
    tmux('new-window', '-t', 'train');
    tmux('new-session', '-d', '-s', 'eval');
    expect(await list()).toEqual([
      expect.objectContaining({ name: 'eval', windows: 1, attached: 0, id: '$1' }),
      expect.objectContaining({ name: 'train', windows: 2, attached: 0, id: '$0' }),
    ]);
  });

  it('lists sessions with hostile names, and attaches to one of them', async () => {
    const names = ["a b'c", '$(touch /tmp/leasehold-pwned)', '-t', '"; exit 1; "', '名前 ✓'];
    for (const name of names)
      tmux('new-session', '-d', '-s', 'x', ';', 'rename-session', '-t', 'x', '--', name);
    const sessions = await list();
    expect(sessions.map(({ name }) => name).sort()).toEqual([...names].sort());
    const hostile = sessions.find(({ name }) => name.startsWith('$('))!;
    const { port } = await open({
      kind: 'tmux',
      session: { id: hostile.id, createdAtS: hostile.createdAtS },
    });
    await port.until(({ text }) => text.includes('\x1b['));
    expect((await list()).find(({ id }) => id === hostile.id)?.attached).toBe(1);
  });

  it('only shows the session of a launched run: no key gets through to it, nor ends it', async () => {
    const program = 'trap "echo ended" INT; while :; do cat; done';
    tmux('new-session', '-d', '-s', 'leasehold-r-1', program);
    // However fast keys come, they are no paste.
    tmux('set-option', '-g', 'assume-paste-time', '0');
    const [{ id, createdAtS }] = (await list()) as [TmuxSession];
    const { port } = await open({ kind: 'tmux', session: { id, createdAtS } });
    await port.until(({ text }) => text.includes('leasehold'));
    // Last of these what asks whether the window is to be killed.
    port.send({ kind: 'input', text: '\x03typed\r\x02&' });
    await port.until(({ text }) => /read-only|kill-window/.test(text));
    expect(port.text).toContain('Client is read-only');
    expect(tmux('capture-pane', '-p', '-t', id).trim()).toBe('');
    port.send({ kind: 'input', text: '\x02d' });
    await port.until((each) => JSON.stringify(lastState(each)).includes('exited'));
    expect(await list()).toEqual([expect.objectContaining({ name: 'leasehold-r-1', attached: 0 })]);
  });

  it('creates a session with one call, keeps it when the terminal is closed, and says whose name is taken', async () => {
    const { port, session } = await open({ kind: 'new-tmux', name: 'work' });
    expect(session).toMatchObject({ name: 'work', windows: 1 });
    port.send({ kind: 'input', text: 'echo $((40+2))-here\r' });
    await port.until(({ text }) => text.includes('42-here'));
    port.send({ kind: 'close' });
    await until(async () => (await list())[0]?.attached === 0);
    expect(await list()).toEqual([expect.objectContaining({ name: 'work' })]);

    const request = { terminalId: randomUUID(), boxId: BOX, size: { cols: 80, rows: 24 } };
    const again = await terminals.open(
      { ...request, target: { kind: 'new-tmux', name: 'work' } },
      WINDOW,
      fakeWindowPort,
    );
    expect(again).toMatchObject({ ok: false, error: { code: 'tmux-failed' } });
  });

  it('attaches by itself after a lost link', async () => {
    const { port } = await open({ kind: 'new-tmux', name: 'work' });
    port.send({ kind: 'input', text: 'MARK=still-here; echo set-$((1+1))\r' });
    await port.until(({ text }) => text.includes('set-2'));
    await loseLink();
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'lost');
    await linkReturns();
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'live');
    port.send({ kind: 'input', text: 'echo "<$MARK>"\r' });
    await port.until(({ text }) => text.includes('<still-here>'));
  });

  it('says so when the session is gone after a lost link', async () => {
    const { port } = await open({ kind: 'new-tmux', name: 'work' });
    await loseLink();
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'lost');
    await endTmux();
    await linkReturns();
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'ended');
    expect(lastState(port)).toMatchObject({
      because: 'failed',
      problem: { code: 'tmux-session-gone' },
    });
  });

  it('does not take another session that got the same id', async () => {
    tmux('new-session', '-d', '-s', 'work');
    const [session] = await list();
    const older = { id: session!.id, createdAtS: session!.createdAtS - 60 };
    const request = { terminalId: randomUUID(), boxId: BOX, size: { cols: 80, rows: 24 } };
    const opened = await terminals.open(
      { ...request, target: { kind: 'tmux', session: older } },
      WINDOW,
      fakeWindowPort,
    );
    expect(opened).toMatchObject({ ok: false, error: { code: 'tmux-session-gone' } });
    expect(await terminals.killTmux(BOX, older, endPass(older.id))).toMatchObject({
      ok: false,
      error: { code: 'tmux-session-gone' },
    });
    expect(await list()).toHaveLength(1);
    expect(await terminals.killTmux(BOX, session!, endPass(session!.id))).toEqual({
      ok: true,
      value: null,
    });
    expect(await list()).toEqual([]);
  });

  it('says that a plain shell ended with its link', async () => {
    const { port } = await open({ kind: 'shell' });
    await loseLink();
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'ended');
    expect(lastState(port)).toEqual({ kind: 'ended', because: 'link-lost' });
  });

  it('tells the exit code of a shell', async () => {
    const { port } = await open({ kind: 'shell' });
    port.send({ kind: 'input', text: 'exit 3\r' });
    await port.until((each) => (lastState(each) as { kind: string }).kind === 'ended');
    expect(lastState(port)).toEqual({ kind: 'ended', because: 'exited', code: 3 });
  });

  it('shows all that a shell printed before it says that the shell ended', async () => {
    const { port } = await open({ kind: 'shell' });
    port.send({ kind: 'input', text: 'seq 3000; echo tail-$((40+2)); exit\r' });
    let shown = '';
    await port.until((each) => {
      const isOver = (lastState(each) as { kind: string }).kind === 'ended';
      if (isOver) shown = each.text;
      return isOver;
    });
    expect(shown).toContain('tail-42');
  });

  it.each([
    ['fewer bytes than none', { kind: 'ack', bytes: -1 }],
    ['input without bound', { kind: 'input', text: 'x'.repeat(20_000) }],
    ['a size without bound', { kind: 'resize', size: { cols: 1e9, rows: 1 } }],
    ['an unknown request', { kind: 'run', command: 'x' }],
    ['text', 'text'],
    ['nothing', null],
  ])('closes a terminal that is sent %s', async (_what, message) => {
    const { port } = await open({ kind: 'shell' });
    port.send(message);
    expect(lastState(port)).toMatchObject({ kind: 'ended', because: 'failed' });
    expect(port.isClosed).toBe(true);
  });

  it('leaves no process on the box when the page goes away', async () => {
    const { port } = await open({ kind: 'shell' });
    port.send({ kind: 'input', text: `exec sh -c 'echo "pid=<$$>"; read never'\r` });
    await port.until(({ text }) => /pid=<\d+>/.test(text));
    const pid = Number(/pid=<(\d+)>/.exec(port.text)?.[1]);
    // Not by a program that searches the process table: while it runs, nothing else in this process does.
    const isRunning = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch (cause) {
        return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
      }
    };
    expect(isRunning()).toBe(true);
    port.vanish();
    await until(() => !isRunning());
  });

  it('closes only the terminals of the window that went', async () => {
    const { port } = await open({ kind: 'shell' });
    terminals.closeOfClient(WINDOW + 1);
    expect(port.isClosed).toBe(false);
    terminals.closeOfClient(WINDOW);
    expect(port.isClosed).toBe(true);
  });

  it('answers a problem for a box without a link', async () => {
    expect(await terminals.listTmux(randomUUID())).toMatchObject({
      ok: false,
      error: { code: 'not-connected' },
    });
  });
});

describe.skipIf(!hasSshd)('a box without tmux', () => {
  it('is told apart from one without sessions, and a new session from a failure', async () => {
    const onlySh = mkdtempSync(join(tmpdir(), 'leasehold-path-'));
    symlinkSync('/bin/sh', join(onlySh, 'sh'));
    const sshd = await startSshd({ path: onlySh });
    const connection = await connectTo(sshd);
    const terminals = new Terminals({ roster: { connectionOf: () => connection }, log: silentLog });
    expect(await terminals.listTmux(BOX)).toEqual({ ok: true, value: { kind: 'not-installed' } });
    const opened = await terminals.open(
      {
        terminalId: randomUUID(),
        boxId: BOX,
        target: { kind: 'new-tmux', name: 'work' },
        size: { cols: 80, rows: 24 },
      },
      WINDOW,
      fakeWindowPort,
    );
    expect(opened).toMatchObject({ ok: false, error: { code: 'no-tmux' } });
    connection.close();
    await connection.closed;
    await sshd.stop();
    rmSync(onlySh, { recursive: true, force: true });
  });
});

async function connectTo({ port, user, privateKey }: TestSshd): Promise<SshConnection> {
  const result = await openConnection({
    address: { host: '127.0.0.1', port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Asks again until it is so; the test's own time limit ends a hopeless wait. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
