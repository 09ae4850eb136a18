import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { type RunBox, value } from '../run-box.fixture.ts';
import { A, B, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { gate, openBoxes, work } from './sweep-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a sweep', () => {
  let boxes: [RunBox, RunBox];
  let app: SweepApp;
  const more: SweepApp[] = [];
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new SweepApp(...boxes);
  });
  afterEach(async () => {
    for (const each of [app, ...more.splice(0)]) await each.close();
    for (const box of boxes) await box.close();
  });

  /** A cell is said to run before it does anything: its own words tell that it did. */
  const hasRun = (box: RunBox, words: string): Promise<void> =>
    vi.waitFor(() => expect(readFileSync(work(box, 'ran'), 'utf8')).toBe(words));

  it('that runs again says whether the code is still that of the first launch', async () => {
    const [a, b] = boxes;
    const from = join(a.home, 'project');
    mkdirSync(from);
    writeFileSync(join(from, 'train.sh'), 'exit 7\n');
    const push = { from, ignore: [], delete: false, fixLineEnds: false, rehash: false };
    const wanted = { ...draft('sh train.sh {x} {results}', '1, 2'), push };
    const plan = value(await app.sweepLauncher.plan(wanted, shares([0, 1])));
    await app.launch(plan);
    await app.until(plan.sweepId, ['failed', 'failed']);
    const again = async (by: SweepApp) => {
      const made = value(await by.sweepLauncher.planAgain(plan.sweepId, shares([], [0])));
      const check = made.shares[0]?.plan?.checks.find(({ id }) => id === 'same-code');
      return { made, check };
    };
    expect((await again(app)).check).toMatchObject({ answer: 'pass' });
    // Another computer knows no folder whose code it could push.
    const other = new SweepApp(a, b);
    more.push(other);
    await vi.waitFor(async () => {
      await other.watch.look(A.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['failed', 'failed']);
    });
    expect((await again(other)).check).toMatchObject({ answer: 'unknown' });
    writeFileSync(join(from, 'train.sh'), 'exit 0\n');
    const { made, check } = await again(app);
    expect(check).toMatchObject({ answer: 'block', gotcha: 'U42' });
    expect(await app.sweepLauncher.launch(plan.sweepId, made.plan, {})).toMatchObject({
      error: { code: 'run-blocked' },
    });
    await app.launch(made, { [B.id]: ['same-code'] });
    await app.until(plan.sweepId, ['done', 'failed']);
    // What ran again is no first launch: it is still held against that one.
    const next = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    expect(next.shares[0]?.plan?.checks.find(({ id }) => id === 'same-code')).toMatchObject({
      answer: 'block',
    });
  });

  it('whose run folder was removed is missing there; what two runs have done is told', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.sweepLauncher.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done']);
    const run = launched.shares[1]?.run ?? '';
    const kept = `${b.place(run)}.kept`;
    execFileSync('mv', [b.place(run), kept]);
    await app.until(plan.sweepId, ['done', 'missing']);
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    await app.launch(again);
    await app.until(plan.sweepId, ['done', 'done']);
    execFileSync('mv', [kept, b.place(run)]);
    await vi.waitFor(async () => {
      const { cells } = await app.view(plan.sweepId);
      expect(cells.map(({ isTwice }) => isTwice)).toEqual([false, true]);
    });
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n2 results/x=2\n');
  });

  it('that left nothing on one box is what another makes of it, looked into there as well', async () => {
    const [, b] = boxes;
    const command = 'echo {x} >>ran; [ ! -e mended ] || echo {x} >{results}/out';
    const plan = value(await app.sweepLauncher.plan(draft(command, '1, 2'), shares([0, 1])));
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done']);
    value(await app.sweeps.reconcile(plan.sweepId));
    const stands = async () =>
      (await app.view(plan.sweepId)).cells.map(({ share, isTwice, isEmpty = false }) => [
        ...[share, isTwice, isEmpty],
      ]);
    expect(await stands()).toEqual([
      [0, false, true],
      [0, false, true],
    ]);
    writeFileSync(work(b, 'mended'), '');
    await app.launch(value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [0]))));
    await vi.waitFor(async () => {
      value(await app.sweeps.reconcile(plan.sweepId));
      expect(await stands()).toEqual([
        [1, false, false],
        [0, false, true],
      ]);
    });
    // What the second one has lost since is told of it, too.
    rmSync(work(b, 'results/x=1/out'));
    value(await app.sweeps.reconcile(plan.sweepId));
    expect((await stands())[0]).toEqual([0, false, true]);
  });

  it('cut off on one box and run again on another does not go on where it was', async () => {
    const [a, b] = boxes;
    gate(a, 'gate');
    const command = 'echo {x} {results} >>ran; [ ! -e gate ] || cat gate';
    const plan = value(await app.sweepLauncher.plan(draft(command, '1, 2'), shares([0, 1])));
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['running', 'waiting']);
    await hasRun(a, '1 results/x=1\n');
    a.killAll();
    await a.hangUp();
    await a.connect();
    await app.until(plan.sweepId, ['interrupted', 'never-started']);
    await app.launch(value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [0]))));
    await app.until(plan.sweepId, ['done', 'never-started']);
    const run = launched.shares[0]?.run ?? '';
    const resumed = value(await app.launcher.planResume(A.id, run));
    expect(resumed.queue?.cells).toHaveLength(2);
    expect(resumed.checks[0]).toMatchObject({
      id: 'sweep-twin',
      says: '1 cell of this queue was run again on box b, or may be running there.',
    });
    expect(await app.launcher.launch(A.id, resumed.plan)).toMatchObject({
      error: { code: 'run-blocked' },
    });
    // On the same box the new queue takes the place after the old one, which nobody can go on with any more.
    rmSync(work(a, 'gate'));
    await app.launch(value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1]))));
    await app.until(plan.sweepId, ['done', 'done']);
    expect(await app.launcher.planResume(A.id, run)).toMatchObject({
      error: { code: 'run-not-resumed' },
    });
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n2 results/x=2\n');
    expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('1 results/x=1\n');
  });

  it('waits for a process that outlived its run, and no longer than it lives', async () => {
    const [a] = boxes;
    gate(a, 'gate');
    const command = 'echo {x} {results} >>ran; cat gate';
    const plan = value(await app.sweepLauncher.plan(draft(command, '1'), shares([0])));
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['running']);
    await hasRun(a, '1 results/x=1\n');
    const run = launched.shares[0]?.run ?? '';
    for (const file of ['go', 'job'] as const) process.kill(a.numberIn(run, file), 'SIGKILL');
    await app.until(plan.sweepId, ['interrupted']);
    expect((await app.view(plan.sweepId)).shares[0]).toMatchObject({ hasLeft: true });
    const early = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([0])));
    expect(early.shares[0]?.problem?.message).toContain(
      'a process of an interrupted cell still runs',
    );
    writeFileSync(work(a, 'gate'), 'go\n');
    await vi.waitFor(async () =>
      expect((await app.view(plan.sweepId)).shares[0]).toMatchObject({ hasLeft: false }),
    );
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([0])));
    expect(again.shares[0]?.problem).toBeNull();
  });
});
