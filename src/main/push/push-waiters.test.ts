import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { oldWaiters } from '../../shared/patrol/detectors/u16-old-waiters.ts';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { onboxScripts, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { Secret } from '../secrets/secret.ts';
import { hasDropbear, startDropbear } from '../ssh/dropbear.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import {
  ACCESS_TOKEN,
  ADDRESS_TOKEN,
  BOX,
  openPushWaiters,
  PushBox,
  TestRun,
  value,
} from './push-box.fixture.ts';
import { PUSH_SECRET } from './push-targets.ts';

const isLinux = process.platform === 'linux';

describe.skipIf(!hasSshd || !isLinux)('a push from the box', () => {
  let box: PushBox;
  beforeAll(async () => {
    box = new PushBox();
    await box.open();
  });
  afterAll(() => box.close());
  beforeEach(() => box.begin());
  afterEach(() => box.finish());

  it('puts there what it has shown, comes when the run ends though nobody is connected, and hides its secrets all the while (U34)', async () => {
    const plan = value(await box.plan());
    expect(JSON.stringify(plan)).not.toMatch(/very-secret|zebra7|hunter2/);
    expect(plan.secretLines[0]).toBe(`http://127.0.0.1:${String(box.server.port)}/••••`);
    expect(plan).toMatchObject({ isBoxItself: true, isReplacing: false, tool: 'curl' });
    expect(existsSync(box.folder())).toBe(false);

    const { look: armed } = value(await box.pushWaiters.arm(BOX, plan.plan));
    const [waiter] = armed.waiters;
    if (waiter === undefined) throw new Error('it is not listed');
    expect(armed.waiters).toMatchObject([
      { process: { pid: box.run.pid }, state: { kind: 'waiting' } },
    ]);
    expect(Number(waiter.untilMs) - Number(waiter.armedAtMs)).toBe(168 * 3_600_000);
    const place = box.folder(waiter.id);
    expect(plan.folder).toBe(place.replace(box.home, '~'));
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(readdirSync(place).sort()).toEqual(['about', 'waiter', 'waiter.sh']);
    for (const name of readdirSync(place)) {
      expect(statSync(join(place, name)).mode & 0o777).toBe(0o600);
      const shown = plan.files.find((each) => each.name === name)?.text ?? '';
      expect(readFileSync(join(place, name), 'utf8').startsWith(shown)).toBe(true);
    }
    expect(readFileSync(join(place, 'waiter.sh'), 'utf8')).toBe(plan.files[0]?.text);
    await box.hasWaiters(1);
    box.expectHidden();
    expect(box.kept.get(PUSH_SECRET)).toContain(ADDRESS_TOKEN);

    await box.hangUp(); // the laptop sleeps
    let finish: () => void = () => undefined;
    box.server.plan.push((response) => (finish = () => response.end('ok')));
    await box.run.end();
    await box.server.gotten(1);
    box.expectHidden(); // while it posts
    finish();
    const [got] = box.server.received;
    expect(got?.path).toContain(ADDRESS_TOKEN);
    expect(got?.headers).toMatchObject({
      authorization: `Bearer ${ACCESS_TOKEN}`,
      'content-type': 'application/json',
    });
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      id: waiter.id,
      box: 'train "a"',
      because: 'ended',
      command: 'python train.py --api_key=[redacted] é',
      at: expect.stringMatching(/^20\d\d-\d\d-\d\d .* UTC$/) as string,
    });
    await box.hasWaiters(0);
    await box.connect();
    expect(await box.stateOf(waiter)).toMatchObject({
      kind: 'fired',
      because: 'ended',
      isDelivered: true,
      post: { status: 200 },
    });
    expect(readdirSync(place).sort()).toEqual(['about', 'result', 'waiter']);
  });

  it('arms what was shown last, only once, and only for a run that a patrol lists', async () => {
    const first = value(await box.plan());
    const plan = value(await box.plan());
    const { pushWaiters } = box;
    expect(await pushWaiters.arm(BOX, first.plan)).toMatchObject({ error: { code: 'plan-gone' } });
    const twice = await Promise.all([
      pushWaiters.arm(BOX, plan.plan),
      pushWaiters.arm(BOX, plan.plan),
    ]);
    expect(twice.map((each) => each.ok).sort()).toEqual([false, true]);
    expect(twice.find((each) => !each.ok)).toMatchObject({ error: { code: 'plan-gone' } });
    await box.hasWaiters(1);
    const unlisted = { run: { bootId: null, pid: 1, startTicks: 1 }, to: box.to(), maxHours: 1 };
    expect(await pushWaiters.plan(BOX, unlisted)).toMatchObject({
      error: { code: 'process-not-listed' },
    });
  });

  it('is one for each run: arming again takes the place of the one that waits (U16)', async () => {
    const old = await box.arm();
    expect(value(await box.plan({ kind: 'own' })).isReplacing).toBe(true);
    const waiter = await box.arm({ kind: 'own' });
    expect((await box.look()).waiters.map(({ id }) => id)).toEqual([waiter.id]);
    expect(existsSync(box.folder(old.id))).toBe(false);
    await box.hasWaiters(1);
    await box.run.end();
    await vi.waitFor(async () =>
      expect(await box.stateOf(waiter)).toMatchObject({ kind: 'fired' }),
    );
    expect(box.server.received).toHaveLength(1);
  });

  it('says when the wait is over that the run goes on, and ends', async () => {
    // Longer than it takes to read back that it waits.
    const waiter = await box.arm(box.to(), 5 / 3600);
    await box.server.gotten(1);
    expect(box.server.received[0]?.body).toContain('"because":"expired"');
    await vi.waitFor(async () =>
      expect(await box.stateOf(waiter)).toMatchObject({ because: 'expired', isDelivered: true }),
    );
    await box.hasWaiters(0);
    expect(box.run.isThere).toBe(true);
  });

  it('ends by hand as the preview says, and never ends another process that has its number', async () => {
    const waiter = await box.arm();
    writeFileSync(
      join(box.folder(waiter.id), 'waiter'),
      `${String(box.run.pid)} ${String(box.run.ref.startTicks)}\n`,
    );
    value(await box.pushWaiters.end(BOX, waiter.id)); // its folder is gone, which is all that was done
    expect(box.run.isThere).toBe(true);
    await box.hasWaiters(0);
    await box.run.end();
    expect(box.server.received).toEqual([]);
  });

  it('leaves nothing where the run has ended already', async () => {
    const plan = value(await box.plan());
    await box.run.end();
    expect(await box.pushWaiters.arm(BOX, plan.plan)).toMatchObject({
      error: { message: expect.stringContaining('ended already') as string },
    });
    expect(existsSync(box.folder()) ? readdirSync(box.folder()) : []).toEqual([]);
    expect(box.kept.size).toBe(0);
  });

  it('leaves nothing where only a part arrived, and writes through no symlink', async () => {
    const values = {
      LEASEHOLD_MARK: 'mark',
      LEASEHOLD_ID: 'p-1-1-00000000',
      LEASEHOLD_PID: String(box.run.pid),
      LEASEHOLD_START: String(box.run.ref.startTicks),
      LEASEHOLD_MAX_S: '60',
      LEASEHOLD_RUN: '',
    };
    const part = new Secret(`${box.server.url}\n\n{}\n{}\nen`);
    const ran = value(
      await onboxScripts.runWithInput(box.connection, 'push-arm.sh', values, part, {}),
    );
    expect(ran.stdout).toContain('mark refused cut-off');
    expect(readdirSync(box.folder())).toEqual([]);

    const elsewhere = join(box.home, 'elsewhere');
    mkdirSync(elsewhere);
    const plan = value(await box.plan());
    const link = plan.folder.replace('~', box.home);
    symlinkSync(elsewhere, link);
    expect(await box.pushWaiters.arm(BOX, plan.plan)).toMatchObject({ ok: false });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect((await box.look()).waiters).toEqual([]);
    rmSync(link);
    expect(box.waiterPids()).toEqual([]);
  });

  it('knows one that was ended, and one that a restart of the machine has taken', async () => {
    const waiter = await box.arm();
    const known = join(box.folder(waiter.id), 'waiter');
    const kept = readFileSync(known, 'utf8');
    writeFileSync(known, kept.replace(/ .*/, ' 1')); // its number, and another start
    expect(await box.stateOf(waiter)).toEqual({ kind: 'lost', because: 'ended' });
    writeFileSync(known, kept);
    expect(await box.stateOf(waiter)).toEqual({ kind: 'waiting' });
    for (const pid of await box.hasWaiters(1)) process.kill(pid, 'SIGKILL');
    await vi.waitFor(async () =>
      expect(await box.stateOf(waiter)).toEqual({ kind: 'lost', because: 'ended' }),
    );
    const about = join(box.folder(waiter.id), 'about');
    const [first = '', armedAt = ''] = readFileSync(about, 'utf8').split('\n');
    writeFileSync(about, `${first}\n${armedAt}\n0dca9e43-0000/77\n`);
    expect(await box.stateOf(waiter)).toEqual({ kind: 'lost', because: 'restart' });
    writeFileSync(about, '\u001b[31m$(touch x) \n');
    expect(await box.stateOf(waiter)).toEqual({ kind: 'lost', because: 'unknown' });
  });

  it('finds out what became of it where the answer was lost', async () => {
    const lost = err({ ...problem('link-lost', 'The link broke.'), mayHaveRun: true });
    const breaking = Object.create(box.connection) as SshConnection;
    let answers = 0;
    breaking.run = async (command, options) => {
      const ran = await box.connection.run(command, options);
      answers += 1;
      return answers === 2 ? lost : ran;
    };
    breaking.openAnother = (signal) => box.connection.openAnother(signal);
    box.pushWaiters = openPushWaiters(
      () => box.run,
      () => breaking,
    );
    expect((await box.arm()).state).toEqual({ kind: 'waiting' });
  });

  it('is neither a run nor an old waiter to the patrol', async () => {
    await box.arm();
    const first = box.run;
    box.run = new TestRun();
    await box.arm();
    const ours = await box.hasWaiters(2);
    // A table of these processes alone: the rest of this machine is no part of the box.
    const proc = join(box.home, 'proc');
    mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
    writeFileSync(join(proc, 'uptime'), '900000.00 1.0\n');
    for (const pid of [first.pid, box.run.pid, ...ours].map(String)) {
      symlinkSync(`/proc/${pid}`, join(proc, pid));
    }
    // What makes a shell look like a waiter; their own sleeps come and go faster than the script looks.
    const zeros = Array.from({ length: 17 }, () => '0').join(' ');
    for (const [at, pid] of ours.entries()) {
      const sleep = String(5_000_000 + at);
      mkdirSync(join(proc, sleep));
      writeFileSync(
        join(proc, sleep, 'stat'),
        `${sleep} (sleep) S ${String(pid)} ${zeros} 77 0 0\n`,
      );
    }
    const told = await runOnboxScript(['sh'], 'patrol.sh', {
      PATH: process.env['PATH'] ?? '',
      TMUX_TMPDIR: proc,
      LEASEHOLD_MARK: 'nonce',
      LEASEHOLD_LOGS: '',
      LEASEHOLD_FOLDERS: '',
      LEASEHOLD_SYSTEM_FOLDERS: '',
      LEASEHOLD_LOCAL_TYPES: '',
      LEASEHOLD_KERNEL_AFTER: '',
      LEASEHOLD_LOOKS: '',
      LEASEHOLD_SNAPSHOTS: '',
      LEASEHOLD_ACCELERATORS: '',
      LEASEHOLD_PROC_ROOT: proc,
      LEASEHOLD_CGROUP_ROOT: proc,
    });
    const look = readPatrol(told, 'nonce', [], { askedAtMs: 0, answeredAtMs: 0 });
    expect(look.processes.rows.map(({ pid }) => pid)).toEqual(expect.arrayContaining(ours));
    expect(look.runs).toEqual([]);
    const old = look.waiters.map((each) => ({ ...each, ageS: 7200, hasTerminal: false }));
    const others = { before: null, wasFound: () => false, missing: [] };
    const view = { ...others, ...shippedWatched(null), isGpuWorking: null };
    const judged = (waiters: typeof old) =>
      oldWaiters.judge({ ...view, look: { ...look, waiters } });
    // The table holds no run that any of them could wait for, so whatever looks like a waiter is an old one.
    const theirs = old.map((each) => ({
      ...each,
      command: 'sh -c until [ -e DONE ]; do sleep 9; done',
    }));
    expect(old.map(({ pid }) => pid).sort()).toEqual([...ours].sort());
    expect(judged(theirs)).toMatchObject([{ answer: { kind: 'found' } }]);
    expect(judged(old)).toMatchObject([{ answer: { kind: 'clear' } }]);
    await first.end();
  });
});

