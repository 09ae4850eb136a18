import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { runFixture } from '../storage/disk.fixture.ts';
import { Project } from '../transfer/project.fixture.ts';
import type { LaunchingApp } from './launching-app.fixture.ts';
import { isThere, programsBut } from './programs.fixture.ts';
import { cell, queue } from './queue/queue-box.fixture.ts';
import { BOX, request, RunBox, value } from './run-box.fixture.ts';

const LEFT_OUT = { tmux: [], setsid: ['tmux'] } as const;
type Keeps = keyof typeof LEFT_OUT;

// kill -9 of an app of its own at a step of its launch: one run or none, the next app knows which, and can launch the same.
describe.skipIf(!hasSshd || process.platform !== 'linux')('an app that is killed', () => {
  let box: RunBox;
  let project: Project;
  beforeEach(() => {
    project = new Project();
    project.write('main.txt', 'm').write('deep/er.txt', 'd');
    box = new RunBox();
  });
  afterEach(async () => {
    await box.close();
    project.remove();
  });

  const wish = () => ({
    push: project.push(),
    command: 'echo once >>../count; cat main.txt deep/er.txt',
    results: 'out',
  });
  const count = (): string =>
    existsSync(join(box.home, 'count')) ? readFileSync(join(box.home, 'count'), 'utf8') : '';
  const killAt = async (until: string, asked: Partial<LaunchingApp> = {}): Promise<void> => {
    const app: LaunchingApp = {
      home: box.home,
      sshd: { user: box.sshd.user, privateKey: box.sshd.privateKey },
      ...{ port: box.sshd.port, request: wish(), until },
      ...asked,
    };
    const ended = await runFixture(
      new URL('launching-app.fixture.ts', import.meta.url),
      [JSON.stringify(app)],
      (_line, _count, child) => child.kill('SIGKILL'),
    );
    expect([ended.lines, ended.signal, ended.stderr]).toEqual([[until], 'SIGKILL', '']);
  };

  const leavesRuns = async (detacher: Keeps, step: string, runs: number): Promise<void> => {
    await box.open({ path: programsBut(LEFT_OUT[detacher]) });
    await killAt(step);
    const found = value(await box.watch.look(BOX.id)).runs;
    expect(found).toMatchObject(runs === 0 ? [] : [{ detacher }]);
    for (const { id } of found) await box.until(id, 'done');
    expect(count()).toBe('once\n'.repeat(runs));
    // The same request from the next app.
    const { id } = await box.launch(wish());
    await box.until(id, 'done');
    expect(box.read(id, 'log')).toBe('md');
    expect(count()).toBe('once\n'.repeat(runs + 1));
  };
  it.each([
    ['before its code is placed', 'before tree-place.sh', 0],
    ['after that', 'after tree-place.sh', 0],
    ['between push and launch', 'before run-launch.sh', 0],
    ['before it hears that the run began', 'after run-launch.sh', 1],
  ])('%s leaves %s: %i run', (_when, step, runs) => leavesRuns('setsid', step, runs));
  it.skipIf(!isThere('tmux'))('before it hears that tmux keeps the run leaves that one', () =>
    leavesRuns('tmux', 'after run-launch.sh', 1),
  );

  const leavesQueues = async (detacher: Keeps, step: string, runs: number): Promise<void> => {
    await box.open({ path: programsBut(LEFT_OUT[detacher]) });
    execFileSync('mkfifo', [join(box.home, 'gate')]);
    const cells = queue(
      cell('a', 'echo a >>../count; cat ../gate'),
      cell('b', 'exit 3'),
      cell('c', 'echo c >>../count'),
    );
    const asked = { name: 'the queue', results: 'out/{cell}' };
    await killAt(step, { request: asked, queue: cells });
    const found = value(await box.watch.look(BOX.id)).runs;
    expect(found).toMatchObject(runs === 0 ? [] : [{ name: 'the queue', queue: {}, detacher }]);
    const again = async () => value(await box.launcher.plan(BOX.id, request(asked), cells));
    const [first] = found;
    if (first !== undefined) {
      await vi.waitFor(() => expect(count()).toBe('a\n'));
      // What still runs is not launched beside itself.
      const beside = await again();
      expect(await box.launcher.launch(BOX.id, beside.plan)).toMatchObject({
        error: { code: 'run-blocked' },
      });
    }
    const mine = first === undefined ? await again() : null;
    if (mine !== null) value(await box.launcher.launch(BOX.id, mine.plan));
    writeFileSync(join(box.home, 'gate'), '');
    await box.until(first?.id ?? mine?.runId ?? '', 'failed');
    expect(count()).toBe('a\nc\n');
    expect(readdirSync(box.place(''))).toHaveLength(1);
  };
  it.each([
    ['before its queue is on the box', 'before run-launch.sh', 0],
    ['in the middle of its queue', 'after run-launch.sh', 1],
  ])('%s leaves %s: %i queue, of which each cell runs once', (_when, step, runs) =>
    leavesQueues('setsid', step, runs),
  );
  it.skipIf(!isThere('tmux'))('in the middle of a queue that tmux keeps leaves that one', () =>
    leavesQueues('tmux', 'after run-launch.sh', 1),
  );
});
