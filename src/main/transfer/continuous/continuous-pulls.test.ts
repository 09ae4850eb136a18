import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../../shared/teardown/change-pass.fixture.ts';
import type { ContinuousNews } from '../../../shared/news/kinds/continuous-news.ts';
import type { ByBox } from '../../../shared/streams/meter-stream.ts';
import type { ContinuousPull } from '../../../shared/transfer/continuous/continuous-pull.ts';
import type { PulledFile, PullReport } from '../../../shared/transfer/pull.ts';
import { VANISHED } from '../../../shared/transfer/vanished.ts';
import { manifestsBelow } from '../../manifest/manifests.fixture.ts';
import { onboxScripts } from '../../onbox/onbox-scripts.fixture.ts';
import { BOX, RunBox, value } from '../../runs/run-box.fixture.ts';
import { hasSshd } from '../../ssh/sshd.fixture.ts';
import { openTemporaryDatabase, type Database } from '../../storage/database.ts';
import { sourceWorker } from '../../workers/source-worker.fixture.ts';
import { Workers } from '../../workers/workers.ts';
import { BoxPulls } from '../box-pulls.ts';
import { ContinuousPulls } from './continuous-pulls.ts';

const MINUTE_MS = 60_000;

let home: string;
let box: RunBox;
let database: Database;
let workers: Workers;
let pulls: BoxPulls;
let continuous: ContinuousPulls;
let news: ContinuousNews[];
/** What happens on the box between the two looks of a round. */
let between: () => void | Promise<void>;
/** How long this computer is up, and what its clock is wrong by. */
let [upMs, wrongMs] = [0, 0];
let id: string;

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-continuous-'));
  box = new RunBox();
  await box.open();
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  [news, between, upMs, wrongMs] = [[], () => undefined, 0, 0];
  mkdirSync(out());
  open();
  ({ id } = await box.launch({
    ...{ results: 'out', command: 'sleep 600', scratch: ['cache*'] },
  }));
  await box.until(id, 'running');
});
afterEach(async () => {
  await close();
  workers.close();
  database.close();
  await box.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): void {
  const { hub, roster, watch, entries } = box;
  pulls = new BoxPulls({
    ...{
      hub,
      roster,
      watch,
      scripts: onboxScripts,
      workers,
      evidence: database.evidence,
    },
    entries: box.entries,
    manifests: manifestsBelow(box.home, workers),
    targets: join(box.home, '.targets'),
    profileOf: () => null,
    folders: { root: () => null },
    onProblem: (found) => {
      throw new Error(found.message);
    },
    chooseFolder: () => Promise.resolve(home),
    toldEveryMs: 0,
    retryWaitsMs: [],
  });
  continuous = new ContinuousPulls({
    ...{ hub, roster, watch, entries, pulls, pulled: pulls.pulled },
    ...{ scripts: onboxScripts, evidence: database.evidence },
    chooseFolder: () => Promise.resolve(home),
    onLongFailure: (told) => news.push(told),
    onProblem: (found) => {
      throw new Error(found.message);
    },
    betweenLooks: async () => {
      await between();
    },
    uptime: () => upMs,
    now: () => Date.now() + wrongMs,
  });
}

async function close(): Promise<void> {
  await continuous.close();
  pulls.close();
}

const out = (name = ''): string => join(box.home, 'work', 'out', name);
const here = (name: string): string => join(home, name);
const read = (name: string): string => readFileSync(here(name), 'utf8');
const leave = (name: string, bytes: string): void => writeFileSync(out(name), bytes);

function told(): ContinuousPull | null {
  const opened = value(box.hub.open(1, 'continuous-pulls', ''));
  box.hub.close(1, opened.subscription);
  return (opened.state as ByBox<readonly ContinuousPull[]>).boxes[BOX.id]?.[0] ?? null;
}

const until = (expected: object) =>
  vi.waitFor(() => expect(told()).toMatchObject(expected), { interval: 20 });

async function switchOn(limitMBps: number | null = null): Promise<void> {
  const plan = value(await continuous.plan(BOX.id, id));
  if (plan === null) throw new Error('cancelled');
  value(await continuous.start(BOX.id, plan.plan, { everyMin: 15, limitMBps }));
}

/** The next round, from when it is due until it is over. */
async function nextRound(): Promise<PullReport> {
  const before = reports().length;
  upMs += 15 * MINUTE_MS;
  return vi.waitFor(
    () => {
      const [newest] = reports().slice(before);
      if (newest === undefined) throw new Error(`no round was kept: ${JSON.stringify(told())}`);
      expect(told()?.now.kind).not.toBe('under-way');
      return newest;
    },
    { interval: 20 },
  );
}

function reports(): readonly PullReport[] {
  const kept: PullReport[] = [];
  const newest = value(database.evidence.newest({ kind: 'pull', boxId: BOX.id, about: id }));
  for (const { seq, body } of newest.rows) kept[seq - 1] = JSON.parse(body) as PullReport;
  return kept;
}

const marksOf = ({ files }: PullReport): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map((file) => [file.path, markOf(file)]));

