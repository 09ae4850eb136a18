import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untouchedEntry } from '../../../shared/streams/fleet-stream.ts';
import { changedScripts, onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { pathWith, sharedStat, whereIs } from '../programs.fixture.ts';
import { RunBox, value } from '../run-box.fixture.ts';
import { A, B, draft, shares, SweepApp } from './sweep-app.fixture.ts';
import { gate, openBoxes, work } from './sweep-box.fixture.ts';

describe.skipIf(!hasSshd || process.platform !== 'linux')('a sweep of which a box is away', () => {
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

  it('whose box goes down between plan and launch begins there later, once, and is told as it was last seen', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const command = 'echo {x} {results} >>ran; [ {x} = 1 ] || cat gate';
    const plan = value(await app.sweepLauncher.plan(draft(command, '1, 2'), shares([0], [1])));
    const goesDown = async (): Promise<void> => {
      await b.proxy.refuse(true);
      b.proxy.cut();
      await b.connection?.closed;
    };
    const comesBack = async (): Promise<void> => {
      await b.proxy.refuse(false);
      await b.connect();
    };
    // The app has not noticed yet: its link is there, and leads nowhere.
    await goesDown();
    const first = await app.launch(plan);
    expect(first).toMatchObject({ canRepeat: true, shares: [{ problem: null }, {}] });
    expect(first.shares[1]?.problem).not.toBeNull();
    await app.until(plan.sweepId, ['done', 'unseen']);
    expect((await app.view(plan.sweepId)).shares[1]).toMatchObject({ presence: 'unseen' });
    // Whether it has begun there nobody knows: that is a person's to risk.
    const risky = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    expect(risky.shares[0]?.plan?.checks[0]).toMatchObject({ id: 'sweep-twin', answer: 'block' });
    await comesBack();
    await app.until(plan.sweepId, ['done', 'never-started']);
    const second = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [1])));
    expect((await app.launch(second)).shares).toMatchObject([{ problem: null }]);
    await app.until(plan.sweepId, ['done', 'running']);
    await goesDown();
    await vi.waitFor(async () => {
      const { cells, shares: told } = await app.view(plan.sweepId);
      expect(told.at(-1)).toMatchObject({ presence: 'unseen' });
      expect(cells[1]?.state.kind).toBe('running');
    });
    writeFileSync(work(b, 'gate'), 'go\n');
    await comesBack();
    await app.until(plan.sweepId, ['done', 'done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n');
    expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('2 results/x=2\n');
    expect((await app.view(plan.sweepId)).cells.some(({ isTwice }) => isTwice)).toBe(false);
  });

  it('run again elsewhere is perhaps done twice, until that box tells', async () => {
    const [, b] = boxes;
    gate(b, 'gate');
    const command = 'echo {x} {results} >>ran; [ ! -e gate ] || cat gate';
    const plan = value(await app.sweepLauncher.plan(draft(command, '1, 2'), shares([0], [1])));
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'running']);
    const twice = async () =>
      (await app.view(plan.sweepId)).cells.map(({ isTwice, mayBeTwice = false }) => [
        isTwice,
        mayBeTwice,
      ]);
    await b.hangUp();
    await vi.waitFor(async () =>
      expect((await app.view(plan.sweepId)).shares[1]).toMatchObject({ presence: 'unseen' }),
    );
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    await app.launch(again, { [A.id]: ['sweep-twin'] });
    await app.until(plan.sweepId, ['done', 'done']);
    expect(await twice()).toEqual([
      [false, false],
      [false, true],
    ]);
    await b.connect();
    writeFileSync(work(b, 'gate'), 'go\n');
    await vi.waitFor(async () =>
      expect(await twice()).toEqual([
        [false, false],
        [true, false],
      ]),
    );
  });

  it('that is in the archive has told its last, and what it had not done runs on another without a question', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const command = 'echo {x} {results} >>ran; [ {x} != 3 ] || [ ! -e gate ] || cat gate';
    const plan = value(
      await app.sweepLauncher.plan(draft(command, '1, 2, 3'), shares([0], [1, 2])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done', 'running']);
    const archive = (of: SweepApp): void =>
      of.roster.put(untouchedEntry({ ...B, archivedAtMs: 1 }));
    await b.hangUp();
    archive(app);
    await app.until(plan.sweepId, ['done', 'done', 'interrupted']);
    expect((await app.view(plan.sweepId)).shares[1]).toMatchObject({ presence: 'gone' });
    // So it is in the next life of the app, which can ask that box no more.
    await app.close();
    app = new SweepApp(a, b, onboxScripts, app.entries);
    archive(app);
    await app.until(plan.sweepId, ['done', 'done', 'interrupted']);
    const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([2])));
    const checks = again.shares[0]?.plan?.checks.map(({ id }) => id);
    expect(checks).toContain('folder');
    expect(checks).not.toContain('sweep-twin');
    await app.launch(again);
    await app.until(plan.sweepId, ['done', 'done', 'done']);
    const { cells } = await app.view(plan.sweepId);
    expect(cells.some(({ isTwice, mayBeTwice }) => isTwice || mayBeTwice === true)).toBe(false);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n3 results/x=3\n');
  });

  it('after a restart is told as it was last seen, and what is done there runs nowhere again', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const command = 'echo {x} {results} >>ran; [ {x} != 3 ] || cat gate';
    const plan = value(
      await app.sweepLauncher.plan(draft(command, '1, 2, 3'), shares([0], [1, 2])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done', 'running']);
    await app.close();
    await b.hangUp();
    app = new SweepApp(a, b, onboxScripts, app.entries);
    await app.until(plan.sweepId, ['done', 'done', 'running']);
    expect((await app.view(plan.sweepId)).shares[1]).toMatchObject({ presence: 'unseen' });
    expect(await app.sweepLauncher.planAgain(plan.sweepId, shares([1]))).toMatchObject({
      error: { message: expect.stringContaining('“x=2” is done') as string },
    });
    await b.connect();
    writeFileSync(work(b, 'gate'), 'go\n');
    await app.until(plan.sweepId, ['done', 'done', 'done']);
  });

  it('has told how its cells ended also where nobody looks at the sweep', async () => {
    const plan = value(
      await app.sweepLauncher.plan(
        draft('[ {x} = 3 ] || cat gate; exit {x} # {results}', '0, 3'),
        shares([0, 1]),
      ),
    );
    const [a] = boxes;
    gate(a, 'gate');
    const launched = await app.launch(plan);
    const told = `sweep-told ${launched.shares[0]?.run ?? ''}`;
    // Something of it is known before, so that there is something new in its end.
    await app.until(plan.sweepId, ['running', 'waiting']);
    writeFileSync(work(a, 'gate'), 'go\n');
    // As the app looks at its boxes by itself.
    await vi.waitFor(async () => {
      await app.watch.look(A.id);
      expect(app.entries.kept.get(` ${told}`)).toMatchObject({
        marks: { 1: { end: { exitCode: 0 } }, 2: { end: { exitCode: 3 } } },
        wholeAs: launched.shares[0]?.run,
      });
    });
  });

  it('is asked for the end of a run until it has told it, and no other box is', async () => {
    const [a, b] = boxes;
    await app.close();
    const scripts = changedScripts(
      join(a.home, 'onbox'),
      'queue-look.sh',
      'set -u\n',
      'set -u\necho look >>"$HOME/looks"; [ ! -e "$HOME/broken" ] || { echo tried >>"$HOME/tried"; exit 1; }\n',
    );
    app = new SweepApp(a, b, scripts);
    for (const box of boxes) gate(box, 'gate');
    const plan = value(
      await app.sweepLauncher.plan(draft('cat gate; : {x} {results}', '1, 2'), shares([0], [1])),
    );
    const launched = await app.launch(plan);
    const told = ` sweep-told ${launched.shares[0]?.run ?? ''}`;
    await app.until(plan.sweepId, ['running', 'running']);
    const before = readFileSync(join(b.home, 'looks'), 'utf8');
    writeFileSync(join(a.home, 'broken'), '');
    writeFileSync(work(a, 'gate'), 'go\n');
    await vi.waitFor(async () => {
      await app.watch.look(A.id);
      expect(existsSync(join(a.home, 'tried'))).toBe(true);
    });
    expect(app.entries.kept.get(told)).toMatchObject({ wholeAs: null });
    rmSync(join(a.home, 'broken'));
    await vi.waitFor(async () => {
      await app.watch.look(A.id);
      expect(app.entries.kept.get(told)).toMatchObject({
        ...{ marks: { 1: { end: { exitCode: 0 } } }, wholeAs: launched.shares[0]?.run },
      });
    });
    const looks = readFileSync(join(a.home, 'looks'), 'utf8');
    expect(readFileSync(join(b.home, 'looks'), 'utf8')).toBe(before);
    // What is known to its end is asked no more, in the next life neither.
    await app.close();
    app = new SweepApp(a, b, scripts, app.entries);
    for (const { id } of [A, B, A]) value(await app.watch.look(id));
    await app.sweeps.close();
    expect(readFileSync(join(a.home, 'looks'), 'utf8')).toBe(looks);
  });

  /** With another machine that has the home of the first box, and none of its processes. */
  async function withMate(act: (a: RunBox, mate: RunBox) => Promise<void>): Promise<void> {
    const [a, b] = boxes;
    // Another machine, whose processes are in another life than those that the run folders name.
    const proc = join(a.home, 'proc');
    mkdirSync(join(proc, 'sys/kernel/random'), { recursive: true });
    writeFileSync(
      join(proc, 'sys/kernel/random/boot_id'),
      '0badcafe-0000-4000-8000-000000000000\n',
    );
    writeFileSync(join(proc, 'sys/kernel/hostname'), 'another-node\n');
    const mate = new RunBox(a.home);
    await mate.open({
      path: pathWith(join(a.home, 'own'), { stat: sharedStat(whereIs('stat')) }),
      env: { LEASEHOLD_PROC_ROOT: proc, LEASEHOLD_RUN_PROC_ROOT: '/proc' },
    });
    try {
      await app.close();
      app = new SweepApp(a, mate);
      gate(a, 'gate');
      await act(a, mate);
    } finally {
      for (const each of [app, ...more.splice(0)]) await each.close();
      app = new SweepApp(a, b);
      await mate.quit();
      await mate.proxy.stop();
      await mate.sshd.stop();
    }
  }

  it('goes on there, whatever a box says that has its home, and becomes of that one', () =>
    withMate(async (a, mate) => {
      const plan = value(
        await app.sweepLauncher.plan(
          draft('[ {x} = 1 ] || cat gate; : {results}', '1, 2, 3'),
          shares([0, 1, 2]),
        ),
      );
      await app.launch(plan);
      await app.until(plan.sweepId, ['done', 'running', 'waiting']);
      const { runs } = value(await app.watch.look(B.id));
      expect(runs).toMatchObject([{ status: { kind: 'elsewhere' } }]);
      await app.until(plan.sweepId, ['done', 'running', 'waiting']);
      await a.hangUp();
      value(await app.watch.look(B.id));
      app.roster.put(untouchedEntry({ ...B, archivedAtMs: 1 }));
      const { cells, shares: told } = await app.view(plan.sweepId);
      expect(told).toMatchObject([{ boxId: A.id, presence: 'unseen' }]);
      expect(cells.map(({ state }) => state.kind)).toEqual(['done', 'running', 'waiting']);
      // Who knows nothing yet but what that other machine says, asks the one that runs it as soon as it tells.
      const other = new SweepApp(a, mate);
      more.push(other);
      const holder = (): unknown => other.sweeps.book.of(plan.sweepId)?.shares[0]?.boxId;
      await vi.waitFor(async () => {
        value(await other.watch.look(B.id));
        expect(holder()).toBe(B.id);
        // Which may still run it, and whose disk tells what it has done so far.
        expect(await other.kinds(plan.sweepId)).toEqual(['done', 'running', 'waiting']);
      });
      const risky = value(await other.sweepLauncher.planAgain(plan.sweepId, shares([], [1])));
      expect(risky.shares[0]?.plan?.checks.slice(0, 2)).toMatchObject([
        { id: 'origin', answer: 'block' },
        { id: 'sweep-twin', answer: 'block' },
      ]);
      await a.connect();
      value(await other.watch.look(A.id));
      expect(holder()).toBe(A.id);
      value(await other.watch.look(B.id));
      expect(holder()).toBe(A.id);
      // What is in the archive has told its last.
      other.roster.put(untouchedEntry({ ...A, archivedAtMs: 1 }));
      value(await other.watch.look(B.id));
      expect(holder()).toBe(A.id);
      await vi.waitFor(async () =>
        expect(await other.kinds(plan.sweepId)).toEqual(['done', 'interrupted', 'never-started']),
      );
      writeFileSync(work(a, 'gate'), 'go\n');
    }));

  it('is over once a person says that its machine is gone, which nobody can while a box shows it alive', () =>
    withMate(async (a) => {
      const plan = value(
        await app.sweepLauncher.plan(
          draft('[ {x} = 1 ] || cat gate; : {results}', '1, 2, 3'),
          shares([0, 1, 2]),
        ),
      );
      const launched = await app.launch(plan);
      await app.until(plan.sweepId, ['done', 'running', 'waiting']);
      const { run = '' } = launched.shares[0] ?? {};
      const gone = () => app.launcher.machineGone(B.id, run, hostname());
      value(await app.watch.look(B.id));
      expect(await gone()).toMatchObject({
        error: { code: 'machine-not-gone', message: expect.stringContaining('box a') as string },
      });
      await a.hangUp();
      app.roster.put({ ...untouchedEntry(A), link: { kind: 'idle' } });
      a.quieten(run);
      value(await gone());
      await vi.waitFor(async () =>
        expect(await app.kinds(plan.sweepId)).toEqual(['done', 'interrupted', 'never-started']),
      );
      const again = value(await app.sweepLauncher.planAgain(plan.sweepId, shares([], [1, 2])));
      expect(again.shares[0]?.plan?.checks.some(({ id }) => id === 'sweep-twin')).toBe(false);
      // Which was wrong: whoever shows it alive knows better.
      await a.connect();
      app.roster.put({ ...untouchedEntry(A), link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
      value(await app.watch.look(A.id));
      value(await app.watch.look(B.id));
      await app.until(plan.sweepId, ['done', 'running', 'waiting']);
      writeFileSync(work(a, 'gate'), 'go\n');
    }));

  it('is found by another computer, which knows what lies on a box that it does not reach', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const plan = value(
      await app.sweepLauncher.plan(
        draft('[ {x} = 1 ] || cat gate; echo {x} >{results}/out', '1, 2'),
        shares([0], [1]),
      ),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'running']);
    await b.hangUp();
    const other = new SweepApp(a, b);
    more.push(other);
    await vi.waitFor(async () => {
      await other.watch.look(A.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['done', 'unseen']);
    });
    // A box that is away may still run it: only a person can say that it does not.
    const risky = value(await other.sweepLauncher.planAgain(plan.sweepId, shares([1])));
    expect(risky.shares[0]?.plan?.checks.slice(0, 2)).toMatchObject([
      { id: 'origin', answer: 'block' },
      { id: 'sweep-twin', answer: 'block' },
    ]);
    for (const over of ['origin', 'sweep-twin']) {
      expect(
        await other.sweepLauncher.launch(risky.sweepId, risky.plan, { [A.id]: [over] }),
      ).toMatchObject({
        error: { code: 'run-blocked' },
      });
    }
    await b.connect();
    await vi.waitFor(async () => {
      await other.watch.look(B.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['done', 'running']);
    });
    expect(await other.sweepLauncher.planAgain(plan.sweepId, shares([1]))).toMatchObject({
      error: { message: expect.stringContaining('“x=2” is running') as string },
    });
    writeFileSync(work(b, 'gate'), 'go\n');
    await other.until(plan.sweepId, ['done', 'done']);
  });
});
