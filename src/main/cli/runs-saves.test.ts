import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOTHING_TOLD } from '../../shared/clocks/clock.ts';
import { RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { run, type Ran } from './cli.fixture.ts';
import type { StoredChange } from '../storage/ledger-table.ts';
import { addBox } from './named-box.fixture.ts';

const H = 3_600_000;
/** Folders of two files, one written 30 s after the other, every five minutes. */
const SAVES = [1, 2, 3, 4]
  .flatMap((no) => [
    `mkdir -p out/checkpoint-${String(no * 100)}`,
    `touch -d @${String(1_700_000_000 + no * 300)} out/checkpoint-${String(no * 100)}/model.safetensors`,
    `touch -d @${String(1_700_000_030 + no * 300)} out/checkpoint-${String(no * 100)}/optimizer.pt`,
  ])
  .join('\n');

let folder: string;
let box: RunBox;
let boxId: string;
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-saves-'));
  box = new RunBox();
  await box.open();
  boxId = addBox(folder, box.sshd).id;
});
afterEach(async () => {
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...words: readonly string[]): Promise<Ran> =>
  run(['runs', 'saves', 'train-a', ...words], { env: { LEASEHOLD_DATA_FOLDER: folder } });

/** What the window would have written of a box that was up for so many hours, once in each of its lives. */
function keepLives(hours: readonly number[]): void {
  const { database } = openDatabase({ folder });
  let fromMs = 1_600_000_000_000;
  const changes = hours.map((each, no): StoredChange => {
    const ms = each * H;
    const life = { id: `life-${String(no)}`, upForMs: 0 };
    const what = { phase: 'running', source: 'observed', charges: [] } as const;
    const interval = { no, fromMs, ms, life, ...what };
    fromMs += ms;
    return { boxId, change: { kind: 'put', interval } };
  });
  value(database.ledger.write(changes));
  database.close();
}

/** What a patrol would have left: a run that was seen for the last time then, and was preempted. */
function keepPreempted(lastSeenMs: number): void {
  mkdirSync(join(folder, 'patrol'));
  const gone = {
    ...{ key: 'b:1:1 5', bootId: 'b', pid: 1, startTicks: 1, command: 'python t.py', folder: '/w' },
    ...{ user: null, holdsGpu: true, sinceMs: null, cause: 'preempted' },
    ...{ lastSeenMs, missedMs: lastSeenMs + 60_000 },
  };
  const memory = { atMs: lastSeenMs, oomKills: null, hostOomKills: null, runs: [], gone: [gone] };
  writeFileSync(join(folder, 'patrol', `${boxId}.json`), JSON.stringify(memory));
}

/** The platform took it back: its person entered that it was spot, and that it was destroyed after that. */
function keepTaken(atMs: number): void {
  const { database } = openDatabase({ folder });
  const interval = { no: 9, fromMs: atMs, ms: H, life: null };
  const what = { phase: 'destroyed', source: 'inferred', charges: [] } as const;
  value(
    database.ledger.write([{ boxId, change: { kind: 'put', interval: { ...interval, ...what } } }]),
  );
  const told = { ...NOTHING_TOLD, isSpot: true };
  value(database.entries.write(boxId, 'clocks', told, Date.now()));
  database.close();
  mkdirSync(join(folder, 'patrol'), { recursive: true });
  const file = join(folder, 'patrol', `${boxId}.json`);
  const memory = JSON.parse(readFileSync(file, 'utf8')) as object;
  const run = {
    ...{ bootId: 'b', pid: 2, startTicks: 5, command: 'python t.py', folder: '/w', user: null },
    ...{ holdsGpu: true, ageS: null, survivesHangup: null, isUnbuffered: null, tmuxSession: null },
  };
  writeFileSync(file, JSON.stringify({ ...memory, atMs: atMs - 60_000, runs: [run] }));
}

describe.skipIf(!hasSshd)('runs saves', () => {
  it('says how often to save, by the lives of the box and what its patrols have missed', async () => {
    const { id } = await box.launch({ name: 'train', command: SAVES, results: 'out' });
    await box.until(id, 'done');
    expect(await cli('train')).toEqual({
      code: 0,
      out: [
        'train: 4 checkpoints',
        '  cadence        every 5 min (median of 3 gaps)',
        '  save time      at least 30 s, from its first file to its last',
        '  interruptions  unknown: less than 1 h of this box is known',
        'How often to save cannot be worked out: how often this box cuts runs off is not known.',
        '',
      ].join('\n'),
      err: '',
    });
    keepLives([4, 20, 24]);
    // Ten hours into the second life.
    keepPreempted(1_600_000_000_000 + 14 * H);
    const { out } = await cli(id);
    expect(out).toContain('interruptions  3 in 2 d: one every 16 h (6 h 11 min to 2 d 10 h)\n');
    expect(out).toContain(
      'This run saved every 5 min; 30 min (610 steps) would have cost least. By 3 interruptions in 2 d of this box, so 90 % sure between 19 min and 59 min.\n',
    );
    expect(JSON.parse((await cli(id, '--json')).out)).toEqual({
      ...{ box: 'train-a', problem: null, run: id },
      saving: { everyMs: 300_000, gaps: 3, stepMs: 3000, saveMs: 30_000 },
      interruptions: {
        count: 3,
        watchedMs: expect.closeTo(48 * H, -5) as number,
        fixedEnd: null,
      },
    });
    keepTaken(1_600_000_000_000 + 48 * H);
    expect((await cli(id)).out).toContain('interruptions  4 in 2 d: one every 12 h ');
  });

  it('says so where there is no such run, or its results cannot be listed', async () => {
    expect(await cli('nothing')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No launched run on the box is called nothing.') as string,
    });
    const { id } = await box.launch({ results: 'nowhere', command: 'true' });
    await box.until(id, 'done');
    expect(await cli(id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The results folder does not exist') as string,
    });
  });

  it('tells what a run that names no results folder has saved where it works, or that this is not known', async () => {
    const nothing = await box.launch({ command: 'true' });
    await box.until(nothing.id, 'done');
    expect((await cli(nothing.id)).out).toContain('where it saves is not known');
    const saves = await box.launch({
      command: 'mkdir -p c && echo 1 >c/model_step_1.pt && echo 2 >c/model_step_2.pt',
    });
    await box.until(saves.id, 'done');
    expect((await cli(saves.id)).out).toContain(': 2 checkpoints');
  });
});
