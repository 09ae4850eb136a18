import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import { unconfirmedClock } from '../../shared/clocks/own-clocks.ts';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { nothingKnown } from '../../shared/runs/launch/known-box.fixture.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { lookAtRuns } from './look-at-runs.ts';
import { ownFirst, pathWith, programsBut, whereIs } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';
const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

const DETACHERS = [
  { detacher: 'tmux', left: [] },
  { detacher: 'setsid', left: ['tmux'] },
  { detacher: 'nohup', left: ['tmux', 'setsid'] },
] as const;

describe.skipIf(!hasSshd || !isLinux).each(DETACHERS)(
  'a run that is launched with $detacher',
  ({ detacher, left }) => {
    let box: RunBox;
    beforeEach(async () => {
      box = new RunBox();
      const path = programsBut(left);
      await box.open({ path });
    });
    afterEach(() => box.close());

    it.skipIf(detacher === 'tmux' && !has('tmux'))(
      'is what was shown, outlives its connection, and its end is known with its exit code (U18)',
      async () => {
        const plan = value(
          await box.plan({
            name: 'a "run" of o’hara',
            command: 'cat ../gate\necho "$GREETING"; umask\nexit 7',
            env: { GREETING: `it's "$HOME" \\ é *` },
          }),
        );
        expect(plan.detacher).toBe(detacher);
        expect(plan.checks.filter(({ answer }) => answer === 'block')).toEqual([]);
        expect(existsSync(plan.folder)).toBe(false);
        execFileSync('mkfifo', [join(box.home, 'gate')]);
        const launched = value(await box.launcher.launch(BOX.id, plan.plan));
        const { runId } = plan;
        expect(box.in(launched, runId)).toMatchObject({
          name: 'a "run" of o’hara',
          folder: '~/work',
          place: plan.folder,
          detacher,
          status: { kind: 'running' },
        });
        for (const { name, text } of plan.files) {
          if (text !== null) expect(box.read(runId, name)).toBe(text);
        }
        // Its last file, and nothing any more of what files are made of.
        await box.settled(runId, 'job');
        await vi.waitFor(() => expect(readdirSync(plan.folder).join()).not.toContain('.tmp'));
        expect(statSync(plan.folder).mode & 0o777).toBe(0o700);
        for (const name of readdirSync(plan.folder)) {
          expect(statSync(box.place(runId, name)).mode & 0o077).toBe(0);
        }
        await box.hangUp();
        writeFileSync(join(box.home, 'gate'), 'through\n');
        await box.settled(runId, 'end');
        expect(box.read(runId, 'log')).toMatch(/^through\nit's "\$HOME" \\ é \*\n0022\n$/);
        await box.connect();
        expect((await box.look(runId)).status).toMatchObject({
          kind: 'failed',
          exitCode: 7,
          lacksSuccessLine: false,
        });
        expect(box.news.map(({ run }) => run.id)).toEqual([runId]);
      },
    );

    it.skipIf(detacher === 'tmux' && !has('tmux'))(
      'is ended with all that it began, also what does not listen, and nothing else is (U4)',
      async () => {
        const command = [
          'sh -c \'trap "" TERM; sleep 600 & echo $! >child; while :; do wait; sleep 1; done\' &',
          "trap '' TERM; echo ready >ready; sleep 601; sleep 602",
        ].join('\n');
        const beside = await box.launch({ command: 'exec sleep 603' });
        const run = await box.launch({ command });
        await vi.waitFor(() => expect(existsSync(join(box.home, 'work/ready'))).toBe(true));
        await vi.waitFor(() => expect(existsSync(join(box.home, 'work/child'))).toBe(true));
        value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
        expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended' });
        const ours = (words: string): string[] =>
          box.pids().flatMap((pid) => {
            const said = readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1');
            return said.includes(words) ? [said] : [];
          });
        expect([...ours('sleep\x00600'), ...ours('sleep\x00601'), ...ours('sleep\x00602')]).toEqual(
          [],
        );
        expect((await box.look(beside.id)).status).toEqual({ kind: 'running' });
        expect(box.news).toEqual([]); // whoever ended it knows
        value(await box.launcher.end(BOX.id, beside.id, endPass(beside.id)));
        // Ending what is over changes nothing.
        const end = box.read(run.id, 'end');
        value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
        expect(box.read(run.id, 'end')).toBe(end);
      },
    );
  },
);

it.skipIf(!hasSshd || !isLinux || !has('tmux'))(
  'a run is at home where its plan is, whatever a tmux server that is there already takes for home',
  async () => {
    const box = new RunBox();
    try {
      await box.open();
      execFileSync('tmux', ['new-session', '-d', '-s', 'of-a-notebook', 'sleep 604'], {
        env: { ...process.env, TMUX: '', TMUX_TMPDIR: box.home, HOME: '/nonexistent' },
      });
      const { id } = await box.launch({ command: 'echo "$HOME"; pwd -P' });
      await box.until(id, 'done');
      expect(box.read(id, 'log')).toBe(`${box.home}\n${box.home}/work\n`);
    } finally {
      await box.close();
    }
  },
);

describe.skipIf(!hasSshd || !isLinux)('a run that is launched', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open({ path: programsBut(['tmux']) });
  });
  afterEach(() => box.close());

  it('is done by its exit code and, where one was named, by the text of a success', async () => {
    const without = await box.launch({ command: 'true' });
    const found = await box.launch({
      command: 'echo "all -e good: 100%"',
      successLine: '-e good: 1',
    });
    const lacking = await box.launch({ command: 'echo bad', successLine: '.*' });
    expect((await box.until(without.id, 'done')).status).toMatchObject({ exitCode: 0 });
    await box.until(found.id, 'done');
    expect((await box.until(lacking.id, 'failed')).status).toMatchObject({
      exitCode: 0,
      lacksSuccessLine: true,
    });
  });

  it('keeps what its trainer made of its settings, and nothing of before or without a name for it (U27)', async () => {
    mkdirSync(join(box.home, 'work/old'));
    writeFileSync(join(box.home, 'work/old/hparams.yaml'), 'lr: 9\n');
    const { id } = await box.launch({
      results: '~/elsewhere',
      command: [
        "mkdir -p 'out/a b/.hydra' ~/elsewhere out/.git",
        "echo 'lr: 1' >'out/a b/.hydra/config.yaml'",
        'echo lr: 2 >~/elsewhere/hparams.yaml',
        'echo lr: 3 >out/.git/hparams.yaml; echo no >out/notes.yaml',
      ].join('\n'),
    });
    expect((await box.until(id, 'done')).configs).toBe(2);
    expect(box.read(id, 'config-files')).toBe(
      `1-hparams.yaml ${box.home}/elsewhere/hparams.yaml\n2-config.yaml ${box.home}/work/out/a b/.hydra/config.yaml\n`,
    );
    expect(box.read(id, 'config/1-hparams.yaml')).toBe('lr: 2\n');
    expect(box.read(id, 'config/2-config.yaml')).toBe('lr: 1\n');
    const without = await box.launch({ command: 'true' });
    expect((await box.until(without.id, 'done')).configs).toBeUndefined();
  });

  it('goes on where it is asked to end by the box, with its grace (SIGTERM is passed on)', async () => {
    box.known = nothingKnown({ platform: 'runpod', profile: shippedProfile('runpod') });
    const run = await box.launch({
      command: `sh -c 'trap "echo saved; exit 3" TERM; echo up; while :; do sleep 0.05; done'; echo not reached`,
    });
    await box.settled(run.id, 'log');
    process.kill(box.numberIn(run.id, 'go'), 'SIGTERM');
    const over = await box.until(run.id, 'cut-off');
    expect(over.status).toMatchObject({ exitCode: 143 });
    expect(box.read(run.id, 'log')).toMatch(
      /^up\nleasehold: .* the box asks to end \(SIGTERM\); passed on to the run, which has about 5 s on this platform\n(?:Terminated\n)?saved\nleasehold: .* the run ended \d+ s after it was asked to, with exit code 143\n$/,
    );
  });

  it('is one, however often the same plan or the same id is launched', async () => {
    const plan = value(await box.plan({ command: 'echo once >>../count; exec sleep 600' }));
    const twice = await Promise.all([
      box.launcher.launch(BOX.id, plan.plan),
      box.launcher.launch(BOX.id, plan.plan),
    ]);
    expect(twice.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(twice.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'plan-gone' } });
    await vi.waitFor(() => expect(readFileSync(join(box.home, 'count'), 'utf8')).toBe('once\n'));
    // Somebody starts its keeper once more.
    execFileSync('sh', [box.place(plan.runId, 'keeper.sh'), box.place(plan.runId)]);
    expect(readFileSync(join(box.home, 'count'), 'utf8')).toBe('once\n');
    expect((await box.look(plan.runId)).status).toEqual({ kind: 'running' });
  });

  it('whose keeper was killed is said to run on without it, and to be lost once it does not', async () => {
    const run = await box.launch({ command: 'exec sleep 600' });
    await box.settled(run.id, 'job');
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    await vi.waitFor(async () =>
      expect((await box.look(run.id)).status).toEqual({ kind: 'running', lacksKeeper: true }),
    );
    process.kill(box.numberIn(run.id, 'job'), 'SIGKILL');
    expect((await box.until(run.id, 'lost')).status).toEqual({ kind: 'lost', because: 'killed' });
    await vi.waitFor(() => expect(box.news).toHaveLength(1));
  });

  it('whose folder was cleared away leaves nothing behind once it is over', async () => {
    const run = await box.launch({ command: 'echo up; until [ -e ~/go-on ]; do sleep 0.1; done' });
    // From then on nobody writes into it.
    await box.settled(run.id, 'log');
    const keeper = box.numberIn(run.id, 'go');
    expect(box.pids()).toContain(keeper);
    rmSync(box.place(run.id), { recursive: true });
    writeFileSync(join(box.home, 'go-on'), '');
    await vi.waitFor(() => expect(box.pids()).not.toContain(keeper));
  });

  it('is ended before its job has begun, and what helps to write that down is not', async () => {
    await box.close();
    box = new RunBox();
    const held = `case "$*" in *" job") : >"${box.home}/held"; sleep 606; exit 143 ;; esac`;
    const bin = join(box.home, 'bin');
    await box.open({ path: pathWith(bin, { setsid: `${held}\nexec /usr/bin/setsid "$@"` }) });
    const run = await box.launch({ command: 'echo once >>../count' });
    await vi.waitFor(() => expect(existsSync(join(box.home, 'held'))).toBe(true));
    // Longer than the run is given to end by itself.
    const date = '#!/bin/sh\nsleep 2\nexec /bin/date "$@"\n';
    writeFileSync(join(bin, 'date'), date, { mode: 0o755 });
    value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
    expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended', exitCode: 143 });
    expect(existsSync(join(box.home, 'count'))).toBe(false);
  });

  it('whose keeper was killed can be ended all the same', async () => {
    const run = await box.launch({ command: 'sleep 600; sleep 601' });
    await box.settled(run.id, 'job');
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
    expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended', exitCode: null });
  });

  it('is not said to be over where its processes cannot be told, as when one ends while a mawk reads of it', async () => {
    await box.close();
    box = new RunBox();
    const bin = join(box.home, 'bin');
    const dies = join(box.home, 'dies');
    // Only where the processes are asked for. "once": as it is; else for good.
    // "held": once its processes are held, so that they can be ended by force.
    const held = `kill -0 $(cat "${box.home}/pid") && grep -q '^State:.T' /proc/$(cat "${box.home}/pid")/status`;
    const awk = `case "$*" in *session=*) case $(cat "${dies}" 2>/dev/null) in once) rm "${dies}"; exit 2 ;; held) if ${held}; then exit 2; fi ;; ?*) exit 2 ;; esac ;; esac`;
    await box.open({ path: pathWith(bin, { awk: `${awk}\nexec ${whereIs('awk')} "$@"` }) });
    const run = await box.launch({ command: 'sleep 600; sleep 601' });
    await box.settled(run.id, 'job');
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    writeFileSync(dies, 'always');
    expect(await box.launcher.end(BOX.id, run.id, endPass(run.id))).toMatchObject({
      error: { code: 'run-not-ended' },
    });
    expect((await box.look(run.id)).status).toEqual({ kind: 'running', lacksKeeper: true });
    // Nobody was asked, so that a signal of the box is still one to its keeper.
    expect(readdirSync(box.place(run.id))).not.toContain('asked');
    writeFileSync(dies, 'once');
    value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
    expect(existsSync(dies)).toBe(false);
    expect((await box.look(run.id)).status).toMatchObject({ kind: 'ended', exitCode: null });
    // Nor is one left held that was to be ended by force.
    const deaf = await box.launch({
      command: `trap '' TERM; echo $$ >~/pid; while :; do sleep 0.1; done`,
    });
    await vi.waitFor(() => expect(existsSync(join(box.home, 'pid'))).toBe(true));
    writeFileSync(dies, 'held');
    await box.launcher.end(BOX.id, deaf.id, endPass(deaf.id));
    await vi.waitFor(async () => {
      expect((await box.look(deaf.id)).status).toMatchObject({ kind: 'ended', exitCode: 137 });
    });
    expect(box.pids()).toEqual([]);
  });

  it('is lost to a restart where the box has another life', async () => {
    const run = await box.launch({ command: 'exec sleep 600' });
    const go = box.read(run.id, 'go').replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/');
    await box.settled(run.id, 'job');
    process.kill(box.numberIn(run.id, 'go'), 'SIGKILL');
    process.kill(box.numberIn(run.id, 'job'), 'SIGKILL');
    writeFileSync(box.place(run.id, 'go'), go);
    expect((await box.until(run.id, 'lost')).status).toEqual({
      kind: 'lost',
      because: 'restart',
    });
  });

  it('that was edited by hand is unreadable, with the reason, and nothing acts on it', async () => {
    const run = await box.launch({ command: 'true' });
    await box.until(run.id, 'done');
    writeFileSync(box.place(run.id, 'end'), 'done \u001b[31m $(touch x)\nmark whole\n');
    expect((await box.look(run.id)).status).toMatchObject({ kind: 'unreadable' });
    writeFileSync(box.place(run.id, 'about'), '{"name": "x\n"');
    expect(await box.look(run.id)).toMatchObject({
      name: run.id,
      status: { kind: 'unreadable', because: expect.stringContaining('“about”') as string },
    });
  });

  it('that nothing began of is sealed by the next look, and its late keeper does nothing', async () => {
    const run = await box.launch({ command: 'echo ran >>../count' });
    await box.until(run.id, 'done');
    // As a launcher leaves it that was killed before its keeper began.
    for (const file of ['go', 'job', 'end', 'log']) rmSync(box.place(run.id, file));
    rmSync(join(box.home, 'count'));
    writeFileSync(box.place(run.id, 'environment'), 'export WANDB_MODE=offline\n');
    expect((await box.look(run.id)).status).toEqual({ kind: 'never-started' });
    expect(existsSync(box.place(run.id, 'environment'))).toBe(false);
    execFileSync('sh', [box.place(run.id, 'keeper.sh'), box.place(run.id)]);
    expect(existsSync(join(box.home, 'count'))).toBe(false);
    expect((await box.look(run.id)).status).toEqual({ kind: 'never-started' });
  });

  it('is refused by what is the matter with its folders, and leaves nothing', async () => {
    const plan = value(await box.plan({ folder: '~/work' }));
    rmSync(join(box.home, 'work'), { recursive: true });
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: {
        code: 'run-not-launched',
        message: expect.stringContaining('does not exist') as string,
      },
    });
    expect(value(box.watch.everSeenOn(BOX.id))).toEqual([]);
    writeFileSync(join(box.home, 'work'), '');
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { message: expect.stringContaining('is a file') as string },
    });
    expect(existsSync(plan.folder)).toBe(false);
    rmSync(join(box.home, 'work'));
    mkdirSync(join(box.home, 'work'));
    // The same plan, now that what it lacked is there.
    expect(value(await box.launcher.launch(BOX.id, plan.plan)).runs).toHaveLength(1);
  });

  it('goes over what a person has chosen, says so in its folder, and over nothing that cannot be', async () => {
    const shown = value(await box.plan({ command: 'no-such-program-here', activate: 'false' }));
    const blocked = shown.checks.filter(({ answer }) => answer === 'block');
    expect(blocked.map(({ id }) => id)).toEqual(['activate']);
    expect(await box.launcher.launch(BOX.id, shown.plan, new Set(['folder']))).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('“false” failed') as string },
    });
    expect(existsSync(shown.folder)).toBe(false);
    value(await box.launcher.launch(BOX.id, shown.plan, new Set(['activate', 'space', 'x'])));
    const run = await box.look(shown.runId);
    expect(run.overridden).toEqual([
      { title: 'Environment', says: '“false” failed in the login shell of the box.' },
    ]);
    expect(await box.settled(shown.runId, 'about')).toContain('“false” failed');

    const none = value(await box.plan({ folder: '~/none', activate: 'false' }));
    const all = new Set(none.checks.map(({ id }) => id));
    expect(await box.launcher.launch(BOX.id, none.plan, all)).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('does not exist') as string },
    });
  });

  it('says what blocks it, and is not launched then', async () => {
    const plan = value(
      await box.plan({ folder: '~/none', command: 'no-such-program-here --x', results: 'out' }),
    );
    const blocked = plan.checks.filter(({ answer }) => answer === 'block');
    expect(blocked.map(({ id }) => id)).toEqual(['folder']);
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    writeFileSync(join(box.home, 'work/crlf.sh'), 'echo\r\n');
    const next = value(await box.plan({ command: 'bash crlf.sh', activate: 'false' }));
    expect(
      next.checks.filter(({ answer }) => answer === 'block').map(({ id, gotcha }) => [id, gotcha]),
    ).toEqual([
      ['line-ends', 'U26'],
      ['activate', null],
    ]);
    const program = value(await box.plan({ command: 'no-such-program-here --x' }));
    expect(program.checks.find(({ id }) => id === 'program')).toMatchObject({ answer: 'block' });
    const activated = value(
      await box.plan({ command: 'ours --x', activate: 'ours() { :; }', results: 'out/deep' }),
    );
    // How full this machine is, and whether it has a GPU, is not of this test.
    expect(
      ['folder', 'activate', 'program', 'results'].map(
        (id) => activated.checks.find((check) => check.id === id)?.answer,
      ),
    ).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(readdirSync(box.home).filter((name) => name.startsWith('.local'))).toEqual([]);
  });

  it('is not launched while the end of its box is under way, also where that was approved after the plan', async () => {
    const plan = value(await box.plan());
    const end = { verb: 'destroy', approvedAtMs: 1, remindsAtMs: null };
    box.known = nothingKnown({ clocks: [unconfirmedClock(end)] });
    const says =
      'The end of this box is under way: you approved “destroy”, and nothing has confirmed it. Call it off on its Teardown tab first.';
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked', message: `This blocks the launch: ${says}` },
    });
    expect(existsSync(plan.folder)).toBe(false);
    const again = value(await box.plan());
    expect(again.checks.find(({ id }) => id === 'end')).toMatchObject({ answer: 'block', says });
    box.known = nothingKnown();
    await box.until(
      box.in(value(await box.launcher.launch(BOX.id, again.plan)), again.runId).id,
      'done',
    );
  });

  it('gets as many threads as the control group grants CPUs, unless it says so itself (U40)', async () => {
    await box.close();
    box = new RunBox();
    const groups = join(box.home, 'cgroup');
    await box.open({ env: { LEASEHOLD_CGROUP_ROOT: groups } });
    mkdirSync(groups);
    writeFileSync(join(groups, 'cgroup.controllers'), 'cpu memory\n');
    writeFileSync(join(groups, 'cpu.max'), '50000 100000\n');
    writeFileSync(join(groups, 'cpu.stat'), 'usage_usec 1\n');
    const { id } = await box.launch({ command: 'echo "threads: $OMP_NUM_THREADS"' });
    await box.until(id, 'done');
    expect(box.read(id, 'log')).toContain('threads: 1\n');
    const own = await box.launch({
      command: 'echo "threads: $OMP_NUM_THREADS"',
      env: { OMP_NUM_THREADS: '3' },
    });
    await box.until(own.id, 'done');
    expect(box.read(own.id, 'log')).toContain('threads: 3\n');
  });

  it('gets a secret by its name from a file on the box, and its value stands nowhere else (U34)', async () => {
    const folder = join(box.home, '.config/leasehold');
    mkdirSync(folder, { recursive: true });
    const missing = value(await box.plan({ secrets: ['API_KEY'] }));
    expect(missing.checks.find(({ id }) => id === 'secrets')).toMatchObject({ answer: 'block' });
    writeFileSync(join(folder, 'API_KEY'), 'swordfish 7\n', { mode: 0o600 });
    const plan = value(
      await box.plan({
        command: 'printf %s "$API_KEY" | tr a-z A-Z\ntr "\\0" "\\n" </proc/$$/cmdline',
        secrets: ['API_KEY'],
        evidence: ['metrics.csv'],
        scratch: ['*.tmp'],
        checkpoints: { names: ['*.ckpt'] },
      }),
    );
    expect(JSON.stringify(plan)).not.toContain('swordfish');
    value(await box.launcher.launch(BOX.id, plan.plan));
    const run = await box.until(plan.runId, 'done');
    expect(box.read(run.id, 'log')).toContain('SWORDFISH 7');
    for (const name of readdirSync(box.place(run.id))) {
      expect(`${name}: ${box.read(run.id, name)}`).not.toContain('swordfish');
    }
    expect(run.keeps).toEqual({
      evidence: ['metrics.csv'],
      scratch: ['*.tmp'],
      checkpoints: ['*.ckpt'],
    });
    rmSync(join(folder, 'API_KEY'));
    const over = value(await box.plan({ command: 'touch began', secrets: ['API_KEY'] }));
    value(await box.launcher.launch(BOX.id, over.plan, new Set(['secrets'])));
    await box.until(over.runId, 'failed');
    expect(box.read(over.runId, 'log')).toContain('The secret API_KEY is not on the box.');
    expect(existsSync(join(box.home, 'work/began'))).toBe(false);
  });

  it('lists its results, whatever they are called', async () => {
    const run = await box.launch({
      command: `mkdir -p 'o ut/-n' && cd 'o ut' && printf 123 >'-n/a
b' && : >'é "q" $(x)' && ln -s /etc/passwd link`,
      results: 'o ut',
    });
    await box.until(run.id, 'done');
    const list = value(await box.launcher.results(BOX.id, run.id));
    expect(list).toMatchObject({
      folder: join(box.home, 'work/o ut'),
      isCut: false,
      files: [
        { path: '-n/a\nb', bytes: 3 },
        { path: 'é "q" $(x)', bytes: 0 },
      ],
    });
    rmSync(join(box.home, 'work/o ut'), { recursive: true });
    expect(await box.launcher.results(BOX.id, run.id)).toMatchObject({
      error: { code: 'results-not-there', message: expect.stringContaining('exist') as string },
    });
  });

  it('is listed and ended also where a hundred newer ones are over, and those beyond are told page by page', async () => {
    const old = await box.launch({ command: 'exec sleep 605' });
    const past = await box.launch({ command: 'true' });
    await box.until(past.id, 'done');
    // What is newer than anything that this test launches.
    const ids = Array.from(
      { length: 101 },
      (_, at) => `r-2999${String(1000 + at)}-000000-0a1b2c3d`,
    );
    const [oldest = ''] = ids;
    for (const id of ids) execFileSync('cp', ['-R', box.place(past.id), box.place(id)]);
    const { runs, leftOut } = value(await box.watch.look(BOX.id));
    expect(runs.map(({ id }) => id)).toEqual([...ids.slice(1).reverse(), old.id]);
    expect(leftOut).toBe(2);
    const { connection } = box;
    if (connection === null) throw new Error('not connected');
    const page = value(await lookAtRuns(connection, onboxScripts, { before: ids[1] ?? '' }));
    expect(page.runs.map(({ id }) => id)).toEqual([oldest, past.id, old.id]);
    value(await box.launcher.end(BOX.id, old.id, endPass(old.id)));
    expect(box.read(old.id, 'end')).toMatch(/^ended /);
  });

  it('is told to be over once, also when that was while the app was closed (U16)', async () => {
    execFileSync('mkfifo', [join(box.home, 'gate')]);
    const run = await box.launch({ command: 'cat ../gate' });
    await box.quit();
    writeFileSync(join(box.home, 'gate'), '');
    await box.settled(run.id, 'end');
    await box.start();
    await vi.waitFor(() => expect(box.news.map(({ run: { id } }) => id)).toEqual([run.id]));
    await box.quit();
    await box.start();
    await box.look(run.id);
    expect(box.news).toHaveLength(1);
    // Another installation, which knows nothing of it.
    await box.quit();
    box.entries.kept.clear();
    await box.start();
    await box.look(run.id);
    expect(box.news).toHaveLength(1);
  });
});

