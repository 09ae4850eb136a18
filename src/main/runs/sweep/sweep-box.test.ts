import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Box } from '../../../shared/boxes/box.ts';
import { nothingKnown } from '../../../shared/runs/launch/known-box.fixture.ts';
import { RESULTS_PATTERN } from '../../../shared/runs/sweep/make-cells.ts';
import type { SweepLaunched, SweepPlan } from '../../../shared/runs/sweep/sweep-plan.ts';
import type { SweepCellKind, SweepView } from '../../../shared/runs/sweep/sweep-view.ts';
import { untouchedEntry } from '../../../shared/streams/fleet-stream.ts';
import { BoxRoster } from '../../boxes/box-roster.ts';
import { BOX_SHELLS, onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { StreamHub } from '../../streams/stream-hub.ts';
import { BoxPushes } from '../../transfer/box-pushes.ts';
import { programsOf } from '../programs.fixture.ts';
import { BOX, memoryEntries, RunBox, value } from '../run-box.fixture.ts';
import { RunLauncher } from '../run-launcher.ts';
import { RunWatch } from '../run-watch.ts';
import type { SweepFile } from '../../../shared/runs/sweep/sweep-schema.ts';
import { checkSweepHere } from './read-sweep.ts';
import { digestOf } from './roster-digest.ts';
import { SweepDesk } from './sweep-desk.ts';
import { SweepWatch } from './sweep-watch.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });
const isLinux = process.platform === 'linux';
/** A busy machine takes its time; only a hang ends a test. */
const PATIENCE = { timeout: 20_000, interval: 100 };

const A: Box = { ...BOX, name: 'box a' };
const B: Box = { ...BOX, id: '0b6f2a34-13c0-4a6e-9d2b-6b9e0d3f7c11', name: 'box b' };

class TwoBoxRoster extends BoxRoster {
  readonly #reach: (boxId: string) => SshConnection | null;
  constructor(hub: StreamHub, reach: (boxId: string) => SshConnection | null) {
    super(hub);
    this.#reach = reach;
  }
  override connectionOf(boxId: string): SshConnection | null {
    return this.#reach(boxId);
  }
}

/** One app over two real boxes; another one over the same boxes knows nothing of it. */
class App {
  readonly hub = new StreamHub();
  readonly roster: TwoBoxRoster;
  readonly watch: RunWatch;
  readonly sweeps: SweepWatch;
  readonly launcher: RunLauncher;
  readonly desk: SweepDesk;
  /** What it told beside the answers; nothing that a test does not ask for. */
  readonly told: string[] = [];

  constructor(a: RunBox, b: RunBox) {
    const entries = memoryEntries();
    this.hub.addClient(1, () => undefined);
    const boxes = new Map([
      [A.id, a],
      [B.id, b],
    ]);
    this.roster = new TwoBoxRoster(this.hub, (id) => boxes.get(id)?.connection ?? null);
    const options = {
      ...{ hub: this.hub, roster: this.roster, scripts: onboxScripts, entries },
      redact: (text: string) => text,
      onProblem: (found: { readonly message: string }) => void this.told.push(found.message),
    };
    this.watch = new RunWatch({ ...options, onOver: () => undefined, watchedMs: 100 });
    this.sweeps = new SweepWatch({
      ...options,
      ...{ watch: this.watch, check: checkSweepHere, everyMs: 100 },
    });
    this.launcher = new RunLauncher({
      ...options,
      checksOfCells: (queue, names) => this.sweeps.checksOfCells(queue, names),
      knownBox: () => nothingKnown(),
      watch: this.watch,
      pushes: new BoxPushes(options),
    });
    for (const box of [A, B]) {
      this.roster.put({ ...untouchedEntry(box), link: { kind: 'up', sinceMs: 0, latencyMs: 1 } });
    }
    this.desk = new SweepDesk({
      ...options,
      launcher: this.launcher,
      sweeps: this.sweeps,
      knownBox: () => nothingKnown(),
    });
  }

  async close(): Promise<void> {
    await this.sweeps.close();
    await this.watch.close();
    this.desk.close();
    this.hub.dispose();
    expect(this.told).toEqual([]);
  }

  async view(id: string): Promise<SweepView> {
    const sweep = this.sweeps.of(id);
    if (sweep === null) throw new Error('the app does not know the sweep');
    await sweep.look();
    return sweep.view;
  }

  async kinds(id: string): Promise<readonly SweepCellKind[]> {
    return (await this.view(id)).cells.map(({ state }) => state.kind);
  }

  until(id: string, kinds: readonly SweepCellKind[]): Promise<void> {
    return vi.waitFor(async () => expect(await this.kinds(id)).toEqual(kinds), PATIENCE);
  }

  async launch(
    plan: SweepPlan,
    overridden: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<SweepLaunched> {
    return value(await this.desk.launch(plan.sweepId, plan.plan, overridden));
  }
}

const draft = (command: string, values: string) => ({
  name: 'a sweep',
  base: { folder: '~/work', activate: null, env: { A: 'b' } },
  source: { kind: 'grid' as const, command, parameters: `x: ${values}` },
  pattern: RESULTS_PATTERN,
});
const shares = (...both: readonly (readonly number[])[]) =>
  [A, B].flatMap(({ id: boxId }, at) => {
    const cells = both[at] ?? [];
    return cells.length === 0 ? [] : [{ boxId, cells }];
  });

async function openBoxes(shell?: (typeof BOX_SHELLS)[number]): Promise<[RunBox, RunBox]> {
  const boxes: [RunBox, RunBox] = [new RunBox(), new RunBox()];
  for (const box of boxes) {
    // Two machines have no tmux server in common.
    const env = { TMUX_TMPDIR: box.home };
    const path = shell === undefined ? null : programsOf(shell.shell);
    await box.open({ env, ...(path === null ? {} : { path }) });
  }
  return boxes;
}

/** What a box can write that wants its commands to run elsewhere: a run folder with everything a launch leaves there, digest and all. */
function forge(
  box: RunBox,
  like: string,
  { sweep, run, command }: Readonly<Record<'sweep' | 'run' | 'command', string>>,
): string {
  const file = JSON.parse(box.read(like, 'sweep')) as SweepFile;
  const about = JSON.parse(box.read(like, 'about')) as object;
  execFileSync('cp', ['-R', box.place(like), box.place(run)]);
  const cells = file.roster.cells.map((cell) => ({
    ...cell,
    command: `${command}${cell.results}`,
  }));
  const roster = { ...file.roster, id: sweep, cells };
  const all = cells.map((_, at) => at);
  const shared = [{ run, place: 'elsewhere', cells: all }];
  writeFileSync(box.place(run, 'sweep'), JSON.stringify({ version: 1, roster, shares: shared }));
  const ref = { id: sweep, digest: digestOf(roster) };
  writeFileSync(
    box.place(run, 'about'),
    JSON.stringify({ ...about, id: run, queue: run, sweep: ref }),
  );
  return sweep;
}

const work = ({ home }: RunBox, file: string): string => join(home, 'work', file);
const gate = ({ home }: RunBox, name: string): void => {
  execFileSync('mkfifo', [join(home, 'work', name)]);
};

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)('a sweep over boxes with $name', (shell) => {
  let boxes: [RunBox, RunBox];
  let app: App;
  beforeEach(async () => {
    boxes = await openBoxes(shell);
    app = new App(...boxes);
  });
  afterEach(async () => {
    await app.close();
    for (const box of boxes) await box.close();
  });

  it.skipIf(!shell.isInstalled)(
    'gives each box its cells, finds what failed and what is empty, and runs that again',
    async () => {
      const [a, b] = boxes;
      const command =
        'echo {x} >>ran; [ {x} != 2 ] || [ -e mended ] || exit 7; [ {x} = 3 ] || echo {x} >{results}/out';
      const plan = value(await app.desk.plan(draft(command, '1, 2, 3, 4'), shares([0, 2], [1, 3])));
      expect(plan.shares).toMatchObject([
        { place: 'box a', cells: 2, problem: null },
        { place: 'box b', cells: 2, problem: null },
      ]);
      expect(plan.shares[1]?.plan?.queue?.cells[0]).toMatchObject({
        name: 'x=2',
        command: `mkdir -p -- results/x=2 || exit 1\n${command.replaceAll('{x}', '2').replace('{results}', 'results/x=2')}`,
      });
      expect(existsSync(work(a, 'ran'))).toBe(false);
      const launched = await app.launch(plan);
      expect(launched).toMatchObject({
        canRepeat: false,
        shares: [{ problem: null }, { problem: null }],
      });
      await app.until(plan.sweepId, ['done', 'failed', 'done', 'done']);
      value(await app.sweeps.reconcile(plan.sweepId));
      const { cells } = await app.view(plan.sweepId);
      expect(cells.map(({ isEmpty = false }) => isEmpty)).toEqual([false, false, true, false]);
      expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1\n3\n');
      expect(readFileSync(work(b, 'results/x=4/out'), 'utf8')).toBe('4\n');

      // Done is done: only what is not may run again, by the identical command.
      expect(await app.desk.planAgain(plan.sweepId, shares([0], [1]))).toMatchObject({
        error: {
          code: 'sweep-not-planned',
          message: expect.stringContaining('“x=1” is done') as string,
        },
      });
      writeFileSync(work(b, 'mended'), '');
      const again = value(await app.desk.planAgain(plan.sweepId, shares([], [1])));
      expect(again.shares[0]?.plan?.queue).toMatchObject({
        cells: [{ name: 'x=2' }],
        after: launched.shares[1]?.run,
      });
      await app.launch(again);
      await app.until(plan.sweepId, ['done', 'done', 'done', 'done']);
      expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('2\n4\n2\n');
      expect((await app.view(plan.sweepId)).cells.some(({ isTwice }) => isTwice)).toBe(false);
    },
  );
});

describe.skipIf(!hasSshd || !isLinux)('a sweep', () => {
  let boxes: [RunBox, RunBox];
  let app: App;
  const more: App[] = [];
  beforeEach(async () => {
    boxes = await openBoxes();
    app = new App(...boxes);
  });
  afterEach(async () => {
    for (const each of [app, ...more.splice(0)]) await each.close();
    for (const box of boxes) await box.close();
  });

  it('starts nothing anywhere while one box is blocked or away', async () => {
    const [a, b] = boxes;
    rmSync(join(b.home, 'work'), { recursive: true });
    const plan = value(
      await app.desk.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    expect(await app.desk.launch(plan.sweepId, plan.plan, {})).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('box b') as string },
    });
    mkdirSync(join(b.home, 'work'));
    const second = value(
      await app.desk.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    await b.hangUp();
    expect(await app.desk.launch(second.sweepId, second.plan, {})).toMatchObject({
      error: { code: 'not-connected' },
    });
    expect(value(await a.watch.look(A.id)).runs).toEqual([]);
    await b.connect();
    expect((await app.launch(second)).shares.every(({ problem }) => problem === null)).toBe(true);
  });

  it('that began on one box alone is tried again with the same plan, and begins there once', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.desk.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    // The folder goes between the look and the launch.
    rmSync(join(b.home, 'work'), { recursive: true });
    const first = await app.launch(plan);
    expect(first).toMatchObject({
      canRepeat: true,
      shares: [{ problem: null }, { problem: { code: 'run-not-launched' } }],
    });
    await app.until(plan.sweepId, ['done', 'never-started']);
    mkdirSync(join(b.home, 'work'));
    expect(await app.launch(plan)).toMatchObject({ canRepeat: false });
    await app.until(plan.sweepId, ['done', 'done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n');
    expect(await app.desk.launch(plan.sweepId, plan.plan, {})).toMatchObject({
      error: { code: 'plan-gone' },
    });
  });

  it('whose box goes down between plan and launch begins there later, once, and is told as it was last seen', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const command = 'echo {x} {results} >>ran; [ {x} = 1 ] || cat gate';
    const plan = value(await app.desk.plan(draft(command, '1, 2'), shares([0], [1])));
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
    expect((await app.view(plan.sweepId)).shares[1]).toMatchObject({ standing: 'unseen' });
    // Whether it has begun there nobody knows: that is a person's to risk.
    const risky = value(await app.desk.planAgain(plan.sweepId, shares([1])));
    expect(risky.shares[0]?.plan?.checks[0]).toMatchObject({ id: 'sweep-twin', answer: 'block' });
    await comesBack();
    await app.until(plan.sweepId, ['done', 'never-started']);
    const second = value(await app.desk.planAgain(plan.sweepId, shares([], [1])));
    expect((await app.launch(second)).shares).toMatchObject([{ problem: null }]);
    await app.until(plan.sweepId, ['done', 'running']);
    await goesDown();
    await vi.waitFor(async () => {
      const { cells, shares: told } = await app.view(plan.sweepId);
      expect(told.at(-1)).toMatchObject({ standing: 'unseen' });
      expect(cells[1]?.state.kind).toBe('running');
    }, PATIENCE);
    writeFileSync(work(b, 'gate'), 'go\n');
    await comesBack();
    await app.until(plan.sweepId, ['done', 'done']);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n');
    expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('2 results/x=2\n');
    expect((await app.view(plan.sweepId)).cells.some(({ isTwice }) => isTwice)).toBe(false);
  });

  it('tells the figures of its cells as its request says that their logs tell them', async () => {
    const { base, ...rest } = draft('echo "fitted {x} out of 12; L = 0.{x}" # {results}', '3, 4');
    const progress = ['fitted {step} out of {total}; L = {objective}'];
    const plan = value(
      await app.desk.plan({ ...rest, base: { ...base, progress } }, shares([0], [1])),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done']);
    const told = value(await app.sweeps.figures(plan.sweepId, [0, 1]));
    expect(told).toEqual({ 0: { objective: 0.3 }, 1: { objective: 0.4 } });
  });

  it('is found by another computer, which knows what lies on a box that it does not reach', async () => {
    const [a, b] = boxes;
    gate(b, 'gate');
    const plan = value(
      await app.desk.plan(
        draft('[ {x} = 1 ] || cat gate; echo {x} >{results}/out', '1, 2'),
        shares([0], [1]),
      ),
    );
    await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'running']);
    await b.hangUp();
    const other = new App(a, b);
    more.push(other);
    await vi.waitFor(async () => {
      await other.watch.look(A.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['done', 'unseen']);
    }, PATIENCE);
    // A box that is away may still run it: only a person can say that it does not.
    const risky = value(await other.desk.planAgain(plan.sweepId, shares([1])));
    expect(risky.shares[0]?.plan?.checks.slice(0, 2)).toMatchObject([
      { id: 'origin', answer: 'block' },
      { id: 'sweep-twin', answer: 'block' },
    ]);
    for (const over of ['origin', 'sweep-twin']) {
      expect(await other.desk.launch(risky.sweepId, risky.plan, { [A.id]: [over] })).toMatchObject({
        error: { code: 'run-blocked' },
      });
    }
    await b.connect();
    await vi.waitFor(async () => {
      await other.watch.look(B.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['done', 'running']);
    }, PATIENCE);
    expect(await other.desk.planAgain(plan.sweepId, shares([1]))).toMatchObject({
      error: { message: expect.stringContaining('“x=2” is running') as string },
    });
    writeFileSync(work(b, 'gate'), 'go\n');
    await other.until(plan.sweepId, ['done', 'done']);
  });

  it('that a box made up runs nowhere before a person has read its commands and said so', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.desk.plan(draft('echo {x} >{results}/out; exit 7', '1, 2'), shares([0, 1])),
    );
    const [own] = (await app.launch(plan)).shares;
    await app.until(plan.sweepId, ['failed', 'failed']);
    const forged = forge(a, own?.run ?? '', {
      sweep: 's-20260101-000000-0badbeef',
      run: 'r-20260101-000000-0badbeef',
      command: 'touch ~/owned # ',
    });
    await app.watch.look(A.id);
    await app.until(forged, ['failed', 'failed']);
    const again = value(await app.desk.planAgain(forged, shares([], [0, 1])));
    expect(again.shares[0]?.plan?.checks[0]).toMatchObject({
      id: 'origin',
      answer: 'block',
      says: expect.stringMatching(/its 2 commands, .* were read from box a\./) as string,
    });
    expect(await app.desk.launch(forged, again.plan, {})).toMatchObject({
      error: { code: 'run-blocked', message: expect.stringContaining('box b') as string },
    });
    expect(existsSync(join(b.home, 'owned'))).toBe(false);
    const [run] = (await app.launch(again, { [B.id]: ['origin'] })).shares;
    await app.until(forged, ['done', 'done']);
    expect(value(await app.watch.look(B.id)).runs.find(({ id }) => id === run?.run)).toMatchObject({
      overridden: [{ title: 'Where the commands come from' }],
    });
    // Once more is asked once more; what this app began is not.
    rmSync(join(b.home, 'work/results'), { recursive: true });
    value(await app.sweeps.reconcile(forged));
    const more = value(await app.desk.planAgain(forged, shares([], [0])));
    expect(more.shares[0]?.plan?.checks[0]).toMatchObject({ id: 'origin' });
    const mine = value(await app.desk.planAgain(plan.sweepId, shares([], [0])));
    expect(mine.shares[0]?.plan?.checks.map(({ id }) => id)).not.toContain('origin');
  });

  it('is no other one that a box gives its name to', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.desk.plan(draft('echo {x} >{results}/out; exit 7', '1, 2'), shares([0], [1])),
    );
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['failed', 'failed']);
    forge(b, launched.shares[1]?.run ?? '', {
      sweep: plan.sweepId,
      run: 'r-20260101-000000-0badbeef',
      command: 'true # ',
    });
    await app.watch.look(B.id);
    await vi.waitFor(
      () =>
        expect(app.told.splice(0)).toEqual([
          'A run on a box says that it is part of the sweep “a sweep”, but has other cells: it is not counted.',
        ]),
      PATIENCE,
    );
    expect((await app.view(plan.sweepId)).shares).toHaveLength(2);
    const again = value(await app.desk.planAgain(plan.sweepId, shares([0])));
    expect(again.shares[0]?.plan?.queue?.cells[0]?.command).toContain('exit 7');
    expect(existsSync(join(a.home, 'owned'))).toBe(false);
  });

  it('that runs again says whether the code is still that of the first launch', async () => {
    const [a, b] = boxes;
    const from = join(a.home, 'project');
    mkdirSync(from);
    writeFileSync(join(from, 'train.sh'), 'exit 7\n');
    const push = { from, ignore: [], delete: false, fixLineEnds: false, rehash: false };
    const wanted = { ...draft('sh train.sh {x} {results}', '1, 2'), push };
    const plan = value(await app.desk.plan(wanted, shares([0, 1])));
    await app.launch(plan);
    await app.until(plan.sweepId, ['failed', 'failed']);
    const again = async (by: App) => {
      const made = value(await by.desk.planAgain(plan.sweepId, shares([], [0])));
      const check = made.shares[0]?.plan?.checks.find(({ id }) => id === 'same-code');
      return { made, check };
    };
    expect((await again(app)).check).toMatchObject({ answer: 'pass' });
    // Another computer knows no folder whose code it could push.
    const other = new App(a, b);
    more.push(other);
    await vi.waitFor(async () => {
      await other.watch.look(A.id);
      expect(await other.kinds(plan.sweepId)).toEqual(['failed', 'failed']);
    }, PATIENCE);
    expect((await again(other)).check).toMatchObject({ answer: 'unknown' });
    writeFileSync(join(from, 'train.sh'), 'exit 0\n');
    const { made, check } = await again(app);
    expect(check).toMatchObject({ answer: 'block', gotcha: 'U42' });
    expect(await app.desk.launch(plan.sweepId, made.plan, {})).toMatchObject({
      error: { code: 'run-blocked' },
    });
    await app.launch(made, { [B.id]: ['same-code'] });
    await app.until(plan.sweepId, ['done', 'failed']);
    // What ran again is no first launch: it is still held against that one.
    const next = value(await app.desk.planAgain(plan.sweepId, shares([1])));
    expect(next.shares[0]?.plan?.checks.find(({ id }) => id === 'same-code')).toMatchObject({
      answer: 'block',
    });
  });

  it('whose run folder was removed is missing there; what two runs have done is told', async () => {
    const [a, b] = boxes;
    const plan = value(
      await app.desk.plan(draft('echo {x} {results} >>ran', '1, 2'), shares([0], [1])),
    );
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['done', 'done']);
    const run = launched.shares[1]?.run ?? '';
    const kept = `${b.place(run)}.kept`;
    execFileSync('mv', [b.place(run), kept]);
    await app.until(plan.sweepId, ['done', 'missing']);
    const again = value(await app.desk.planAgain(plan.sweepId, shares([1])));
    await app.launch(again);
    await app.until(plan.sweepId, ['done', 'done']);
    execFileSync('mv', [kept, b.place(run)]);
    await vi.waitFor(async () => {
      const { cells } = await app.view(plan.sweepId);
      expect(cells.map(({ isTwice }) => isTwice)).toEqual([false, true]);
    }, PATIENCE);
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n2 results/x=2\n');
  });

  it('cut off on one box and run again on another does not go on where it was', async () => {
    const [a, b] = boxes;
    gate(a, 'gate');
    const command = 'echo {x} {results} >>ran; [ ! -e gate ] || cat gate';
    const plan = value(await app.desk.plan(draft(command, '1, 2'), shares([0, 1])));
    const launched = await app.launch(plan);
    await app.until(plan.sweepId, ['running', 'waiting']);
    for (const pid of a.pids()) process.kill(pid, 'SIGKILL');
    await a.hangUp();
    await a.connect();
    await app.until(plan.sweepId, ['interrupted', 'never-started']);
    await app.launch(value(await app.desk.planAgain(plan.sweepId, shares([], [0]))));
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
    await app.launch(value(await app.desk.planAgain(plan.sweepId, shares([1]))));
    await app.until(plan.sweepId, ['done', 'done']);
    expect(await app.launcher.planResume(A.id, run)).toMatchObject({
      error: { code: 'run-not-resumed' },
    });
    expect(readFileSync(work(a, 'ran'), 'utf8')).toBe('1 results/x=1\n2 results/x=2\n');
    expect(readFileSync(work(b, 'ran'), 'utf8')).toBe('1 results/x=1\n');
  });

  it('of ten thousand cells is launched, followed and held against its roster', async () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, at) => String(at)).join(', ');
    const source = {
      kind: 'grid' as const,
      command: '[ {a} = 0 ] && [ {b} = 0 ] || sleep 600; echo {a} {b} >{results}/out',
      parameters: `a: ${values(100)}\nb: ${values(100)}`,
    };
    const all = Array.from({ length: 10_000 }, (_, at) => at);
    const plan = value(
      await app.desk.plan(
        { ...draft('', ''), name: 'large', source },
        shares(
          all.filter((at) => at % 2 === 0),
          all.filter((at) => at % 2 === 1),
        ),
      ),
    );
    await app.launch(plan);
    await vi.waitFor(async () => {
      const kinds = await app.kinds(plan.sweepId);
      expect(kinds.slice(0, 4)).toEqual(['done', 'running', 'running', 'waiting']);
      expect(kinds).toHaveLength(10_000);
    }, PATIENCE);
  });
});