describe.skipIf(!hasDropbear)('on a box with Dropbear', () => {
  it('outlives the session that armed it', async () => {
    const server = await startDropbear();
    const run = new TestRun();
    let connection = await connectTo(server.port, server);
    const url = new URL('https://ntfy.invalid/');
    const webhook = { kind: 'ntfy', url, topic: 'a-topic', authorization: null } as const;
    const pushWaiters = openPushWaiters(
      () => run,
      () => connection,
      { webhook: { target: () => ok(webhook) } },
    );
    const wanted = { run: run.ref, to: { kind: 'webhook' }, maxHours: 24 } as const;
    const plan = value(await pushWaiters.plan(BOX, wanted));
    expect(plan.secretLines.join('\n')).not.toContain('a-topic');
    value(await pushWaiters.arm(BOX, plan.plan));
    connection.close();
    await connection.closed;
    connection = await connectTo(server.port, server);
    const [waiter, ...others] = value(await pushWaiters.look(BOX)).look.waiters;
    expect(others).toEqual([]);
    expect(waiter?.state).toEqual({ kind: 'waiting' });
    expect(value(await pushWaiters.end(BOX, waiter?.id ?? '')).look.waiters).toEqual([]);
    connection.close();
    await connection.closed;
    await server.stop();
    await run.end();
  });
});
