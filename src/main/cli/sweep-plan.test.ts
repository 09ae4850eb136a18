import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaunchPlan } from '../../shared/runs/launch/launch-plan.ts';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

let folder: string;
let boxes: readonly [RunBox, RunBox];
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-plan-'));
  boxes = [new RunBox(), new RunBox()];
  for (const [at, box] of boxes.entries()) {
    await box.open();
    const { id } = addBox(folder, box.sshd, { name: ['alpha', 'beta'][at] ?? '' });
    price(id, [1_000_000, 3_000_000][at] ?? 0);
  }
});
afterEach(async () => {
  for (const box of boxes) await box.close();
  rmSync(folder, { recursive: true, force: true });
});

function price(boxId: string, micros: number): void {
  const { database } = openDatabase({ folder });
  const compute = { micros, currency: 'USD', per: 'hour' };
  const prices = { compute, disks: [], others: [], egress: null };
  expect(database.entries.write(boxId, 'prices', prices, 0).ok).toBe(true);
  database.close();
}
function sweep(more = ''): string {
  const file = join(folder, 'leasehold.yaml');
  const grid = '  command: train --lr {lr} --out {results}\n  grid:\n    lr: 1, 2, 3, 4\n';
  writeFileSync(file, `name: rates\nfolder: ~/work\nhours: 2\nsweep:\n${grid}${more}`);
  return file;
}
const plan = (...words: readonly string[]): Promise<Ran> =>
  run(['sweep', 'plan', ...words], { env: { LEASEHOLD_DATA_FOLDER: folder } });

interface Told {
  readonly split: string;
  readonly cells: readonly { readonly name: string }[];
  readonly boxes: readonly {
    readonly box: string;
    readonly cells: readonly number[];
    readonly problem: { readonly message: string } | null;
    readonly plan: LaunchPlan | null;
  }[];
}

describe.skipIf(!hasSshd)('sweep plan', () => {
  it('deals the cells out by their cost, and says of each box what its plan does', async () => {
    const file = sweep('  boxes: [alpha, beta]\n');
    const told = await plan(file);
    // Nothing here is called train: that is what blocks it on both.
    expect(told.code).toBe(1);
    for (const words of [
      /^rates · 4 cells on 2 boxes$/m,
      /^ {2}alpha: 3 cells$/m,
      /^ {2}beta: 1 cell$/m,
      /^By cost per cell \(alpha \$1\.00\/h, beta \$3\.00\/h\), as if all were equally fast, which is not known\.$/m,
      /^alpha · 1 blocks/m,
      /^ {2}cells {2,}1 {2}lr=1: mkdir -p -- results\/lr=1 \|\| exit 1$/m,
      /^ {2,}train --lr 1 --out results\/lr=1$/m,
      /^ {2}cost {2,}about \$6\.00 for the 6 h that you expect; each extra hour costs \$1\.00$/m,
      /^ {2}cost {2,}about \$6\.00 for the 2 h that you expect; each extra hour costs \$3\.00$/m,
    ]) {
      expect(told.out).toMatch(words);
    }
    for (const box of boxes) expect(existsSync(box.place(''))).toBe(false);
  });

  it('is the plan of the window, for scripts, and clear where nothing blocks', async () => {
    const file = sweep();
    const text =
      'name: s\nfolder: ~/work\nsweep:\n  cells:\n    - {name: a, command: "echo {results}"}\n';
    writeFileSync(file, text);
    expect(await plan(file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('the file names no boxes: give them with --boxes.') as string,
    });
    const { code, out } = await plan(file, '--boxes', 'beta, alpha', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(out) as Told;
    expect(told).toMatchObject({
      cells: [{ name: 'a', command: 'echo results/a', results: 'results/a' }],
      boxes: [
        { box: 'beta', cells: [], plan: null, problem: null },
        { box: 'alpha', cells: [0], plan: { queue: { cells: [{ name: 'a' }] } } },
      ],
    });
    expect(told.boxes[1]?.plan?.files.map(({ name }) => name)).toContain('sweep');
  });

  it('tells a box that is away, deals out over the others, and is not clear', async () => {
    await boxes[1].sshd.stop();
    const { code, out } = await plan(sweep(), '--boxes', 'alpha,beta', '--json');
    expect(code).toBe(1);
    const told = JSON.parse(out) as Told;
    expect(told.boxes.map(({ cells }) => cells.length)).toEqual([4, 0]);
    expect(told.boxes[1]).toMatchObject({
      plan: null,
      problem: { code: expect.any(String) as string },
    });
    expect((await plan(sweep(), '--boxes', 'alpha,beta')).out).toMatch(/^ {2}beta: not planned: /m);
  });

  it('refuses what is no sweep, and boxes that nobody has added', async () => {
    const file = sweep();
    const other = await plan(file, '--boxes', 'alpha,gamma');
    expect(other).toMatchObject({ code: 2, out: '' });
    expect(other.err).toContain('No box is called gamma.');
    for (const words of [['preflight'], ['request', 'plan']]) {
      const one = await run([...words, 'alpha', file], { env: { LEASEHOLD_DATA_FOLDER: folder } });
      expect(one).toMatchObject({ code: 2, out: '' });
      expect(one.err).toContain('is a sweep, which is planned over its boxes by “sweep plan”.');
    }
    expect((await run(['request', 'check', file])).out).toContain(
      'rates, a sweep of 4 cells, can be run.',
    );
    writeFileSync(file, 'name: s\nfolder: ~/work\ncommand: x\n');
    expect(await plan(file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is no sweep: “request plan” tells what it does.') as string,
    });
  });
});
