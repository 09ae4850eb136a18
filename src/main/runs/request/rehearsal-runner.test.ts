import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planRefOf, type PlanRef } from '../../../shared/plan/plan.ts';
import type { LaunchPlan } from '../../../shared/runs/launch/launch-plan.ts';
import type { RehearsalOutput } from '../../../shared/runs/request/rehearsal.ts';
import type { ByBox } from '../../../shared/streams/meter-stream.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { BOX, RunBox, value } from '../run-box.fixture.ts';
import { RehearsalRunner } from './rehearsal-runner.ts';
import { readRehearsals } from './rehearsals.ts';

let box: RunBox;
let runner: RehearsalRunner;
let project: string;
let asked: string[];
let isWanted: boolean;
beforeEach(async () => {
  box = new RunBox();
  await box.open();
  project = join(box.home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'train.py'), 'print(1)\n');
  asked = [];
  isWanted = true;
  runner = new RehearsalRunner({
    ...{ hub: box.hub, entries: box.entries },
    approve: (command, folder) => {
      asked.push(`${command} in ${folder}`);
      return Promise.resolve(isWanted);
    },
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  });
});
afterEach(async () => {
  runner.close();
  await box.close();
});

async function plan(rehearsal: string): Promise<LaunchPlan> {
  box.known = { ...box.known, rehearsals: value(readRehearsals(box.entries)) };
  const push = {
    ...{ from: project, ignore: [] },
    ...{ fixLineEnds: false, delete: false, rehash: false },
  };
  return value(await box.plan({ rehearsal, push }));
}
const run = (shown: PlanRef) => runner.run(BOX.id, box.launcher.rehearsalOf(BOX.id, shown));
const checkOf = ({ checks }: LaunchPlan) => checks.find(({ id }) => id === 'rehearsal');
const live = (): RehearsalOutput | undefined => {
  const opened = value(box.hub.open(1, 'rehearsals', ''));
  box.hub.close(1, opened.subscription);
  return (opened.state as ByBox<RehearsalOutput>).boxes[BOX.id];
};
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // gone
  }
};

describe.skipIf(!hasSshd)('a rehearsal from the window', () => {
  it('runs what the plan has shown, tells what it prints, and is what the next plan goes by (GEN5)', async () => {
    const failing = await plan('echo one; printf "\\033[31mhunter2\\033[0m\\n" >&2; exit 3');
    expect(checkOf(failing)).toMatchObject({ answer: 'block', gotcha: 'GEN5' });
    const failed = value(await run(planRefOf(failing.plan)));
    expect(failed.end).toEqual({ kind: 'failed', exitCode: 3 });
    expect(failed.output.text.trimEnd().split('\n').sort()).toEqual(['[redacted]', 'one']);
    expect(live()).toBeUndefined();

    const passing = await plan('test -e train.py');
    expect(checkOf(passing)).toMatchObject({ answer: 'block' });
    expect(value(await run(planRefOf(passing.plan))).end).toEqual({ kind: 'passed' });
    expect(checkOf(await plan('test -e train.py'))).toMatchObject({ answer: 'pass' });
    // The plan that was shown has not become another one.
    expect(checkOf(passing)).toMatchObject({ answer: 'block' });

    const changing = await plan('echo >>train.py');
    expect(value(await run(planRefOf(changing.plan))).end.kind).toBe('changed');
  });

  it('asks the person outside the window, once for one command, and runs nothing that no plan has shown', async () => {
    const wanted = await plan('echo ran >../ran');
    isWanted = false;
    const declined = value(await run(planRefOf(wanted.plan)));
    expect(declined.end).toEqual({ kind: 'declined' });
    const other = { ...planRefOf(wanted.plan), digest: 'd'.repeat(64) };
    expect(await run(other)).toMatchObject({ ok: false });
    expect(existsSync(join(box.home, 'ran'))).toBe(false);
    isWanted = true;
    const twice = [await run(planRefOf(wanted.plan))];
    twice.push(await run(planRefOf(wanted.plan)));
    expect(twice.map((each) => value(each).end.kind)).toEqual(['passed', 'passed']);
    const once = `echo ran >../ran in ${project}`;
    expect(asked).toEqual([once, once]);
    expect(existsSync(join(box.home, 'ran'))).toBe(true);
    const without = value(await box.plan());
    expect(await run(planRefOf(without.plan))).toMatchObject({
      ok: false,
      error: { code: 'rehearsal-not-run' },
    });
  });

  it('is cancelled with everything that it started', async () => {
    const { plan: shown } = await plan('sleep 600 & echo $!; wait');
    const running = run(planRefOf(shown));
    const pid = await vi.waitFor(() => {
      const told = Number(live()?.text);
      expect(told).toBeGreaterThan(1);
      return told;
    });
    expect(lives(pid)).toBe(true);
    expect(await run(planRefOf(shown))).toMatchObject({ ok: false });
    runner.stop(BOX.id);
    expect(value(await running).end).toEqual({ kind: 'stopped' });
    await vi.waitFor(() => expect(lives(pid)).toBe(false));
    expect(live()).toBeUndefined();
    expect(value(readRehearsals(box.entries))).toEqual([]);
  });
});
