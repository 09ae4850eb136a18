import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { pathWith, sharedStat, whereIs } from '../runs/programs.fixture.ts';
import { BOX, request, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

const TOKEN = 'hf_abcdefghijklmnopqrstuvwxyz0123456789';

let folder: string;
let box: RunBox;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-queue-'));
  box = new RunBox();
  const own = join(folder, 'own');
  // A home that other machines may have, too.
  await box.open({ path: pathWith(own, { stat: sharedStat(whereIs('stat')) }) });
  addBox(folder, box.sshd);
  for (const name of ['gate', 'second']) execFileSync('mkfifo', [join(box.home, name)]);
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ LEASEHOLD_DATA_FOLDER: folder });
const cli = (...words: readonly string[]): Promise<Ran> => run(words, { env: env() });
const openGate = (name: string): void => writeFileSync(join(box.home, name), 'go\n');

async function launchQueue(...cells: readonly (readonly [string, string])[]): Promise<string> {
  const plan = value(
    await box.launcher.plan(BOX.id, request({ name: 'grid' }), {
      cells: cells.map(([name, command]) => ({ name, command, isCommented: false })),
      stopsAtFailure: false,
      startsAgain: false,
    }),
  );
  // Over what is said of the key that a cell prints.
  const over = new Set(['keys', 'cell-keys']);
  value(await box.launcher.launch(BOX.id, plan.plan, over));
  return plan.runId;
}
/** What stands in the table for each cell. */
async function status(wanted: string): Promise<readonly (readonly string[])[]> {
  const { code, out } = await cli('queue', 'list', 'train-a', wanted);
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.split(/ {2,}/).slice(0, 3));
}

