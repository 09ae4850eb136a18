import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PullPlan } from '../../../shared/transfer/pull.ts';
import { manifestsBelow } from '../../manifest/manifests.fixture.ts';
import { onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { BOX, RunBox, value } from '../../runs/run-box.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { openTemporaryDatabase, type Database } from '../../storage/database.ts';
import { sourceWorker } from '../../workers/source-worker.fixture.ts';
import { Workers } from '../../workers/workers.ts';
import { BoxPulls } from '../box-pulls.ts';
import { Pace } from '../pace.ts';

const MIB = 1024 * 1024;

let box: RunBox;
let home: string;
let database: Database;
let workers: Workers;
let pulls: BoxPulls;
let rate: number | null;
beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-going-on-'));
  box = new RunBox();
  await box.open();
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  mkdirSync(out());
  rate = null;
  open();
});
afterEach(async () => {
  pulls.close();
  workers.close();
  database.close();
  await box.close();
  rmSync(home, { recursive: true, force: true });
});

function open(folder = home): void {
  const { hub, roster, watch, entries } = box;
  pulls = new BoxPulls({
    ...{ hub, roster, watch, entries, workers, scripts: onboxScripts },
    evidence: database.evidence,
    manifests: manifestsBelow(box.home, workers),
    targets: join(box.home, '.targets'),
    profileOf: () => null,
    folders: { root: () => null },
    onProblem: (found) => {
      throw new Error(found.message);
    },
    chooseFolder: () => Promise.resolve(folder),
    pace: new Pace(() => rate),
    retryWaitsMs: [],
  });
}

const out = (name = ''): string => join(box.home, 'work', 'out', name);
const here = (name: string): string => join(home, name);
const read = (name: string): string => readFileSync(here(name), 'utf8');
const leave = (name: string, bytes: string | Buffer): void => writeFileSync(out(name), bytes);

async function planOf(id: string): Promise<PullPlan> {
  const plan = value(await pulls.plan(BOX.id, id));
  if (plan === null) throw new Error('cancelled');
  return plan;
}

const seen = ({ files }: PullPlan) =>
  Object.fromEntries(files.map(({ path, here: is, missingBytes }) => [path, [is, missingBytes]]));

async function pull(plan: PullPlan) {
  const { report } = value(await pulls.pull(BOX.id, plan.plan));
  return Object.fromEntries(report.files.map(({ path, mark }) => [path, mark]));
}

/** Ends where these have their names, and a large file is still on its way. */
async function pullUntilNamed(id: string, names: readonly string[]): Promise<void> {
  leave('model.bin', randomBytes(24 * MIB));
  rate = 2 * MIB;
  const { plan } = await planOf(id);
  const pulled = pulls.pull(BOX.id, plan);
  await vi.waitFor(() => expect(names.filter((name) => !existsSync(here(name)))).toEqual([]), {
    ...{ interval: 20, timeout: 20_000 },
  });
  value(pulls.stop(BOX.id));
  expect(await pulled).toMatchObject({ ok: false, error: { code: 'aborted' } });
  rmSync(out('model.bin'));
  rate = null;
}

/** In one stream, as so many small ones come, and one by one. */
const COUNTS = [
  ['in a stream', 12],
  ['by itself', 0],
] as const;

describe.skipIf(!hasSshd)('a pull by hand after one that was stopped', () => {
  it.each(COUNTS)(
    'goes on with a log that came %s and grew since, also after a restart, and writes over no other file',
    async (_, others) => {
      const logs = ['train.log', 'changed.log', 'longer.log'];
      for (const name of logs) leave(name, `${name}: step 1\n`);
      for (let at = 0; at < others; at += 1) leave(`part_${String(at)}.jsonl`, '{}\n');
      // A person's own copy, of which nothing was proven.
      leave('mine.log', 'mine\nand more\n');
      writeFileSync(here('mine.log'), 'mine\n');
      const id = await box.past();
      await pullUntilNamed(id, logs);
      pulls.close();
      open();
      for (const name of logs) appendFileSync(out(name), 'step 2\n');
      writeFileSync(
        here('changed.log'),
        'changed.log: mine 1\n'.slice(0, read('changed.log').length),
      );
      appendFileSync(here('longer.log'), 'x');
      const changed = read('changed.log');
      const plan = await planOf(id);
      expect(seen(plan)).toMatchObject({
        'train.log': ['part', 7],
        'longer.log': ['in-the-way', 0],
        'mine.log': ['in-the-way', 0],
      });
      expect(await pull(plan)).toMatchObject({
        'train.log': 'equal',
        ...{ 'changed.log': 'differs', 'longer.log': 'differs', 'mine.log': 'differs' },
      });
      expect(read('train.log')).toBe('train.log: step 1\nstep 2\n');
      expect(read('changed.log')).toBe(changed);
      expect(read('longer.log')).toBe('longer.log: step 1\nx');
      expect(read('mine.log')).toBe('mine\n');
      expect(existsSync(here('train.log.leasehold-part'))).toBe(false);
    },
  );

  it('goes on with a log again and again, and remembers none that the evidence has', async () => {
    leave('train.log', 'step 1\n');
    const id = await box.past();
    for (const step of [2, 3]) {
      await pullUntilNamed(id, ['train.log']);
      appendFileSync(out('train.log'), `step ${String(step)}\n`);
    }
    expect(read('train.log')).toBe('step 1\n');
    const plan = await planOf(id);
    expect(await pull(plan)).toEqual({ 'train.log': 'equal' });
    expect(read('train.log')).toBe('step 1\nstep 2\nstep 3\n');
    const notes = [...box.entries.kept].filter(([key]) => key.includes('naming:by-hand:'));
    expect(notes.map(([, kept]) => kept)).toMatchObject([{ files: [] }]);
  });

  it('knows what came into each folder, whichever was pulled into last', async () => {
    leave('train.log', 'step 1\n');
    const id = await box.past();
    await pullUntilNamed(id, ['train.log']);
    const other = here('other');
    mkdirSync(other);
    pulls.close();
    open(other);
    expect(await pull(await planOf(id))).toEqual({ 'train.log': 'equal' });
    pulls.close();
    open();
    rmSync(other, { recursive: true });
    appendFileSync(out('train.log'), 'step 2\n');
    expect(await pull(await planOf(id))).toEqual({ 'train.log': 'equal' });
    expect(read('train.log')).toBe('step 1\nstep 2\n');
  });

  it('leaves a log as it is that the box has begun anew', async () => {
    leave('train.log', 'step 1\n');
    const id = await box.past();
    await pullUntilNamed(id, ['train.log']);
    leave('train.log', 'another run, and its steps\n');
    expect(await pull(await planOf(id))).toEqual({ 'train.log': 'differs' });
    expect(read('train.log')).toBe('step 1\n');
  });

  it('goes on with a log that grew while it came, which the evidence does not have as proven', async () => {
    leave('train.log', 'step 1\n');
    leave('model.bin', randomBytes(6 * MIB));
    const id = await box.past();
    rate = 2 * MIB;
    const { plan } = await planOf(id);
    const pulled = pulls.pull(BOX.id, plan);
    await vi.waitFor(() => expect(existsSync(here('train.log'))).toBe(true), { interval: 20 });
    appendFileSync(out('train.log'), 'step 2\n');
    const { report } = value(await pulled);
    expect(report.files.find(({ path }) => path === 'train.log')?.mark).toBe('differs');
    rate = null;
    expect(await pull(await planOf(id))).toEqual({ 'model.bin': 'equal', 'train.log': 'equal' });
    expect(read('train.log')).toBe('step 1\nstep 2\n');
  });
});