// One run or none, and the service knows which.
describe.skipIf(!hasSshd || !isLinux)('a launch whose link is cut', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open({ path: ownFirst(join(box.home, 'bin'), programsBut(['tmux'])) });
  });
  afterEach(() => box.close());

  /** What was on its way when the link broke, and arrives all the same. */
  let arrive: () => Promise<string>;

  /** The box, but its link breaks around the command that launches. */
  function breaking(when: 'before' | 'while' | 'after'): SshConnection {
    const { connection } = box;
    if (connection === null) throw new Error('not connected');
    const lost = err({ ...problem('link-lost', 'The link broke.'), mayHaveRun: true });
    const broken = Object.create(connection) as SshConnection;
    broken.openAnother = (signal) => connection.openAnother(signal);
    broken.run = async (command, options) => {
      if (options?.input?.includes('KEEPER') !== true) return connection.run(command, options);
      arrive = async () => value(await connection.run(command, options)).stdout;
      if (when === 'before') return lost;
      if (when === 'after') {
        await connection.run(command, options);
        return lost;
      }
      const input = options.input.slice(0, options.input.lastIndexOf('\nend\n'));
      await connection.run(command, { ...options, input });
      return lost;
    };
    return broken;
  }

  it.each([
    ['before', 0],
    ['while', 0],
    ['after', 1],
  ] as const)('%s it arrives is %i run', async (when, runs) => {
    const plan = value(await box.plan({ command: 'echo once >>../count; exec sleep 600' }));
    box.connection = breaking(when);
    const launched = await box.launcher.launch(BOX.id, plan.plan);
    expect(launched.ok).toBe(runs === 1);
    if (!launched.ok) {
      expect(launched.error).toMatchObject({
        code: 'run-not-launched',
        message: expect.stringContaining('nothing of it can start any more') as string,
      });
    }
    expect(value(await box.watch.look(BOX.id)).runs).toHaveLength(runs);
    expect(box.pids().length > 0).toBe(runs === 1);
    expect(await arrive()).toMatch(/ exists\n/);
    expect(value(await box.watch.look(BOX.id)).runs).toHaveLength(runs);
    const count = join(box.home, 'count');
    if (runs === 0) expect(existsSync(count)).toBe(false);
    else await vi.waitFor(() => expect(readFileSync(count, 'utf8')).toBe('once\n'));
  });

  it('whose launcher is killed in the middle is none, also when its keeper comes late', async () => {
    const setsid = join(box.home, 'bin/setsid');
    writeFileSync(setsid, '#!/bin/sh\ncat "$HOME/gate" && exec /usr/bin/setsid "$@"\n');
    chmodSync(setsid, 0o755);
    // A launcher that waits for its keeper gives up after ten seconds: this one waits for the test.
    const sleep = join(box.home, 'bin/sleep');
    writeFileSync(sleep, '#!/bin/sh\nexec cat "$HOME/held"\n', { mode: 0o755 });
    execFileSync('mkfifo', [join(box.home, 'gate'), join(box.home, 'held')]);
    const plan = value(await box.plan({ command: 'echo once >>../count' }));
    const launching = box.launcher.launch(BOX.id, plan.plan);
    await box.settled(plan.runId, 'about');
    expect((await box.look(plan.runId)).status).toEqual({ kind: 'starting' });
    process.kill(Number(box.read(plan.runId, 'launcher').split(' ')[1]), 'SIGKILL');
    writeFileSync(join(box.home, 'held'), '');
    expect(await launching).toMatchObject({ error: { code: 'run-not-launched' } });
    expect((await box.look(plan.runId)).status).toEqual({ kind: 'never-started' });
    expect(box.pids()).not.toEqual([]); // what was to become the keeper
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(box.pids()).toEqual([]));
    expect(existsSync(join(box.home, 'count'))).toBe(false);
    expect(box.read(plan.runId, 'go')).toMatch(/^sealed /);
  });

  it('by the network at any moment is one run or none, and the answer says which', async () => {
    for (const afterMs of [0, 5, 15, 30, 60, 120]) {
      const plan = value(await box.plan({ command: `echo x >>../count-${String(afterMs)}` }));
      const timer = setTimeout(() => box.proxy.cut(), afterMs);
      const launched = await box.launcher.launch(BOX.id, plan.plan);
      clearTimeout(timer);
      if (box.connection !== null) {
        await box.hangUp();
        await box.connect();
      }
      const runs = value(await box.watch.look(BOX.id)).runs.filter(({ id }) => id === plan.runId);
      const isThere = runs.length === 1;
      if (isThere) await box.until(plan.runId, 'done');
      expect(existsSync(join(box.home, `count-${String(afterMs)}`))).toBe(isThere);
      // The answer of a look that was cut, too, is no claim about the run.
      if (launched.ok) expect(isThere).toBe(true);
      else if (launched.error.code === 'run-not-launched') expect(isThere).toBe(false);
    }
  });
});