describe.skipIf(!hasSshd)('queue', () => {
  it('lists one whose cells a sweep has run elsewhere since, and does not go on with it', async () => {
    const id = await launchQueue(['one', 'exit 0'], ['two', 'exit 1']);
    await box.until(id, 'failed');
    const again = await launchQueue(['two', 'exit 0']);
    writeFileSync(box.place(id, 'next'), `${again}\n`);
    expect(await status(id)).toEqual([
      ['1', 'one', 'Done'],
      ['2', 'two', 'Failed (exit 1)'],
    ]);
    const refused = await cli('runs', 'resume', 'train-a', id, '--yes');
    expect(refused.code).toBe(1);
    expect(refused.err + refused.out).toContain('Another run has gone on with this queue already.');
  });

  it('lists what another machine launched as not seen, and offers no end of it here', async () => {
    const id = await launchQueue(['one', 'cat ../gate'], ['two', 'exit 0']);
    await vi.waitFor(async () => {
      expect(await status(id)).toContainEqual(['1', 'one', 'Running']);
    });
    box.killAll();
    for (const file of ['launcher', 'go', 'job']) {
      const text = box.read(id, file).replace(/ [0-9a-f-]+\//, ' 0dca9e43-0000/');
      rmSync(box.place(id, file));
      writeFileSync(box.place(id, file), text.replace(` ${hostname()} `, ' node-2 '));
    }
    expect(await status(id)).toEqual([
      ['1', 'one', 'Begun'],
      ['2', 'two', 'Waiting'],
    ]);
    expect((await cli('queue', 'list', 'train-a', id)).out).not.toContain('End');
    const told = JSON.parse((await cli('queue', 'list', 'train-a', id, '--json')).out) as object;
    expect(told).toMatchObject({
      queue: {
        status: { kind: 'elsewhere', machine: 'node-2' },
        cells: [{ state: { kind: 'begun', beganAtMs: expect.any(Number) as number } }, {}],
      },
    });
    const { code, out } = await cli('runs', 'kill', 'train-a', id);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('was launched on node-2: only that machine can end it'),
    ]);
    const asked = await cli('runs', 'machine-gone', 'train-a', id);
    expect([asked.code, asked.out]).toEqual([
      1,
      expect.stringMatching(/log, not those of its cells, last grew \d.*Add --yes to say so/),
    ]);
    expect((await cli('queue', 'list', 'train-a', id)).out).toContain('Launched on node-2');
    const early = await cli('runs', 'machine-gone', 'train-a', id, '--yes');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('last two minutes')]);
    box.quieten(id);
    const said = await cli('runs', 'machine-gone', 'train-a', id, '--yes', '--json');
    expect([said.code, JSON.parse(said.out)]).toEqual([
      0,
      { ...{ box: 'train-a', problem: null, run: id }, machine: 'node-2', isSaid: true },
    ]);
    expect(await status(id)).toEqual([
      ['1', 'one', 'Interrupted'],
      ['2', 'two', 'Waiting'],
    ]);
    expect((await cli('queue', 'list', 'train-a', id)).out).toContain(
      'machine node-2 said to be gone',
    );
    const killed = await cli('runs', 'kill', 'train-a', id, '--yes');
    expect([killed.code, killed.out]).toEqual([
      1,
      expect.stringContaining('only that machine can'),
    ]);
    const again = await cli('runs', 'machine-gone', 'train-a', id, '--yes');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
  });

  it('lists the cells, takes more, pauses, goes on, and ends after a cell, which is resumed', async () => {
    const id = await launchQueue(
      ['one', `cat ../gate; echo token=${TOKEN}`],
      ['two', 'cat ../second'],
    );
    await box.until(id, 'running');
    await vi.waitFor(async () => {
      expect(await status('grid')).toEqual([
        ['1', 'one', 'Running'],
        ['2', 'two', 'Waiting'],
      ]);
    });
    const told = await cli('queue', 'list', 'train-a', id, '--json');
    expect(told.out).not.toContain(TOKEN);
    expect(JSON.parse(told.out)).toMatchObject({
      queue: {
        id,
        run: id,
        isPaused: false,
        cells: [{ index: 1, state: { kind: 'running' } }, {}],
      },
    });

    expect(await cli('queue', 'pause', 'train-a', id)).toMatchObject({
      code: 0,
      out: `train-a: grid (${id}) is paused: no further cell begins.\n`,
    });
    expect((await cli('queue', 'list', 'train-a', id)).out).toContain('Running, paused');
    expect(await cli('queue', 'resume', 'train-a', id)).toMatchObject({ code: 0 });
    const list = join(folder, 'cells');
    writeFileSync(list, 'three: echo three\n# four: echo four\n');
    expect(await cli('queue', 'add', 'train-a', 'grid', list)).toMatchObject({
      code: 0,
      out: `train-a: 1 cell is added to grid (${id}).\n`,
    });
    const twice = await cli('queue', 'add', 'train-a', id, list);
    expect(twice.code).toBe(1);
    expect(twice.err).toContain('“three” is in the queue already');

    expect(await cli('queue', 'stop', 'train-a', id)).toMatchObject({ code: 0 });
    openGate('gate');
    await vi.waitFor(async () => expect(isOver(await box.look(id))).toBe(true));
    expect(await status(id)).toEqual([
      ['1', 'one', 'Done'],
      ['2', 'two', 'Waiting'],
      ['3', 'three', 'Waiting'],
      ['4', 'four', 'Left out'],
    ]);
    expect(await cli('queue', 'pause', 'train-a', id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('This run is over already.') as string,
    });

    const shown = await cli('runs', 'resume', 'train-a', 'grid');
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(
      /^ {2}cells {2,}2 {2}two: cat \.\.\/second\n {2,}3 {2}three: echo three$/m,
    );
    expect(shown.out).toContain('Add --yes to do it.');
    expect(shown.out).not.toContain(TOKEN);
    // Another computer began it, as far as this one knows: whose commands these are is a person's to say.
    const refused = await cli('runs', 'resume', 'train-a', 'grid', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/^ {2}blocks {3}Where the commands come from: .* from train-a\./m);
    expect(refused.out).toContain('Launch over “origin”: ');
    const words = ['runs', 'resume', 'train-a', 'grid', '--yes', '--json', '--over', 'origin'];
    const went = await cli(...words);
    expect(went.code).toBe(0);
    const { plan } = JSON.parse(went.out) as { readonly plan: { readonly runId: string } };
    openGate('second');
    await box.until(plan.runId, 'done');
    expect((await status('grid')).map(([, , words]) => words)).toEqual([
      'Done',
      'Done',
      'Done',
      'Left out',
    ]);
    const over = await cli('runs', 'resume', 'train-a', id, '--yes');
    expect(over).toMatchObject({ code: 1, out: '' });
    expect(over.err).toContain('Every cell of this queue has run.');
  });

  it('adds a cell that holds a key only over that, and keeps it beside the cell (U34)', async () => {
    const id = await launchQueue(['one', 'exit 0']);
    await box.until(id, 'done');
    const list = join(folder, 'cells');
    writeFileSync(list, `two: echo token=${TOKEN}\n`);
    const words = ['queue', 'add', 'train-a', id, list];
    const refused = await cli(...words);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('None was added: cell “two” holds what looks like a key.');
    expect(refused.err).not.toContain(TOKEN);
    expect(await status(id)).toHaveLength(1);
    expect(await cli(...words, '--over', 'cell-keys')).toMatchObject({ code: 0 });
    expect(await status(id)).toEqual([
      ['1', 'one', 'Done'],
      ['2', 'two', 'Waiting'],
    ]);
    expect(box.read(id, 'cells/0002').split('\n')[1]).toBe('+over cell-keys');
  });

  it('says what is no queue, what is not there, and what is wrong with a list', async () => {
    const { id } = await box.launch({ name: 'plain', command: 'true' });
    await box.until(id, 'done');
    expect(await cli('queue', 'list', 'train-a', 'plain')).toMatchObject({
      code: 1,
      err: expect.stringContaining('train-a: plain is no queue.') as string,
    });
    expect(await cli('runs', 'resume', 'train-a', 'nobody', '--json')).toMatchObject({ code: 1 });
    const wrong = await run(['queue', 'add', 'train-a', 'plain', '-'], {
      env: env(),
      stdin: ['a: x\na: y\nno command\n'],
    });
    expect(wrong).toMatchObject({ code: 2, out: '' });
    expect(wrong.err).toContain('-:2 “a” is on line 1 already.');
    expect(wrong.err).toContain('-:3 Write it as “name: command”.');
    await box.sshd.stop();
    const gone = await cli('queue', 'list', 'train-a', id, '--json');
    expect(gone.code).toBe(1);
    expect(JSON.parse(gone.out)).toMatchObject({ queue: null });
  });
});
