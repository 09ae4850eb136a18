import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import { selectOffered } from '../../../shared/runs/resume/resume-offer.ts';
import { BOX_SHELLS, onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { pathWith, programsOf, whereIs } from '../programs.fixture.ts';
import { BOX, RunBox, value } from '../run-box.fixture.ts';
import { RunLauncher } from '../run-launcher.ts';

const isLinux = process.platform === 'linux';

class RebootBox extends RunBox {
  /** All that runs is killed, and what was noted of it belongs to an earlier life of the machine. */
  async reboot(id: string, hasBegun: () => void = () => undefined): Promise<void> {
    await this.settled(id, 'job');
    await vi.waitFor(hasBegun);
    this.killAll();
    await vi.waitFor(() => expect(this.pids()).toEqual([]));
    for (const file of ['go', 'job'] as const) {
      const before = this.read(id, file).replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/');
      rmSync(this.place(id, file));
      writeFileSync(this.place(id, file), before);
    }
    await this.hangUp();
    await this.connect();
    await this.until(id, 'lost');
  }
  ran(): string {
    return readFileSync(join(this.home, 'work/ran'), 'utf8');
  }
  async offered(): Promise<readonly string[]> {
    return selectOffered(value(await this.watch.look(BOX.id)).runs).map(({ id }) => id);
  }
  another(): RunLauncher {
    const { roster, watch, pushes } = this;
    return new RunLauncher({
      ...{ roster, watch, pushes, scripts: onboxScripts },
      knownBox: () => this.known,
    });
  }
}

let box: RebootBox;
afterEach(() => box.close());

/** The first time it waits to be ended; the second time it is done. */
const TWICE = `echo "$GREETING" >>ran\nif [ -e again ]; then echo "all done"; else touch again; exec sleep 600; fi`;
const hasRunOnce = (): void => expect(existsSync(join(box.home, 'work/again'))).toBe(true);

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'a run that a restart of a box with $name has cut off',
  ({ shell, isInstalled }) => {
    beforeEach(async () => {
      box = new RebootBox();
      await box.open({ path: programsOf(shell) });
    });

    it.skipIf(!isInstalled)(
      'is offered, and runs the identical command once more, once, as a run that goes on after it (GEN6)',
      async () => {
        const { id } = await box.launch({
          name: "it's a run",
          command: TWICE,
          env: { GREETING: `é "a" $(x) it's` },
          successLine: 'all done',
          results: 'out',
          copy: { to: '~/durable', prune: ['*.tmp'] },
        });
        await box.reboot(id, hasRunOnce);
        expect(await box.offered()).toEqual([id]);
        expect(box.news.map(({ run }) => run.id)).toEqual([id]);
        mkdirSync(join(box.home, 'work/out'), { recursive: true });
        writeFileSync(join(box.home, 'work/out/best.pt'), 'best\n');

        // Two who go on with it at once, each with a plan of their own: one of them wins.
        const other = box.another();
        const plans = [
          value(await box.launcher.planResume(BOX.id, id)),
          value(await other.planResume(BOX.id, id)),
        ] as const;
        expect(plans[0]).toMatchObject({ after: id, request: { successLine: 'all done' } });
        expect(plans[0].files.find(({ name }) => name === 'job.sh of the run')?.text).toBe(
          box.read(id, 'job.sh'),
        );
        const launched = await Promise.all([
          box.launcher.launch(BOX.id, plans[0].plan),
          other.launch(BOX.id, plans[1].plan),
        ]);
        expect(launched.map(({ ok }) => ok).sort()).toEqual([false, true]);
        expect(launched.find(({ ok }) => !ok)).toMatchObject({
          error: { message: expect.stringContaining('was resumed meanwhile') as string },
        });
        const { runId } = plans[launched[0].ok ? 0 : 1];
        const over = await box.until(runId, 'done');
        expect(over).toMatchObject({
          name: "it's a run",
          command: TWICE,
          status: { copy: 'copied' },
          again: { id, next: null },
          copyTo: `${box.home}/durable/${runId}`,
        });
        expect(readFileSync(join(box.home, 'durable', runId, 'best.pt'), 'utf8')).toBe('best\n');
        expect(box.ran()).toBe(`é "a" $(x) it's\n`.repeat(2));
        expect((await box.look(id)).again).toEqual({ id, next: runId });
        expect(await box.offered()).toEqual([]);
        for (const each of [id, runId]) {
          expect(await box.launcher.planResume(BOX.id, each)).toMatchObject({
            error: { code: 'run-not-resumed' },
          });
        }
      },
    );

    it.skipIf(!isInstalled)(
      'is not offered again once that was declined, from any computer, and can still be resumed',
      async () => {
        const { id } = await box.launch({ command: TWICE, env: { GREETING: 'x' } });
        await box.reboot(id, hasRunOnce);
        expect(await box.offered()).toEqual([id]);
        value(await box.launcher.declineResume(BOX.id, id));
        value(await box.launcher.declineResume(BOX.id, id));
        await box.quit();
        await box.start();
        expect(await box.look(id)).toMatchObject({ isDeclined: true });
        expect(await box.offered()).toEqual([]);
        const plan = value(await box.launcher.planResume(BOX.id, id));
        value(await box.launcher.launch(BOX.id, plan.plan));
        await box.until(plan.runId, 'done');
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('a run that was cut off', () => {
  beforeEach(async () => {
    box = new RebootBox();
    await box.open();
  });

  const fromOf = async (id: string) =>
    value(await box.launcher.planResume(BOX.id, id)).checks.find(
      (check) => check.id === 'resume-from',
    );

  it('is offered where the box asked it to end, with what it has saved and whether it goes on from there', async () => {
    const saves = (flags: string): string =>
      `mkdir -p out && echo weights >out/model_step_500.pt && exec sh -c 'trap "exit 0" TERM; echo up; while :; do sleep 0.05; done' ${flags}`;
    for (const [flags, expected] of [
      ['', { answer: 'warn', says: expect.stringContaining('model_step_500.pt') as string }],
      ['train.py --resume-from last', { answer: 'pass' }],
    ] as const) {
      const { id } = await box.launch({ command: saves(flags), results: 'out' });
      await box.settled(id, 'log');
      process.kill(box.numberIn(id, 'go'), 'SIGTERM');
      await box.until(id, 'cut-off');
      expect(await box.offered()).toEqual([id]);
      expect(await fromOf(id)).toMatchObject(expected);
      value(await box.launcher.declineResume(BOX.id, id));
    }
    const { id } = await box.launch({ command: 'exec sleep 600' });
    await box.reboot(id);
    expect(await fromOf(id)).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('names no results folder') as string,
    });
    expect(existsSync(box.place(id, 'next'))).toBe(false);
  });

  it('of a run that names no results folder is told what it saved where it works, also by the runs before it', async () => {
    const command = `[ -e model_step_7.pt ] || echo 1 >model_step_7.pt; echo up; exec sleep 600`;
    const first = await box.launch({ command });
    await box.settled(first.id, 'log');
    await box.reboot(first.id);
    const expected = expect.stringContaining('model_step_7.pt') as string;
    expect(await fromOf(first.id)).toMatchObject({ answer: 'warn', says: expected });
    const plan = value(await box.launcher.planResume(BOX.id, first.id));
    const [second] = value(await box.launcher.launch(BOX.id, plan.plan)).runs;
    if (second === undefined) throw new Error('It was not begun.');
    await box.settled(second.id, 'log');
    await box.reboot(second.id);
    expect(await fromOf(second.id)).toMatchObject({ answer: 'warn', says: expected });
  });

  it('is not gone on with as long as a process of it lives', async () => {
    const { id } = await box.launch({ command: 'sleep 600 & echo up; wait' });
    await box.settled(id, 'log');
    for (const file of ['go', 'job'] as const) process.kill(box.numberIn(id, file), 'SIGKILL');
    await box.until(id, 'lost');
    const plan = value(await box.launcher.planResume(BOX.id, id));
    expect(plan.checks).toContainEqual(
      expect.objectContaining({ id: 'resume-left', answer: 'block', anyway: null }),
    );
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
  });

  it('is not gone on with where nobody can tell whether one lives, as when one ends while a mawk reads of it', async () => {
    await box.close();
    box = new RebootBox();
    const dies = join(box.home, 'dies');
    const awk = `case "$*" in *session=*) case $(cat "${dies}" 2>/dev/null) in once) rm "${dies}"; exit 2 ;; ?*) exit 2 ;; esac ;; esac`;
    const bin = join(box.home, 'bin');
    await box.open({ path: pathWith(bin, { awk: `${awk}\nexec ${whereIs('awk')} "$@"` }) });
    const { id } = await box.launch({ command: 'sleep 600 & echo up; wait' });
    await box.settled(id, 'log');
    for (const file of ['go', 'job'] as const) process.kill(box.numberIn(id, file), 'SIGKILL');
    await box.until(id, 'lost');
    writeFileSync(dies, 'always');
    expect((await box.launcher.planResume(BOX.id, id)).ok).toBe(false);
    writeFileSync(dies, 'once');
    const plan = value(await box.launcher.planResume(BOX.id, id));
    expect(existsSync(dies)).toBe(false);
    expect(plan.checks).toContainEqual(expect.objectContaining({ id: 'resume-left' }));
  });

  it('that another computer began, or a box made up, goes on only once its command was read', async () => {
    const { id } = await box.launch({ command: 'exec sleep 600' });
    await box.reboot(id);
    const made = 'r-20260101-000000-0badbeef';
    execFileSync('cp', ['-R', box.place(id), box.place(made)]);
    const about = JSON.parse(box.read(made, 'about')) as object;
    writeFileSync(box.place(made, 'about'), JSON.stringify({ ...about, id: made }));
    writeFileSync(box.place(made, 'job.sh'), 'touch ~/owned\n');
    const plan = value(await box.launcher.planResume(BOX.id, made));
    expect(plan.checks[0]).toMatchObject({
      id: 'origin',
      says: expect.stringContaining('This computer did not begin this run') as string,
    });
    expect(await box.launcher.launch(BOX.id, plan.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    expect(existsSync(join(box.home, 'owned'))).toBe(false);
    const own = value(await box.launcher.planResume(BOX.id, id));
    expect(own.checks.map((check) => check.id)).not.toContain('origin');
  });

  it('is refused where its folder holds what no launch writes, or its job is gone', async () => {
    const { id } = await box.launch({ command: 'exec sleep 600', successLine: 'done' });
    await box.reboot(id);
    writeFileSync(box.place(id, 'success-line'), 'do\u0007ne\n');
    expect(await box.launcher.planResume(BOX.id, id)).toMatchObject({
      error: { message: expect.stringContaining('what no launch writes') as string },
    });
    writeFileSync(box.place(id, 'success-line'), 'done\n');
    rmSync(box.place(id, 'job.sh'));
    expect(await box.launcher.planResume(BOX.id, id)).toMatchObject({
      error: { message: expect.stringContaining('job.sh is not on the box') as string },
    });
  });

  it('is neither offered nor resumed where it is done, and not offered where a person ended it', async () => {
    const done = await box.launch({ command: 'true' });
    await box.until(done.id, 'done');
    const ended = await box.launch({ command: 'exec sleep 600' });
    value(await box.launcher.end(BOX.id, ended.id, endPass(ended.id)));
    expect(await box.offered()).toEqual([]);
    expect(await box.launcher.planResume(BOX.id, done.id)).toMatchObject({
      error: { message: expect.stringContaining('This run is done') as string },
    });
    expect(value(await box.launcher.planResume(BOX.id, ended.id)).after).toBe(ended.id);
  });
});
