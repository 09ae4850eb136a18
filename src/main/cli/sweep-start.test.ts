import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { runOfSweep } from '../runs/sweep/plan-share.ts';
import { SweepBook } from '../runs/sweep/sweep-book.ts';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

const ID = 's-20260203-040506-00c0ffee';

let folder: string;
let machines: readonly [RunBox, RunBox];
let boxes: readonly Box[];
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-start-'));
  machines = [new RunBox(), new RunBox()];
  for (const machine of machines) await machine.open();
  boxes = machines.map(({ sshd }, at) =>
    addBox(folder, sshd, { name: ['alpha', 'beta'][at] ?? '' }),
  );
});
afterEach(async () => {
  for (const machine of machines) await machine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each cell adds a line to a file of its box, so that what runs twice is seen. */
function sweep(command = 'echo {results} && echo {x} >> ../ran', more = ''): string {
  const file = join(folder, 'leasehold.yaml');
  const cells = `  command: ${JSON.stringify(command)}\n  grid:\n    x: 1, 2, 3\n`;
  writeFileSync(file, `name: rates\nfolder: ~/work\n${more}sweep:\n${cells}`);
  return file;
}
const start = (words: readonly string[], typed?: string): Promise<Ran> =>
  run(['sweep', 'start', ...words], {
    env: { LEASEHOLD_DATA_FOLDER: folder },
    ...(typed === undefined ? {} : { stdin: [typed] }),
  });
const runsOn = (machine: RunBox): readonly string[] => {
  try {
    return readdirSync(machine.place('')).filter((name) => name.startsWith('r-'));
  } catch {
    return []; // nothing was ever launched there
  }
};
const runOn = (at: 0 | 1): string => runOfSweep(ID, boxes[at]?.id ?? '');
const ran = (machine: RunBox): readonly string[] =>
  execFileSync('sh', ['-c', 'cat ran 2>/dev/null; true'], { cwd: machine.home, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

describe.skipIf(!hasSshd)('sweep start', () => {
  it('does nothing but show the plan until its name is typed, and then just that', async () => {
    const file = sweep();
    for (const typed of ['', 'yes\n', 'rate\n']) {
      const told = await start([file, '--boxes', 'alpha,beta'], typed);
      expect(told.code).toBe(1);
      expect(told.out).toMatch(/^ {2}alpha: 2 cells$/m);
      expect(told.out).toContain('Type “rates” to launch this:');
      expect(told.out).toContain('Nothing was launched. It was not confirmed.');
    }
    expect(machines.map(runsOn)).toEqual([[], []]);

    const told = await start([file, '--boxes', 'alpha,beta', '--id', ID], 'rates\n');
    expect(told.err).toBe('');
    expect(told.code).toBe(0);
    expect(told.out).toContain(`rates is ${ID}.`);
    expect(told.out).toContain(`alpha: 2 cells are launched (${runOn(0)})`);
    expect(told.out).toContain(`beta: 1 cell is launched (${runOn(1)})`);
    for (const [at, machine] of machines.entries()) {
      const id = runOn(at === 0 ? 0 : 1);
      await machine.until(id, 'done');
      // What the plan has shown to the letter is what lies there.
      const planned = told.out.slice(told.out.indexOf(`${at === 0 ? 'alpha' : 'beta'} · `));
      for (const line of machine.read(id, 'job.sh').trimEnd().split('\n')) {
        expect(planned).toContain(`    ${line}`.trimEnd());
      }
    }
    expect(machines.map(ran)).toEqual([['1', '3'], ['2']]);
  });

  it('begins nothing twice with one id, and goes on where a box was not reached', async () => {
    const file = sweep();
    const words = [file, '--boxes', 'alpha,beta', '--id', ID, '--yes', '--json'];
    expect((await start(words)).code).toBe(0);
    for (const at of [0, 1] as const) await machines[at].until(runOn(at), 'done');
    const again = await start(words);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({
      isLaunched: true,
      refusal: 'Every box has begun already.',
      boxes: [
        { hasBegun: true, plan: null },
        { hasBegun: true, plan: null },
      ],
    });
    // As if the first start had been cut off before the box beta heard of it.
    machines[1].clearAway(runOn(1));
    rmSync(join(machines[1].home, 'ran'));
    const third = await start(words);
    expect(JSON.parse(third.out)).toMatchObject({
      isLaunched: true,
      refusal: null,
      boxes: [{ hasBegun: true }, { hasBegun: false, cells: [1], isLaunched: true }],
    });
    await machines[1].until(runOn(1), 'done');
    expect(machines.map(ran)).toEqual([['1', '3'], ['2']]);
    expect(machines.map((machine) => runsOn(machine).length)).toEqual([1, 1]);

    // The same id is the same sweep, on the same boxes.
    const alone = await start([file, '--boxes', 'alpha', '--id', ID, '--yes']);
    expect(alone).toMatchObject({ code: 2, out: '' });
    expect(alone.err).toContain(`${ID} has cells on beta, too`);
    const other = await start([sweep('echo {x} {results}'), ...words.slice(1)]);
    expect(other).toMatchObject({ code: 2, out: '' });
    expect(other.err).toContain('was launched with other cells');
    expect((await start([file, '--boxes', 'alpha', '--id', 'x'])).code).toBe(2);
  });

  it('starts nowhere when one box does not answer, or something blocks there', async () => {
    rmSync(join(machines[1].home, 'work'), { recursive: true });
    const blocked = await start([sweep(), '--boxes', 'alpha,beta', '--yes']);
    expect(blocked.code).toBe(1);
    expect(blocked.out).toMatch(/^Nothing was launched\. This blocks it on beta: /m);
    mkdirSync(join(machines[1].home, 'work'));
    await machines[1].sshd.stop();
    const away = await start([sweep(), '--boxes', 'alpha,beta', '--yes']);
    expect(away.code).toBe(1);
    expect(away.out).toMatch(/^Nothing was launched\. beta: /m);
    expect(machines.map(runsOn)).toEqual([[], []]);
  });

  it('sends the code first, and the window finds what was launched', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'train.sh'), 'echo trained $1 >> ../ran\n');
    const file = sweep('sh train.sh {x} # {results}', `push:\n  from: project\n`);
    const told = await start([file, '--boxes', 'alpha', '--id', ID, '--yes']);
    expect(told.out).toContain(`alpha: 3 cells are launched (${runOn(0)})`);
    await machines[0].until(runOn(0), 'done');
    expect(ran(machines[0])).toEqual(['trained 1', 'trained 2', 'trained 3']);
    const { database } = openDatabase({ folder });
    const book = new SweepBook({
      entries: database.entries,
      onProblem: ({ message }) => expect.unreachable(message),
      onChanged: () => undefined,
    });
    expect(book.of(ID)).toMatchObject({
      ...{ name: 'rates', cells: 3, push: { from: project }, readFrom: null },
      code: { tree: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      shares: [{ run: runOn(0), boxId: boxes[0]?.id, place: 'alpha', cells: [0, 1, 2] }],
    });
    expect((await book.rosterOf(ID))?.cells).toHaveLength(3);
    database.close();
  });
});
