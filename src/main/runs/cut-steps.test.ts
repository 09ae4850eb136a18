import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { Project } from '../transfer/project.fixture.ts';
import { isThere as isInstalled, pathWith, programsBut } from './programs.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';
import { SteppedScripts, type Step } from './stepped-scripts.fixture.ts';

// The link is cut for real at each step of what an app does on a box: one run or none, and the app knows which.
describe.skipIf(!hasSshd || process.platform !== 'linux')('a link that is cut', () => {
  let box: RunBox;
  let project: Project;
  /** In the order in which they came, since the test last emptied it. */
  const steps: Step[] = [];
  /** By the place in that order, or by what it is. */
  let cuts: readonly (number | Step)[] = [];

  beforeEach(async () => {
    project = new Project();
    project.write('main.txt', 'm').write('deep/er.txt', 'd');
    box = new RunBox();
    box.scripts = new SteppedScripts((step) => {
      const isCut = cuts.includes(steps.push(step) - 1) || cuts.includes(step);
      if (isCut) box.proxy.cut();
      return Promise.resolve(isCut && step.startsWith('after') ? 'is lost' : 'goes on');
    });
  });
  afterEach(async () => {
    await box.close();
    project.remove();
  });

  const open = (left: readonly string[] = ['tmux']) => box.open({ path: programsBut(left) });
  const place = (name: string): string => join(box.home, name);
  const plan = (name: string) =>
    box.plan({
      folder: `~/${name}`,
      push: project.push(),
      command: `echo once >>~/count-${name}; cat main.txt deep/er.txt`,
    });
  const again = async (): Promise<void> => {
    cuts = [];
    await box.hangUp();
    await box.connect();
  };
  /** The steps of a launch that nothing cuts, without the look at the runs that follows each. */
  const stepsOfLaunch = async (): Promise<readonly Step[]> => {
    const planned = value(await plan('uncut'));
    steps.length = 0;
    value(await box.launcher.launch(BOX.id, planned.plan));
    await box.until(planned.runId, 'done');
    return steps.slice(0, steps.indexOf('after run-launch.sh') + 1);
  };
  /** Cut at these steps: whether there is a run, which the answer never contradicts. */
  const cutAt = async ({ plan: shown, runId }: LaunchPlan, name: string, at: typeof cuts) => {
    [steps.length, cuts] = [0, at];
    const launched = await box.launcher.launch(BOX.id, shown);
    await again();
    const isThere = value(await box.watch.look(BOX.id)).runs.some(({ id }) => id === runId);
    if (launched.ok) expect(isThere).toBe(true);
    // The answer of the look at the runs behind it, which was cut, too, is no claim about the run.
    else if (/^(?:run-not-launched|code-not-sent)$/.test(launched.error.code)) {
      expect([launched.error.message, isThere]).toEqual([launched.error.message, false]);
    }
    if (isThere) {
      await box.until(runId, 'done');
      expect(box.read(runId, 'log')).toBe('md');
    }
    const count = place(`count-${name}`);
    expect(existsSync(count) ? readFileSync(count, 'utf8') : '').toBe(isThere ? 'once\n' : '');
    return isThere;
  };

  it('in a plan changes nothing on the box, and the next plan is whole', async () => {
    await open();
    mkdirSync(place('work/there'));
    value(await plan('work'));
    const all = steps.splice(0);
    expect(all).toContain('before tree-look.sh');
    for (const [at] of all.entries()) {
      [steps.length, cuts] = [0, [at]];
      expect(await plan('work'), all[at]).toMatchObject({ ok: false });
      await again();
    }
    expect(readdirSync(place('work'))).toEqual(['there']);
    expect(existsSync(box.place(''))).toBe(false);
    expect(value(await plan('work')).checks.filter(({ answer }) => answer === 'block')).toEqual([]);
  });

  it('at any one step of push and launch: the push goes on, and the run begins once or never', async () => {
    await open();
    const all = await stepsOfLaunch();
    expect(all).toContain('before tree-place.sh');
    for (const [at, step] of all.entries()) {
      const name = `w${String(at)}`;
      const isThere = await cutAt(value(await plan(name)), name, [at]);
      // Between push and launch nobody knows what the box has of the launch, and it is ruled out.
      expect([step, isThere]).toEqual([step, step !== 'before run-launch.sh']);
    }
  });

  it.skipIf(!isInstalled('tmux'))(
    'around the launch of what tmux keeps: it begins once or never',
    async () => {
      await open([]);
      for (const [name, step, runs] of [
        ['before', 'before run-launch.sh', false],
        ['after', 'after run-launch.sh', true],
      ] as const) {
        const planned = value(await plan(name));
        expect(planned.detacher).toBe('tmux');
        expect([step, await cutAt(planned, name, [step])]).toEqual([step, runs]);
      }
    },
  );

  it('again and again at the steps of one push is gone over, as long as it gets further', async () => {
    await open();
    const isThere = await cutAt(value(await plan('w')), 'w', [1, 5, 10, 16]);
    expect(isThere).toBe(true);
  });
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('a launch', () => {
  let box: RunBox;
  beforeEach(() => (box = new RunBox()));
  afterEach(async () => {
    vi.unstubAllGlobals();
    await box.close();
  });

  it('that the box neither begins nor rules out, and whose answer was lost, is not said to have begun', async () => {
    const stopped = join(box.home, 'stopped');
    const setsid = `kill -STOP "$PPID"; : >"${stopped}"; exec sleep 600`;
    await box.open({ path: pathWith(join(box.home, 'bin'), { setsid, tmux: 'exit 1' }) });
    rmSync(join(box.home, 'bin/tmux'));
    const real = setTimeout;
    // As long as main may wait between two looks, without the wait.
    vi.stubGlobal('setTimeout', (act: () => void, ms?: number) => real(act, ms === 500 ? 1 : ms));
    const planned = value(await box.plan());
    const launch = box.launcher.launch(BOX.id, planned.plan);
    await vi.waitFor(() => expect(existsSync(stopped)).toBe(true));
    box.proxy.cut();
    const launched = await launch;
    vi.unstubAllGlobals();
    // The look that follows went over the link that was cut.
    await box.hangUp();
    await box.connect();
    expect(launched).toMatchObject({
      error: {
        code: 'run-not-launched',
        message: "The box didn't start the run in time, but it may still start.",
      },
    });
    expect(await box.look(planned.runId)).toMatchObject({ status: { kind: 'starting' } });
    process.kill(Number(box.read(planned.runId, 'launcher').split(' ')[1]), 'SIGKILL');
    await box.until(planned.runId, 'never-started');
  });
});