function markOf({ mark, waits, provenIn, isGrowing }: PulledFile): string {
  if (waits !== undefined) return waits;
  if (isGrowing === true) return 'growing';
  return provenIn === undefined ? mark : `in ${String(provenIn)}`;
}

describe.skipIf(!hasSshd)('new results that come home by themselves', () => {
  it('are evidence and the newest complete checkpoint; what grew goes on, and what was rewritten loses nothing', async () => {
    leave('metrics.csv', 'step,loss\n1,2\n');
    leave('train.log', 'step 1\n');
    leave('step_100.pt', 'an old one');
    leave('best.pt', 'the first best');
    leave('cache.bin', 'scratch');
    const plan = value(await continuous.plan(BOX.id, id));
    expect(plan).toMatchObject({
      to: home,
      files: 4,
      waiting: [{ because: 'scratch', files: 1 }],
    });
    // A checkpoint that is being written when a round comes, and a log that never rests.
    let no = 0;
    between = () => {
      no += 1;
      appendFileSync(out('train.log'), `more ${String(no)}\n`);
      leave('step_200.pt', 'x'.repeat(no));
    };
    await switchOn();
    const first = await nextRound();
    expect(marksOf(first)).toMatchObject({
      ...{ 'metrics.csv': 'equal', 'best.pt': 'equal', 'step_100.pt': 'equal' },
      ...{ 'cache.bin': 'scratch', 'step_200.pt': 'being-written' },
    });
    expect(read('train.log')).toBe('step 1\nmore 1\n');
    expect(told()).toMatchObject({ brought: { files: 4 }, failure: null });

    between = () => appendFileSync(out('train.log'), 'last\n');
    leave('best.pt', 'another best, as long or longer');
    appendFileSync(out('metrics.csv'), '2,1\n');
    const second = await nextRound();
    expect(marksOf(second)).toMatchObject({
      ...{ 'metrics.csv': 'equal', 'best.pt': 'equal', 'step_200.pt': 'equal' },
      ...{ 'step_100.pt': 'in 1', 'cache.bin': 'scratch' },
    });
    expect(read('metrics.csv')).toBe('step,loss\n1,2\n2,1\n');
    expect(read('train.log')).toBe('step 1\nmore 1\nlast\n');
    expect(read('best.pt')).toBe('another best, as long or longer');
    const earlier = readdirSync(here('.leasehold-earlier'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(earlier.filter((name) => name.endsWith('best.pt'))).toHaveLength(1);
    const [kept = ''] = earlier.filter((name) => name.endsWith('best.pt'));
    expect(read(`.leasehold-earlier/${kept}`)).toBe('the first best');
    expect(earlier.some((name) => /csv|log/.test(name))).toBe(false);
    expect(told()).toMatchObject({
      earlier: { files: 1, bytes: 14, isCut: false },
    });
    expect(value(await database.evidence.check()).fault).toBeNull();
  });

  it('of a log that grows while it comes brings the beginning, and says so', async () => {
    leave('live.log', 'begun\n');
    leave('done.csv', 'a\n1\n');
    const grow = (): void => appendFileSync(out('live.log'), 'more\n');
    between = grow;
    box.hub.addClient(2, grow);
    value(box.hub.open(2, 'pulls', ''));
    await switchOn();
    const first = await nextRound();
    expect(marksOf(first)).toEqual({ 'live.log': 'growing', 'done.csv': 'equal' });
    const begun = read('live.log');
    expect(begun).toMatch(/^begun\nmore\n/);
    box.hub.removeClient(2);
    between = () => undefined;
    // What was brought of it is not sent again.
    const second = await nextRound();
    expect(marksOf(second)).toEqual({ 'live.log': 'equal', 'done.csv': 'in 1' });
    expect(read('live.log')).toBe(readFileSync(out('live.log'), 'utf8'));
    expect(told()?.brought?.bytes).toBe(read('live.log').length - begun.length);
  });

  it('leave beginnings that a person’s pull goes on with, and nothing else that was brought before makes room for it', async () => {
    leave('train.log', 'step 1\n');
    leave('turned.log', 'an old log\n');
    leave('mine.log', 'as it was\n');
    await switchOn();
    await nextRound();
    value(continuous.stop(BOX.id, id));
    appendFileSync(out('train.log'), 'step 2\n');
    leave('turned.log', 'a log that was begun anew\n');
    appendFileSync(out('mine.log'), 'and more\n');
    writeFileSync(here('mine.log'), 'by hand');
    const plan = value(await pulls.plan(BOX.id, id));
    if (plan === null) throw new Error('cancelled');
    const planned = Object.fromEntries(plan.files.map(({ path, here: is }) => [path, is]));
    expect(planned).toMatchObject({ 'train.log': 'part' });
    const { report } = value(await pulls.pull(BOX.id, plan.plan));
    expect(marksOf(report)).toEqual({
      ...{ 'train.log': 'equal', 'turned.log': 'differs', 'mine.log': 'differs' },
    });
    expect(read('train.log')).toBe('step 1\nstep 2\n');
    expect(read('turned.log')).toBe('an old log\n');
    expect(read('mine.log')).toBe('by hand');
    expect(readdirSync(home).sort()).toEqual(['mine.log', 'train.log', 'turned.log']);
  });

  it('writes into no copy whose part still has its other name, as when the app was killed between the two', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    leave('best.pt', 'the first best');
    await switchOn();
    await nextRound();
    for (const name of ['metrics.csv', 'best.pt']) {
      linkSync(here(name), here(`${name}.leasehold-part`));
    }
    appendFileSync(out('metrics.csv'), '3,4\n');
    leave('best.pt', 'shorter');
    const second = await nextRound();
    expect(marksOf(second)).toEqual({ 'metrics.csv': 'equal', 'best.pt': 'equal' });
    expect(read('metrics.csv')).toBe('a,b\n1,2\n3,4\n');
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const [kept = ''] = names.filter((name) => /earlier.*best\.pt$/.test(name));
    expect(read(kept)).toBe('the first best');
    expect(names.filter((name) => name.endsWith('-part'))).toEqual([]);
  });

  it('takes the other name of a copy away that never changes again', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    linkSync(here('metrics.csv'), here('metrics.csv.leasehold-part'));
    expect(marksOf(await nextRound())).toEqual({ 'metrics.csv': 'equal' });
    expect(readdirSync(home)).toEqual(['metrics.csv']);
  });

  it('brings versions that all have one time, as when they are unpacked with it', async () => {
    const versions = ['the best 1', 'the best 2', 'the best 3'];
    await switchOn();
    for (const version of versions) {
      leave('best.pt', version);
      utimesSync(out('best.pt'), 1_700_000_000, 1_700_000_000);
      expect(marksOf(await nextRound())).toEqual({ 'best.pt': 'equal' });
    }
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const copies = names.filter((name) => name.endsWith('best.pt')).map(read);
    expect(copies.sort()).toEqual(versions.sort());
  });

  it.each(['a cut link', 'quitting'])(
    'goes on with what a round named that %s kept from its end, and with no file of a person',
    async (by) => {
      leave('metrics.csv', 'a,b\n1,2\n');
      leave('best.pt', 'the first best');
      await switchOn(1);
      await nextRound();
      leave('best.pt', 'the second best');
      leave('own.pt', 'a first one');
      appendFileSync(out('metrics.csv'), '3,4\n');
      leave('model.bin', 'x'.repeat(24e6));
      upMs += 15 * MINUTE_MS;
      await vi.waitFor(
        () => {
          expect(read('best.pt')).toBe('the second best');
          expect(read('own.pt')).toBe('a first one');
          expect(read('metrics.csv')).toBe('a,b\n1,2\n3,4\n');
        },
        { interval: 20 },
      );
      if (by === 'quitting') {
        await close();
        open();
      } else await box.hangUp();
      rmSync(out('model.bin'));
      leave('best.pt', 'a third best');
      leave('own.pt', 'a second one');
      writeFileSync(here('own.pt'), 'a person wrote this');
      appendFileSync(out('metrics.csv'), '5,6\n');
      if (by === 'a cut link') await box.connect();
      const next = await nextRound();
      expect(marksOf(next)).toEqual({
        'metrics.csv': 'equal',
        'best.pt': 'equal',
        'own.pt': 'differs',
      });
      expect(read('metrics.csv')).toBe('a,b\n1,2\n3,4\n5,6\n');
      expect(read('best.pt')).toBe('a third best');
      expect(read('own.pt')).toBe('a person wrote this');
      const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
      const kept = names.filter((name) => /earlier.*best\.pt$/.test(name)).map(read);
      expect(kept.sort()).toEqual(['the first best', 'the second best']);
      expect(names.filter((name) => /(?:pt|csv)\.leasehold-part$/.test(name))).toEqual([]);
    },
  );

  it('survives a restart, and neither a clock that is set nor a day away makes a round come twice', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    await until({ brought: { files: 1 }, now: { kind: 'waiting' } });
    const restarted = async (): Promise<void> => {
      await close();
      open();
      expect(told()).toMatchObject({
        to: home,
        everyMin: 15,
        brought: { files: 1 },
      });
    };
    const leftMs = (): number => {
      const now = told()?.now;
      return now?.kind === 'waiting' ? now.nextAtMs - (Date.now() + wrongMs) : -1;
    };
    await restarted();
    expect(leftMs()).toBeLessThanOrEqual(15 * MINUTE_MS);
    expect(leftMs()).toBeGreaterThan(MINUTE_MS);
    // Set back by a year, it would not come for a year.
    wrongMs = -365 * 24 * 60 * MINUTE_MS;
    await restarted();
    expect(leftMs()).toBeLessThanOrEqual(15 * MINUTE_MS);
    leave('more.csv', 'a\n1\n');
    await nextRound();
    await until({ brought: { files: 1, bytes: 4 } });
    // Away for a day: one round makes up for all of them, and nothing new is no entry.
    wrongMs = 24 * 60 * MINUTE_MS;
    await restarted();
    const before = told()?.last?.atMs ?? 0;
    await vi.waitFor(() => expect(told()?.last?.atMs).toBeGreaterThan(before), {
      interval: 20,
    });
    await until({ now: { kind: 'waiting' }, brought: { files: 1, bytes: 4 } });
    expect(value(await database.evidence.check())).toEqual({
      count: 2,
      fault: null,
    });
  });

  it('is switched off for good, and comes to its end with the run', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    leave('late.txt', 'written last\n');
    // What a run leaves when it ends is not waited for.
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    await until({ brought: { files: 1, bytes: 13 }, now: { kind: 'waiting' } });
    upMs += 15 * MINUTE_MS;
    value(await box.watch.look(BOX.id));
    await until({ now: { kind: 'finished' } });
    expect(read('late.txt')).toBe('written last\n');
    value(continuous.stop(BOX.id, id));
    expect(told()).toBeNull();
    await close();
    open();
    expect(told()).toBeNull();
  });

  it('does not come to its end over a folder that nothing is left in, as of a disk that is not mounted', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    rmSync(out('metrics.csv'));
    upMs += 15 * MINUTE_MS;
    await until({ failure: { rounds: 1, says: VANISHED }, now: { kind: 'waiting' } });
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    await until({ failure: { rounds: 2, says: VANISHED }, now: { kind: 'waiting' } });
    leave('metrics.csv', 'a,b\n1,2\n3,4\n');
    upMs += 15 * MINUTE_MS;
    value(await box.watch.look(BOX.id));
    await until({ failure: null, brought: { files: 1 } });
  });

  it('brings nothing into another folder of that name, as the one that a disk is mounted over', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    const away = `${home}-away`;
    renameSync(home, away);
    try {
      mkdirSync(home);
      leave('late.txt', 'late\n');
      upMs += 15 * MINUTE_MS;
      const says = expect.stringContaining('is not the folder that this pull began with') as string;
      await until({ failure: { rounds: 1, says }, now: { kind: 'waiting' } });
      expect(readdirSync(home)).toEqual([]);
    } finally {
      rmSync(home, { recursive: true });
      renameSync(away, home);
    }
    upMs += 15 * MINUTE_MS;
    await until({ failure: null, brought: { files: 1 } });
    expect(read('late.txt')).toBe('late\n');
  });

  it('gives way to what a person brings home, and to a box that is not connected', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    let goOn = (): void => undefined;
    const looking = new Promise<void>((resolve) => {
      between = () => {
        resolve();
        return new Promise<void>((end) => (goOn = end));
      };
    });
    await switchOn();
    await looking;
    expect(told()?.now).toEqual({ kind: 'under-way' });
    const plan = value(await pulls.plan(BOX.id, id));
    if (plan === null) throw new Error('cancelled');
    const brought = pulls.pull(BOX.id, plan.plan);
    between = () => undefined;
    goOn();
    expect(value(await brought).report.files).toMatchObject([{ mark: 'equal' }]);
    await until({ now: { kind: 'waiting' }, last: null, failure: null });
    await box.hangUp();
    upMs += 15 * MINUTE_MS;
    leave('more.csv', 'a\n1\n');
    await box.connect();
    await until({ brought: { files: 1, bytes: 4 }, failure: null });
    // What the person brought is not sent again.
    expect(reports().at(-1)?.files).toMatchObject([{ path: 'more.csv' }, { provenIn: 1 }]);
  });

  it('leaves a file as it is that a person has changed here, and asks for it once', async () => {
    leave('best.pt', 'the first best');
    await switchOn();
    await nextRound();
    writeFileSync(here('best.pt'), 'a person wrote this');
    leave('best.pt', 'another best, which is longer');
    const report = await nextRound();
    expect(marksOf(report)).toEqual({ 'best.pt': 'differs' });
    expect(read('best.pt')).toBe('a person wrote this');
    const before = told()?.last?.atMs ?? 0;
    upMs += 15 * MINUTE_MS;
    await vi.waitFor(() => expect(told()?.last?.atMs).toBeGreaterThan(before), {
      interval: 20,
    });
    expect(value(await database.evidence.check()).count).toBe(2);
  });

  it('says why rounds fail, when the next try is, and after an hour tells a person once', async () => {
    leave('metrics.csv', 'a,b\n1,2\n');
    await switchOn();
    await nextRound();
    rmSync(out(), { recursive: true });
    upMs += 15 * MINUTE_MS;
    await until({
      failure: {
        rounds: 1,
        says: expect.stringMatching('does not exist') as string,
      },
    });
    await until({ now: { kind: 'waiting' } });
    expect(news).toEqual([]);
    for (const rounds of [2, 3]) {
      wrongMs += 61 * MINUTE_MS;
      upMs += 15 * MINUTE_MS;
      await until({ failure: { rounds } });
    }
    expect(news).toHaveLength(1);
    mkdirSync(out());
    leave('metrics.csv', 'a,b\n3,4\n5,6\n');
    upMs += 15 * MINUTE_MS;
    await until({ failure: null, earlier: { files: 1 } });
    expect(read('metrics.csv')).toBe('a,b\n3,4\n5,6\n');
  });
});
