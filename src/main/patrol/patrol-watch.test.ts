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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patrolMemory } from '../../shared/patrol/patrol-memory.ts';
import { NO_PATROL, type PatrolState } from '../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../shared/problem.ts';
import { patrolStream } from '../../shared/streams/patrol-stream.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { readMemory } from './memory-file.ts';
import { patrolBox } from './patrol-box.ts';
import { PatrolWatch } from './patrol-watch.ts';

let root: string;
let sshd: TestSshd;
let proxy: TcpProxy;
let made: ReturnType<typeof trustingLink>;
let hub: HeardHub;
let roster: BoxRoster;
let watch: PatrolWatch;
let state: PatrolState;
let states: PatrolState[];
const children: ChildProcess[] = [];
const warnings: string[] = [];
const problems: Problem[] = [];

/** A real process that the box's process table shows. */
function start(script: string): ChildProcess {
  const child = spawn('sh', ['-c', script], {
    cwd: join(root, 'work'),
    detached: true,
    stdio: 'ignore',
  });
  children.push(child);
  symlinkSync(`/proc/${String(child.pid)}`, join(root, 'proc', String(child.pid)));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  process.kill(-Number(child.pid), 'SIGKILL');
  await gone;
}

async function startRun(): Promise<ChildProcess> {
  const run = start('exec >train.log 2>&1; echo step 1; sleep 600 & wait');
  const log = join(root, 'work', 'train.log');
  await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toBe('step 1\n'));
  return run;
}

const stall = (): string => join(root, 'stall');
const boots = (id: string): void =>
  writeFileSync(join(root, 'proc/sys/kernel/random/boot_id'), `${id}\n`);

function open(more: Partial<ConstructorParameters<typeof PatrolWatch>[0]> = {}): void {
  hub = new HeardHub();
  roster = new ReachedRoster(hub, () => made.link.connection);
  states = [];
  hub.hear('patrol', 'b1', (part) => {
    state = patrolStream.apply(state, part);
    states.push(state);
  });
  watch = new PatrolWatch({
    hub,
    roster,
    figures: { follow: () => () => undefined },
    figuresOf: () => null,
    watchedOn: shippedWatched,
    scripts: onboxScripts,
    dataFolder: join(root, 'data'),
    everyMs: () => 300_000,
    upMs: () => performance.now(),
    onProblem: (found) => void problems.push(found),
    log: { warn: (message) => void warnings.push(message) },
    ...more,
  });
}

