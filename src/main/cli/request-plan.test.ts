import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import { readRequestFile } from '../runs/request/read-request.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import type { MeasuredPush } from '../../shared/transfer/push-rate.ts';
import { openDatabase } from '../storage/database.ts';
import { keepMeasured } from '../transfer/measured-pushes.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let box: RunBox;
let boxId: string;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-plan-'));
  box = new RunBox();
  await box.open();
  boxId = addBox(folder, box.sshd).id;
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

function request(more = ''): string {
  const file = join(folder, 'leasehold.yaml');
  writeFileSync(file, `name: a run\ncommand: echo hello\nfolder: ~/work\nresults: out\n${more}`);
  return file;
}
const plan = (file: string, ...more: readonly string[]): Promise<Ran> =>
  run(['request', 'plan', 'train-a', file, ...more], { env: { LEASEHOLD_DATA_FOLDER: folder } });

function price(micros: number): void {
  const { database } = openDatabase({ folder });
  const compute = { micros, currency: 'USD', per: 'hour' };
  const prices = { compute, disks: [], others: [], egress: null };
  expect(database.entries.write(boxId, 'prices', prices, 0).ok).toBe(true);
  database.close();
}

/** What earlier pushes to the box took. */
function measured(pushes: readonly MeasuredPush[]): void {
  const { database } = openDatabase({ folder });
  for (const push of pushes) value(keepMeasured(database.entries, boxId, push));
  database.close();
}