describe.skipIf(!hasSshd || !isLinux)('the log of a run', () => {
  let box: RunBox;
  beforeEach(async () => {
    box = new RunBox();
    await box.open({ path: programsBut(['tmux']) });
    execFileSync('mkfifo', [join(box.home, 'gate')]);
  });
  afterEach(() => box.close());

  it('is followed over a link that drops, without a byte twice or less, to its end', async () => {
    const run = await box.launch({
      command: `printf 'one hunter2 é\\n'; cat ../gate; printf 'two \\377 \\n'; cat ../gate; echo three`,
    });
    const log = box.openLog(run.id);
    await vi.waitFor(() =>
      expect(log()).toMatchObject({ text: 'one [redacted] é\n', state: 'following' }),
    );
    box.proxy.cut();
    await box.hangUp();
    await vi.waitFor(() => expect(box.pids().length).toBeLessThan(4));
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(statSync(box.place(run.id, 'log')).size).toBeGreaterThan(17));
    await box.connect();
    await vi.waitFor(() => expect(log().text).toBe('one [redacted] é\ntwo \ufffd \n'));
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() =>
      expect(log()).toMatchObject({
        text: 'one [redacted] é\ntwo \ufffd \nthree\n',
        state: 'whole',
        bytes: statSync(box.place(run.id, 'log')).size,
        isCut: false,
      }),
    );
  });

  it('is read for the figures of its training, with the part that was there before, also while nobody looks at the log', async () => {
    const run = await box.launch({
      command:
        'i=0; while [ $i -lt 9000 ]; do echo "step $i/10000 loss 0.$i lr 1e-3"; i=$((i+1)); done; cat ../gate; echo "step 9001/10000 loss nan"',
    });
    await vi.waitFor(() => expect(box.read(run.id, 'log')).toContain('step 8999/'));
    const metrics = box.openMetrics(run.id);
    await vi.waitFor(() => expect(metrics().series[0]?.count).toBe(9000));
    const [loss, rate] = metrics().series;
    expect([loss?.name, rate?.name]).toEqual(['loss', 'lr']);
    expect([loss?.steps[0], loss?.steps.at(-1)]).toEqual([0, 8999]);
    // Nobody knows when that was written.
    expect(new Set(loss?.atMs)).toEqual(new Set([null]));
    expect(metrics()).toMatchObject({
      position: { unit: 'step', done: 8999, total: 10_000, atMs: null },
      reading: { state: 'following', skippedAtBegin: 0, skippedInFlood: 0 },
    });
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(metrics().reading.state).toBe('whole'));
    expect(metrics().series[0]).toMatchObject({ count: 9001, bad: { count: 1, firstStep: 9001 } });
    expect(metrics().series[0]?.atMs.at(-1)).toBeGreaterThan(0);
  });

  it('that was renamed and that nobody writes any more is read to its end, and then the one that began under its name', async () => {
    const run = await box.launch({ command: 'echo old; exec >/dev/null 2>&1; cat ../gate' });
    const log = box.openLog(run.id);
    await vi.waitFor(() => expect(log().text).toBe('old\n'));
    renameSync(box.place(run.id, 'log'), box.place(run.id, 'log.1'));
    appendFileSync(box.place(run.id, 'log.1'), 'the end of the old one\n');
    writeFileSync(box.place(run.id, 'log.new'), 'a first line that is new\n');
    renameSync(box.place(run.id, 'log.new'), box.place(run.id, 'log'));
    await vi.waitFor(() => expect(log().text).toContain('a first line that is new\n'));
    expect(log().text).toMatch(
      /^old\nthe end of the old one\n\n\[leasehold: the log was renamed[^\n]*\]\na first line that is new\n$/,
    );
    writeFileSync(join(box.home, 'gate'), '');
  });

  it('that was put in place of another one is read from its beginning, also where it is longer', async () => {
    const run = await box.launch({ command: 'echo old; exec >/dev/null 2>&1; cat ../gate' });
    const log = box.openLog(run.id);
    await vi.waitFor(() => expect(log().text).toBe('old\n'));
    writeFileSync(box.place(run.id, 'another'), 'a first line that is new\n');
    renameSync(box.place(run.id, 'another'), box.place(run.id, 'log'));
    await vi.waitFor(() => expect(log().text).toContain('a first line that is new\n'));
    expect(log().text).toContain('became shorter or was replaced');
    writeFileSync(join(box.home, 'gate'), '');
  });

  it('of a flood sends the end, in which no line is missing', async () => {
    const run = await box.launch({
      command: 'cat ../gate >/dev/null; seq -f "line %.0f of a flood of lines" 1 200000',
    });
    const log = box.openLog(run.id);
    await vi.waitFor(() => expect(log().state).toBe('following'));
    writeFileSync(join(box.home, 'gate'), '');
    await vi.waitFor(() => expect(log().state).toBe('whole'));
    const { text, bytes, isCut } = log();
    expect([bytes, isCut]).toEqual([statSync(box.place(run.id, 'log')).size, true]);
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[1]));
    expect(numbers.at(-1)).toBe(200_000);
    expect(numbers).toEqual(numbers.map((_, at) => 200_001 - numbers.length + at));
  });

  it('begins near its end where it is long, and leaves nothing on the box once nobody looks', async () => {
    const run = await box.launch({
      command:
        'i=0; while [ $i -lt 20000 ]; do echo "line $i of many"; i=$((i+1)); done; cat ../gate',
    });
    await vi.waitFor(() => expect(box.read(run.id, 'log')).toContain('line 19999'));
    const key = `${BOX.id} ${run.id}`;
    const { subscription } = value(box.hub.open(1, 'run-log', key));
    const peek = () => {
      const opened = value(box.hub.open(1, 'run-log', key));
      box.hub.close(1, opened.subscription);
      return opened.state as { text: string; bytes: number; isCut: boolean; state: string };
    };
    await vi.waitFor(() => expect(peek().text.endsWith('line 19999 of many\n')).toBe(true));
    expect(peek()).toMatchObject({
      isCut: true,
      bytes: statSync(box.place(run.id, 'log')).size,
    });
    expect(peek().text).not.toContain('line 0 of');
    // Somebody empties it.
    writeFileSync(box.place(run.id, 'log'), 'fresh\n');
    await vi.waitFor(() => expect(peek().text.endsWith('fresh\n')).toBe(true));
    expect(peek().text).toContain('read again from its beginning');
    box.hub.close(1, subscription);
    // Keeper, job and cat; to ask for the state would be to look.
    await vi.waitFor(() => expect(box.pids()).toHaveLength(3));
    writeFileSync(join(box.home, 'gate'), '');
  });
});

describe.skipIf(!hasSshd || !isLinux)('without the right to write', () => {
  it('is refused', async (context) => {
    context.skip(process.getuid?.() === 0, 'root may write anywhere');
    const box = new RunBox();
    await box.open();
    mkdirSync(join(box.home, '.local'));
    chmodSync(join(box.home, '.local'), 0o500);
    const plan = value(await box.plan());
    expect(plan.checks.find(({ id }) => id === 'state')).toMatchObject({ answer: 'block' });
    chmodSync(join(box.home, '.local'), 0o700);
    await box.close();
  });
});