async function connect(): Promise<void> {
  roster.put(untouchedEntry(made.box));
  await made.connect();
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-patrol-')));
  for (const folder of ['bin', 'data', 'proc/sys/kernel/random', 'cgroup', 'work']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, 'proc/uptime'), '900.25 1.0\n');
  boots('11111111-1111-4111-8111-111111111111');
  // Every question that the look asks goes through awk.
  writeFileSync(
    join(root, 'bin', 'awk'),
    `#!/bin/sh\nwhile [ -e '${stall()}' ]; do sleep 0.05; done\nexec /usr/bin/awk "$@"\n`,
  );
  chmodSync(join(root, 'bin', 'awk'), 0o755);
  if (!hasSshd) return;
  sshd = await startSshd({
    path: `${join(root, 'bin')}:/usr/bin:/bin`,
    env: {
      LEASEHOLD_PROC_ROOT: join(root, 'proc'),
      LEASEHOLD_CGROUP_ROOT: join(root, 'cgroup'),
      TMUX_TMPDIR: root,
    },
  });
  proxy = await startTcpProxy(sshd.port);
  made = trustingLink({
    sshd,
    port: proxy.port,
    onChange: (link) => roster.change('b1', { link }),
  });
  state = NO_PATROL;
  warnings.length = 0;
  problems.length = 0;
  start('sleep 600 & wait'); // a table without any process is not believed
});
afterEach(async () => {
  rmSync(stall(), { force: true });
  await watch.close();
  expect(hub.has('patrol', 'b1')).toBe(false);
  made.link.disconnect();
  hub.dispose();
  for (const child of children.splice(0)) await end(child);
  await proxy.stop();
  await sshd.stop();
  expect(
    readdirSync(join(root, 'data', 'patrol')).filter((name) => !name.endsWith('json')),
  ).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('patrols of a connected box', () => {
  it('tell a run with what is known of it, and later why it is gone', async () => {
    open();
    await connect();
    const run = await startRun();
    expect(await watch.now('b1')).toEqual({ ok: true, value: null });
    expect(state).toMatchObject({
      phase: { kind: 'waiting', pace: 'usual' },
      failed: null,
      gone: [],
      seen: {
        uptimeS: 900.25,
        runs: [
          {
            pid: run.pid,
            folder: join(root, 'work'),
            survivesHangup: true,
            log: { path: join(root, 'work', 'train.log'), lastLines: ['step 1'] },
          },
        ],
      },
    });
    expect(state.seen?.took?.ms).toBeGreaterThan(0);
    expect(state.seen?.took?.bytes).toBeGreaterThan(500);
    const since = state.seen?.runs[0]?.sinceMs ?? 0;
    expect(since).toBeLessThan(Date.now());

    await end(run);
    rmSync(join(root, 'proc', String(run.pid)));
    writeFileSync(
      join(root, 'work', 'train.log'),
      'OSError: [Errno 28] No space left on device\n',
      {
        flag: 'a',
      },
    );
    const beforeMs = Date.now();
    await watch.now('b1');
    expect(state).toMatchObject({
      phase: { kind: 'waiting', pace: 'wrong' },
      seen: { runs: [] },
      gone: [{ pid: run.pid, cause: 'disk-full' }],
    });
    const nextAtMs = state.phase.kind === 'waiting' ? state.phase.nextAtMs : 0;
    expect(nextAtMs - beforeMs).toBeGreaterThan(26_000);
    expect(nextAtMs - Date.now()).toBeLessThan(33_001);

    // What was told stays, through a restart of the app as well, until the person is done with it.
    await watch.close();
    hub.dispose();
    state = NO_PATROL;
    open();
    roster.put({ ...untouchedEntry(made.box), link: made.states.seen.at(-1)! });
    await vi.waitFor(() => expect(state.gone).toMatchObject([{ pid: run.pid }]));
    expect(await watch.dismiss('b1', state.gone[0]?.key ?? '')).toMatchObject({ ok: true });
    expect(state.gone).toEqual([]);
    await watch.now('b1');
    expect(state.gone).toEqual([]);
  });

  it('prove a reboot by another boot id', async () => {
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    await end(run);
    rmSync(join(root, 'proc', String(run.pid)));
    boots('22222222-2222-4222-8222-222222222222');
    await watch.now('b1');
    expect(state.gone).toMatchObject([{ pid: run.pid, cause: 'reboot' }]);
  });

  it('take a link that is lost in the middle for no lost run, and look again when it is back', async () => {
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    const { seen } = state;
    writeFileSync(stall(), '');
    const looking = watch.now('b1');
    await vi.waitFor(() => expect(state.phase.kind).toBe('looking'));
    await proxy.refuse(true);
    expect(await looking).toMatchObject({ ok: false, error: { code: 'link-lost' } });
    expect(state).toMatchObject({
      phase: { kind: 'off' },
      failed: { times: 1, problem: { code: 'link-lost' } },
      gone: [],
    });
    expect(state.seen).toBe(seen);
    // What the rules said of it says nothing of the box that is met next.
    expect(state.judged).toBeNull();

    rmSync(stall());
    await proxy.refuse(false);
    const up = made.states.next('up');
    made.link.connect();
    await up;
    await watch.now('b1');
    expect(state).toMatchObject({ failed: null, gone: [], seen: { runs: [{ pid: run.pid }] } });
  });

  it('give up a box that stalls, say why, and do not ask it twice at once', async () => {
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    await watch.close();
    hub.dispose();
    state = NO_PATROL;
    open({ timeoutMs: 1000 });
    roster.put({ ...untouchedEntry(made.box), link: made.states.seen.at(-1)! });
    await vi.waitFor(() => expect(state.seen?.runs).toMatchObject([{ pid: run.pid }]));
    writeFileSync(stall(), '');
    const first = watch.now('b1');
    expect(watch.now('b1')).toStrictEqual(first);
    expect(await first).toMatchObject({ ok: false, error: { code: 'command-timeout' } });
    expect(await watch.now('b1')).toMatchObject({ ok: false });
    const looks = states.map(({ phase }) => phase).filter(({ kind }) => kind === 'looking');
    expect(new Set(looks).size).toBe(2);
    expect(state).toMatchObject({
      phase: { kind: 'waiting', pace: 'failed' },
      failed: { times: 2, problem: { code: 'command-timeout' } },
      seen: { runs: [{ pid: run.pid }] },
      gone: [],
    });
  });

  it('say how an answer ended that broke off in the middle', async () => {
    open();
    await connect();
    // As a kernel without memory does to the look's own shell.
    writeFileSync(join(root, 'bin', 'awk'), '#!/bin/sh\nkill -KILL 0\n');
    await watch.now('b1');
    expect(state.seen?.unread).toContainEqual({
      what: 'The end of the answer',
      because: 'it ended in the middle (signal SIGKILL)',
    });
  });

  it('say when what was seen cannot be kept, and tell it all the same', async () => {
    rmSync(join(root, 'data'), { recursive: true });
    writeFileSync(join(root, 'data'), 'a file where the folder should be');
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    expect(state.seen?.runs).toMatchObject([{ pid: run.pid }]);
    expect(state.seen?.unread).toContainEqual({
      what: 'What the next check needs',
      because: expect.stringContaining('was not kept') as string,
    });
    rmSync(join(root, 'data'));
    mkdirSync(join(root, 'data', 'patrol'), { recursive: true });
  });

  it('tell at once what cannot be read of the runs that were known, and go on with the rest', async () => {
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    await watch.close();
    hub.dispose();
    state = NO_PATROL;
    const file = join(root, 'data', 'patrol', 'b1.json');
    const newer = { ...patrolMemory.parse(JSON.parse(readFileSync(file, 'utf8'))), colour: 'red' };
    writeFileSync(file, JSON.stringify(newer));
    await end(run);
    rmSync(join(root, 'proc', String(run.pid)));
    open();
    roster.put({ ...untouchedEntry(made.box), link: made.states.seen.at(-1)! });
    await vi.waitFor(() => expect(state.seen?.runs).toMatchObject([{ pid: run.pid }]));
    await vi.waitFor(() =>
      expect(problems).toMatchObject([
        {
          message: expect.stringMatching(/^train-a: Part of what the last checks saw/) as string,
        },
      ]),
    );
    const [aside = ''] = readdirSync(join(root, 'data', 'patrol')).filter((name) =>
      name.startsWith('b1.json.unreadable-'),
    );
    expect(JSON.parse(readFileSync(join(root, 'data', 'patrol', aside), 'utf8'))).toEqual(newer);
    rmSync(join(root, 'data', 'patrol', aside));
    await watch.now('b1');
    expect(state.gone).toMatchObject([{ pid: run.pid }]);
    expect(problems).toHaveLength(1);
  });

  it('know the same as patrols of the command line at the same time', async () => {
    open();
    await connect();
    const run = await startRun();
    await watch.now('b1');
    await end(run);
    rmSync(join(root, 'proc', String(run.pid)));
    const { connection } = made.link;
    if (connection === null) throw new Error('not connected');
    const own = { scripts: onboxScripts, dataFolder: join(root, 'data') };
    const looks = [1, 2, 3].map(() =>
      patrolBox(
        {
          connection,
          boxId: 'b1',
          beside: { ...shippedWatched(null), isGpuWorking: null },
          fellIdleAtMs: null,
          hasAlerts: false,
        },
        own,
      ),
    );
    const [mine, ...others] = await Promise.all([watch.now('b1'), ...looks]);
    expect(mine.ok).toBe(true);
    for (const each of others) expect(each).toMatchObject({ ok: true, value: { notKept: null } });
    const { memory } = await readMemory(join(root, 'data'), 'b1');
    expect(patrolMemory.parse(memory)).toMatchObject({ runs: [], gone: [{ pid: run.pid }] });
  });

  it('forget what was seen on a box that moved or was forgotten', async () => {
    open();
    await connect();
    await startRun();
    await watch.now('b1');
    const file = join(root, 'data', 'patrol', 'b1.json');
    expect(existsSync(file)).toBe(true);
    const elsewhere = { ...made.box, address: { ...made.box.address, port: 1 } };
    roster.put(untouchedEntry(elsewhere));
    expect(state).toMatchObject({ seen: null, gone: [], phase: { kind: 'off' } });
    await vi.waitFor(() => expect(existsSync(file)).toBe(false));

    roster.change('b1', { link: made.states.seen.at(-1)! });
    await watch.now('b1');
    expect(existsSync(file)).toBe(true);
    roster.remove('b1');
    expect(hub.has('patrol', 'b1')).toBe(false);
    await vi.waitFor(() => expect(existsSync(file)).toBe(false));
    expect(await watch.now('b1')).toMatchObject({
      error: { code: 'no-such-box' },
    });
  });
});