describe.skipIf(!hasSshd)('request plan', () => {
  it('says all that a launch would do, to the letter, and launches nothing', async () => {
    price(2_000_000);
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'train.py'), 'print(1)\n');
    const file = request(
      'hours: 6\npush:\n  from: src\nfetch:\n  - {into: data, run: wget -q x}\n',
    );
    const { code, out, err } = await plan(file);
    expect(err).toBe('');
    expect(code).toBe(0);
    for (const words of [
      /^train-a · .*passed$/m,
      /^ {2}command {2,}echo hello$/m,
      /^ {2}cost {2,}about \$12\.00 for the 6 h that you expect; each extra hour costs \$2\.00$/m,
      /^ {2}time to send {2,}not known: no push to this box was large enough to be measured$/m,
      /^ {2}time to fetch {2,}not known: how much there is to fetch shows only on the box$/m,
      /^ {2}to send {2,}1 file, 9 bytes$/m,
      /^ {2,}train\.py$/m,
      new RegExp(`^  results {2,}${box.home}/work/out$`, 'm'),
      /^ {2}(?:for again in 1 2 3; do tmux|\(trap) /m,
      /^ {2}job\.sh \(.*What runs, in a login shell of the box\.$/m,
      /^ {4}echo hello$/m,
    ]) {
      expect(out).toMatch(words);
    }
    expect(out).not.toContain('put_once');
    measured([
      { bytes: 4_000_000, ms: 4000, atMs: 2 },
      { bytes: 1_000_000, ms: 2000, atMs: 1 },
    ]);
    expect((await plan(file)).out).toMatch(
      /^ {2}time to send {2,}less than 1 s, by 2 earlier pushes to this box \(0\.5 to 1\.0 MB\/s\)$/m,
    );
    // What cannot be read is not the same as nothing.
    const { database } = openDatabase({ folder });
    expect(database.entries.write(boxId, 'pushes', 'damaged', 0).ok).toBe(true);
    database.close();
    expect((await plan(file)).out).toMatch(
      /^ {2}time to send {2,}not known: what earlier pushes took could not be read here$/m,
    );
    expect((await plan(file, '--files')).out).toContain('put_once');
    expect(await box.watch.look('7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01')).toMatchObject({
      value: { runs: [] },
    });
  });

  it('says without a box which one fits best, and why', async () => {
    const choose = (more: string) =>
      run(['request', 'plan', request(more)], { env: { LEASEHOLD_DATA_FOLDER: folder } });
    const any = await choose('');
    expect(any).toMatchObject({ code: 0, err: '' });
    expect(any.out).toMatch(/^train-a fits best\.\n {2}1 {2}train-a: price not known\n/);
    expect(any.out).toContain('cli -- request plan train-a ');
    const meant = await choose('platforms: [kaggle]\ngpus: {names: [H100], count: 8}\n');
    expect(meant.code).toBe(1);
    expect(meant.out).toMatch(/^No box fits; train-a comes nearest\.$/m);
    expect(meant.out).toMatch(/not among the platforms of the request; The run needs 8 GPUs/);
  });

  it('is the plan of the window, for scripts', async () => {
    const told = JSON.parse((await plan(request(), '--json')).out) as {
      readonly plan: Omit<LaunchPlan, 'plan'>;
    };
    const shown = await box.plan({ results: 'out' });
    if (!shown.ok) throw new Error(shown.error.message);
    const texts = ({ files }: Pick<LaunchPlan, 'files'>) =>
      files.filter(({ name }) => name !== 'about').map(({ name, text }) => [name, text]);
    expect(texts(told.plan)).toEqual(texts(shown.value));
    expect(Object.keys(told.plan).sort()).toEqual(
      Object.keys(shown.value)
        .filter((name) => name !== 'plan')
        .sort(),
    );
  });

  it('names each cell of a queue, and puts there what the window would', async () => {
    const file = join(folder, 'leasehold.yaml');
    writeFileSync(
      file,
      [
        'name: a grid',
        'folder: ~/work',
        'stop_at_failure: true',
        'cells:',
        '  - {name: lr-1, command: echo 1}',
        '  - name: two lines',
        '    command: |',
        '      for i in 1 2; do',
        '        echo $i',
        '      done',
        '  - {name: later, command: echo 3, left_out: true}',
        '',
      ].join('\n'),
    );
    const { code, out, err } = await plan(file, '--files');
    expect(err).toBe('');
    expect(code).toBe(0);
    for (const words of [
      /^ {2}cells {2,}1 {2}lr-1: echo 1\n {2,}2 {2}two lines: for i in 1 2; do\n {2,}echo \$i\n {2,}done$/m,
      /^ {2}others {2,}1 is left out \(#\)$/m,
      /^ {2}at a failure {2,}no further cell begins$/m,
      /^ {2}succeeded when {2,}every cell exits with code 0$/m,
      /^ {4}two lines\\x09for i in 1 2; do\\n {2}echo \$i\\ndone$/m,
      /^ {4}#later\\x09echo 3$/m,
      /^ {4}exec sh .*queue\.sh.* stop$/m,
    ]) {
      expect(out).toMatch(words);
    }
    const told = JSON.parse((await plan(file, '--json')).out) as {
      readonly plan: Omit<LaunchPlan, 'plan'>;
    };
    const wanted = await readRequestFile(file);
    if (!wanted.ok) throw new Error('the file cannot be read');
    const { request: asked, queue } = wanted.value;
    const shown = value(await box.launcher.plan(BOX.id, asked, queue));
    expect(told.plan.queue).toEqual(shown.queue);
    const texts = ({ runId, files }: Pick<LaunchPlan, 'files' | 'runId'>) =>
      files
        .filter(({ name }) => name !== 'about')
        .map(({ name, text }) => [name, text?.replaceAll(runId, 'ID')]);
    expect(texts(told.plan)).toEqual(texts(shown));

    const checked = await run(['preflight', 'train-a', file, '--json'], {
      env: { LEASEHOLD_DATA_FOLDER: folder },
    });
    expect(checked.code).toBe(0);
    expect(
      (JSON.parse(checked.out) as Pick<LaunchPlan, 'checks'>).checks.map(({ id }) => id).sort(),
    ).toEqual(told.plan.checks.map(({ id }) => id).sort());
    expect(await run(['request', 'check', file])).toMatchObject({
      code: 0,
      out: `${file}: a grid, a queue of 2 cells, can be run.\n`,
    });
  });

  it('exits with 1 where something blocks, and names a secret by its name alone', async () => {
    const missing = await plan(request('secrets: [WANDB_API_KEY]\n'));
    expect(missing.code).toBe(1);
    expect(missing.out).toMatch(/^ {2}blocks {3}Secrets: WANDB_API_KEY is not on the box/m);
    mkdirSync(join(box.home, '.config/leasehold'), { recursive: true });
    const secret = join(box.home, '.config/leasehold/WANDB_API_KEY');
    writeFileSync(secret, 'hunter2', { mode: 0o600 });
    const there = await plan(request('secrets: [WANDB_API_KEY]\n'), '--files');
    expect(there).toMatchObject({ code: 0, err: '' });
    expect(there.out).toContain('WANDB_API_KEY');
    expect(there.out).not.toContain('hunter2');
  });

  it('says what it cannot know: no price, a file with a mistake, a box that is gone', async () => {
    expect((await plan(request())).out).toMatch(
      /^ {2}cost {2,}no price set; how long it will run is not known$/m,
    );
    expect(await plan(request('gpu: x\n'))).toMatchObject({ code: 2, out: '' });
    await box.sshd.stop();
    const { code, out } = await plan(request(), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ box: 'train-a', plan: null });
  });
});
