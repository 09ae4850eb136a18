import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { LaunchPlan, PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { BOX_SHELLS, onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { Project } from '../transfer/project.fixture.ts';
import { pathWith, programsOf, whereIs } from './programs.fixture.ts';
import { cell, queue } from './queue/queue-box.fixture.ts';
import { QueueEditor } from './queue/queue-editor.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';
import { SteppedScripts } from './stepped-scripts.fixture.ts';

const isLinux = process.platform === 'linux';
const WAITS = { name: 'the first', command: 'echo began >>../began; cat ../gate', results: 'out' };

const saversIn = ({ checks }: LaunchPlan): PreflightCheck | undefined =>
  checks.find(({ id }) => id === 'savers');

let box: RunBox;
let other: RunBox;
const open = async (shell: (typeof BOX_SHELLS)[number]['shell']): Promise<void> => {
  box = new RunBox();
  await box.open({ path: programsOf(shell) });
  other = await box.beside();
  execFileSync('mkfifo', [join(box.home, 'gate')]);
};
const close = async (): Promise<void> => {
  await other.quit();
  await box.close();
};
const launch = (app: RunBox, { plan }: LaunchPlan, over: readonly string[] = []) =>
  app.launcher.launch(BOX.id, plan, new Set(over));
const began = (): number =>
  existsSync(join(box.home, 'began'))
    ? readFileSync(join(box.home, 'began'), 'utf8').split('\n').length - 1
    : 0;
/** Run folders, and whatever else lies beside them. */
const left = (): readonly string[] => readdirSync(box.place('')).sort();

/** Both at the same time, with plans that were made before either. Answers the plan that was carried out, and by which app. */
async function race(
  plans: readonly [LaunchPlan, LaunchPlan],
): Promise<LaunchPlan & { readonly by: RunBox }> {
  for (const plan of plans)
    expect(plan.checks.filter(({ answer }) => answer === 'block')).toEqual([]);
  const both: readonly Result<unknown, Problem>[] = await Promise.all([
    launch(box, plans[0]),
    launch(other, plans[1]),
  ]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both.find(({ ok }) => !ok)).toMatchObject({
    error: {
      code: 'run-not-launched',
      // What began in the same moment may not have written its name yet.
      message: expect.stringMatching(
        /^(“the first”|Another run) was launched in the meantime and saves into the same folder\. Nothing was started\.$/,
      ) as string,
    },
  });
  const isFirst = both[0]?.ok === true;
  const won = plans[isFirst ? 0 : 1];
  expect(left()).toEqual([won.runId]);
  return { ...won, by: isFirst ? box : other };
}

describe.skipIf(!hasSshd || !isLinux).each(BOX_SHELLS)(
  'two apps at one box with $name',
  ({ shell, isInstalled }) => {
    beforeEach(() => open(shell));
    afterEach(close);

    it.skipIf(!isInstalled)(
      'that launch the same request at once begin one run, and the other is told which',
      async () => {
        const won = await race([value(await box.plan(WAITS)), value(await other.plan(WAITS))]);
        await box.settled(won.runId, 'job');
        const third = value(await other.plan({ ...WAITS, name: 'the second' }));
        expect(saversIn(third)).toMatchObject({
          answer: 'block',
          says: '“the first” saves into out right now, or into a folder above or below.',
        });
        expect(await launch(other, third)).toMatchObject({ error: { code: 'run-blocked' } });
        // What a person saw and chose is let through, and only that.
        value(await launch(other, third, ['savers']));
        expect(left()).toHaveLength(2);
        await box.until(third.runId, 'running');
        value(await box.launcher.end(BOX.id, won.runId, endPass(won.runId)));
        value(await box.launcher.end(BOX.id, third.runId, endPass(third.runId)));
        expect(began()).toBe(2);
      },
    );

    it.skipIf(!isInstalled)(
      'are held up by no claim of what is dead, nor by a launch that was killed in the middle',
      async () => {
        const first = await box.launch(WAITS);
        await box.settled(first.id, 'job');
        box.killAll();
        const dead = 'lock 4194303 1 0dca9e43-0000/1\n';
        writeFileSync(box.place('launch-lock'), dead);
        // Who was about to take that away was killed, too.
        writeFileSync(box.place('launch-lock.4194303-1'), dead);
        await box.hangUp();
        await box.connect();
        mkdirSync(join(box.home, 'work/out'));
        writeFileSync(join(box.home, 'work/out/last.ckpt'), 'x');
        const plan = value(await box.plan(WAITS));
        expect(saversIn(plan)).toMatchObject({
          answer: 'warn',
          says: 'out holds results of “the first”, which is over. The run may write over them.',
        });
        value(await launch(box, plan));
        expect(left()).toEqual([first.id, plan.runId].sort());
        // A run that goes on saves where the one before did.
        value(await box.launcher.end(BOX.id, plan.runId, endPass(plan.runId)));
        const resumed = value(await box.launcher.planResume(BOX.id, plan.runId));
        expect(saversIn(resumed)).toMatchObject({ answer: 'pass' });
        const again = value(await other.plan(WAITS));
        value(await launch(other, again));
        expect(await launch(box, resumed)).toMatchObject({
          error: { message: expect.stringContaining('was launched in the meantime') as string },
        });
        expect(existsSync(box.place(plan.runId, 'next'))).toBe(false);
        value(await box.launcher.end(BOX.id, again.runId, endPass(again.runId)));
      },
    );

    it.skipIf(!isInstalled)(
      'are told of one folder by whatever name and of one inside another, and of nothing else',
      async () => {
        mkdirSync(join(box.home, 'work/a b'));
        symlinkSync(join(box.home, 'work/a b'), join(box.home, 'link'));
        const run = await box.launch({ ...WAITS, results: './a b//é "q"/' });
        const answers: unknown[] = [];
        for (const results of [
          '~/link/é "q"',
          `${box.home}/work/a b/é "q"/deeper`,
          'a b',
          '.',
          'a b/é',
          'a',
          '~/link/é "q"2',
        ]) {
          answers.push(saversIn(value(await other.plan({ ...WAITS, results })))?.answer);
        }
        expect(answers).toEqual(['block', 'block', 'block', 'block', 'pass', 'pass', 'pass']);
        value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
      },
    );
  },
);

describe.skipIf(!hasSshd || !isLinux)('two apps that push into one folder', () => {
  const [mine, theirs] = [new Project(), new Project()];
  afterAll(() => {
    for (const project of [mine, theirs]) project.remove();
  });
  it('begin no run on the code of the other, also where that came between push and launch', async () => {
    box = new RunBox();
    let between: (() => Promise<unknown>) | null = null;
    box.scripts = new SteppedScripts(async (step) => {
      if (step === 'before run-launch.sh') {
        const act = between;
        between = null;
        await act?.();
      }
      return 'goes on';
    });
    await box.open();
    let beforePlace: (() => void) | null = null;
    other = await box.beside(
      new SteppedScripts((step) => {
        if (step === 'before tree-place.sh') beforePlace?.();
        return Promise.resolve('goes on');
      }),
    );
    mine.write('main.txt', 'mine');
    theirs.write('main.txt', 'theirs');
    const command = 'cat main.txt';
    const own = value(await box.plan({ command, results: 'a', push: mine.push() }));
    const launchTheirs = async (folder = '~/work'): Promise<string> => {
      const their = value(await other.plan({ folder, command, results: 'b', push: theirs.push() }));
      value(await launch(other, their));
      return their.runId;
    };
    let their = '';
    between = async () => {
      their = await launchTheirs();
    };
    const otherCode = {
      error: {
        code: 'run-not-launched',
        message: expect.stringContaining('Other code was pushed') as string,
      },
    };
    expect(await launch(box, own)).toMatchObject(otherCode);
    await other.until(their, 'done');
    expect(other.read(their, 'log')).toBe('theirs');
    expect(left()).toEqual([their]);
    const again = value(await box.plan({ command, results: 'a', push: mine.push() }));
    value(await launch(box, again));
    await box.until(again.runId, 'done');
    expect(box.read(again.runId, 'log')).toBe('mine');

    // The same folder by other names.
    symlinkSync(join(box.home, 'work'), join(box.home, 'link'));
    for (const folder of [join(box.home, 'work'), '~/link', '~/work/']) {
      const known = value(await box.plan({ command, results: 'a', push: mine.push() }));
      between = () => launchTheirs(folder);
      expect(await launch(box, known)).toMatchObject(otherCode);
    }
    // A push that stops after it has moved some of its files, as one for which another has the place by now.
    const last = value(await box.plan({ command, results: 'a', push: mine.push() }));
    theirs.write('main.txt', 'newer');
    theirs.write('notes.txt', 'theirs');
    between = async () => {
      const stops = value(await other.plan({ command, results: 'b', push: theirs.push() }));
      beforePlace = () => mkdirSync(join(box.home, 'work/notes.txt'));
      expect((await launch(other, stops)).ok).toBe(false);
    };
    expect(await launch(box, last)).toMatchObject(otherCode);
    expect(readFileSync(join(box.home, 'work/main.txt'), 'utf8')).toBe('newer');
    await close();
  });
});

describe.skipIf(!hasSshd || !isLinux)('two apps at one box', () => {
  beforeEach(() => open(['sh']));
  afterEach(close);

  it('launch the same command once where it names no results, and the same cells', async () => {
    const { results: _none, ...silent } = WAITS;
    const won = await race([value(await box.plan(silent)), value(await other.plan(silent))]);
    const beside = value(await other.plan({ ...silent, command: 'echo another' }));
    expect(saversIn(beside)).toBeUndefined();
    value(await box.launcher.end(BOX.id, won.runId, endPass(won.runId)));
    const cells = queue(cell('a', 'cat ../gate'), cell('b', 'true'));
    const planned = async (app: RunBox): Promise<LaunchPlan> =>
      value(await app.launcher.plan(BOX.id, request({ name: 'the first' }), cells));
    const plans = [await planned(box), await planned(other)] as const;
    expect((await launch(box, plans[0])).ok).toBe(true);
    expect(await launch(other, plans[1])).toMatchObject({
      error: { message: expect.stringContaining('“the first” was launched') as string },
    });
    value(await box.launcher.end(BOX.id, plans[0].runId, endPass(plans[0].runId)));
  });

  it('where a run does not say what it saves into, as an older version launched it, that is not taken for elsewhere', async () => {
    const run = await box.launch(WAITS);
    rmSync(box.place(run.id, 'saves'));
    expect(saversIn(value(await other.plan(WAITS)))).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('Where “the first” saves is not known') as string,
    });
    value(await box.launcher.end(BOX.id, run.id, endPass(run.id)));
    const [resumed, next] = [
      value(await box.launcher.planResume(BOX.id, run.id)),
      value(await other.plan({ ...WAITS, results: 'elsewhere' })),
    ];
    expect([resumed, next].map((plan) => saversIn(plan)?.answer)).toEqual(['unknown', 'pass']);
  });

  it('keep the folders of cells apart, also of those that are added later, and of those that go on', async () => {
    const waits = (...names: readonly string[]) =>
      queue(...names.map((name) => cell(name, 'cat ../gate')));
    const planned = async (app: RunBox, ...names: readonly string[]): Promise<LaunchPlan> =>
      value(
        await app.launcher.plan(
          BOX.id,
          request({ name: 'the first', results: 'out/{cell}' }),
          waits(...names),
        ),
      );
    const won = await race([await planned(box, 'a', 'b'), await planned(other, 'b', 'c')]);
    const mine = value(await box.launcher.plan(BOX.id, request({ ...WAITS, name: 'mine' })));
    expect(saversIn(mine)?.answer).toBe('block');
    const apart = await planned(other, 'd');
    expect(saversIn(apart)).toMatchObject({
      answer: 'pass',
      says: 'No other run saves into the folder of the cell.',
    });
    value(await launch(other, apart));
    const editorOf = ({ roster, watch }: RunBox) =>
      new QueueEditor({ roster, scripts: onboxScripts, watch });
    const add = (app: RunBox, id: string, name: string, addition: string) =>
      editorOf(app).add(BOX.id, id, { addition, cells: waits(name).cells });
    expect(await add(box, won.runId, 'd', 'a-0000000000000001')).toMatchObject({
      error: {
        code: 'queue-not-changed',
        message:
          'None was added: “the first” saves into the folder of one of these cells right now.',
      },
    });
    value(await add(box, won.runId, 'e', 'a-0000000000000002'));
    value(await add(box, won.runId, 'e', 'a-0000000000000002'));
    expect(await add(other, apart.runId, 'e', 'a-0000000000000003')).toMatchObject({ ok: false });
    expect(saversIn(await planned(other, 'e'))?.answer).toBe('block');
    value(await box.launcher.end(BOX.id, won.runId, endPass(won.runId)));
    expect(saversIn(await planned(other, 'e'))?.answer).toBe('pass');
    const again = value(await won.by.launcher.planResume(BOX.id, won.runId));
    value(await launch(won.by, again));
    expect(saversIn(await planned(other, 'e'))?.answer).toBe('block');
    value(await box.launcher.end(BOX.id, again.runId, endPass(again.runId)));
    value(await box.launcher.end(BOX.id, apart.runId, endPass(apart.runId)));
  });
});

describe.skipIf(!hasSshd || !isLinux)('two apps at a box whose folders do not answer', () => {
  afterEach(close);

  it('know them by their names, and hold the launches of others up no longer', async () => {
    // No other question is about them alone.
    const timeout = `case "$*" in *near=*) exit 137 ;; *) exec ${whereIs('timeout')} "$@" ;; esac`;
    box = new RunBox();
    await box.open({ path: pathWith(join(box.home, 'bin'), { timeout }) });
    other = await box.beside();
    execFileSync('mkfifo', [join(box.home, 'gate')]);
    const plans = [
      value(await box.plan({ ...WAITS, results: 'one//of/./them/' })),
      value(await other.plan({ ...WAITS, results: '~/work/one/of' })),
    ] as const;
    for (const plan of plans) expect(saversIn(plan)?.answer).toBe('unknown');
    const won = await race(plans);
    expect(box.read(won.runId, 'saves')).toMatch(
      new RegExp(`^folder ${box.home}/work/one/of(?:/them)?\n$`),
    );
    value(await box.launcher.end(BOX.id, won.runId, endPass(won.runId)));
  });
});
