import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { ByBox } from '../../shared/streams/meter-stream.ts';
import { sumBehind, type BehindSum, type BoxBehind } from '../../shared/transfer/behind.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import { judgeTimeToSave } from '../../shared/teardown/time-to-save.ts';
import type { SaidRule } from '../../shared/transfer/keep-rules.ts';
import { VANISHED } from '../../shared/transfer/vanished.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { BehindWatch } from './behind-watch.ts';
import { BoxPulls } from './box-pulls.ts';
import { NamedFolders } from './named-folders.ts';

let home: string;
let box: RunBox;
let database: Database;
let workers: Workers;
let pulls: BoxPulls;
let behind: BehindWatch;
let folders: NamedFolders;
let rules: readonly SaidRule[];
beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pulled-'));
  box = new RunBox();
  await box.open();
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  mkdirSync(out());
  rules = [];
  open();
});
afterEach(async () => {
  await close();
  workers.close();
  database.close();
  await box.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): void {
  const options = { hub: box.hub, roster: box.roster, scripts: onboxScripts };
  folders = new NamedFolders({ ...options, entries: box.entries, onProblem: fail });
  pulls = new BoxPulls({
    ...{ ...options, watch: box.watch, workers, folders, evidence: database.evidence },
    entries: box.entries,
    manifests: manifestsBelow(box.home, workers),
    targets: join(box.home, '.targets'),
    profileOf: () => null,
    onProblem: fail,
    chooseFolder: () => Promise.resolve(home),
    retryWaitsMs: [],
  });
  behind = new BehindWatch({
    ...{ ...options, looked: box.watch.looked, pulled: pulls.pulled, folders },
    ...{ evidence: database.evidence, entries: box.entries },
    keepRules: () => rules,
    onProblem: fail,
  });
}

function fail(found: Problem): never {
  throw new Error(found.message);
}

async function close(): Promise<void> {
  await behind.close();
  pulls.close();
  folders.close();
}

const out = (name = ''): string => join(box.home, 'work', 'out', name);
const leave = (name: string, bytes: number): void => writeFileSync(out(name), Buffer.alloc(bytes));

async function launched(command = 'true'): Promise<string> {
  const { id } = await box.launch({
    ...{ results: 'out', command },
    ...{ evidence: ['*.json'], scratch: ['cache*'] },
  });
  return id;
}

function told(): BoxBehind | null {
  const opened = value(box.hub.open(1, 'behind', ''));
  box.hub.close(1, opened.subscription);
  return (opened.state as ByBox<BoxBehind>).boxes[BOX.id] ?? null;
}

const sum = (): BehindSum | null => {
  const known = told();
  return known === null ? null : sumBehind(known);
};
const until = (expected: Partial<BehindSum>) =>
  vi.waitFor(() => expect(sum()).toMatchObject(expected), { interval: 50 });

async function bringHome(id: string): Promise<RunProof> {
  const plan = value(await pulls.plan(BOX.id, id));
  if (plan === null) throw new Error('cancelled');
  return value(await pulls.pull(BOX.id, plan.plan));
}

describe.skipIf(!hasSshd)('how far this computer is behind a box', () => {
  it('is what its runs have left there and no pull has proven to be here', async () => {
    leave('metrics.json', 2);
    mkdirSync(out('checkpoint-100'));
    leave('checkpoint-100/model.safetensors', 5_000_000);
    leave('checkpoint-100/optimizer.pt', 1000);
    leave('cache.bin', 70);
    expect(told()).toBeNull();
    const id = await launched();
    await box.until(id, 'done');
    await until({
      files: 3,
      bytes: 5_001_002,
      checkpoints: 1,
      unknownRuns: 0,
      takesMs: null,
    });
    expect(told()?.runs).toMatchObject([{ runId: id, problem: null, seen: { scratchBytes: 70 } }]);
    await bringHome(id);
    await until({ files: 0, bytes: 0, takesMs: 0 });
    expect(told()?.rate?.bytesPerS).toBeGreaterThan(0);
    // What was proven counts in the next life of the app, and so does the rate.
    await close();
    open();
    expect(told()).toBeNull();
    await box.look(id);
    await until({ files: 0, bytes: 0, takesMs: 0 });
    // A folder that is gone from this computer has nothing any more.
    renameSync(home, `${home}-away`);
    await close();
    open();
    await box.look(id);
    await until({ files: 3, bytes: 5_001_002 });
    renameSync(`${home}-away`, home);
  });

  it('is not known of a run that names no results, or whose folder is not there', async () => {
    await box.until((await box.launch({ command: 'true' })).id, 'done');
    await until({ unknownRuns: 1, atMs: null });
    const { id } = await box.launch({ results: 'nowhere', command: 'true' });
    await box.until(id, 'done');
    await until({ unknownRuns: 2, atMs: null });
    // It is not known before it was looked at, either.
    await vi.waitFor(() =>
      expect(told()?.runs).toMatchObject([
        { seen: null, problem: expect.stringMatching(/not exist/) },
        { seen: null, problem: expect.stringMatching(/where it saves is not known/) },
      ]),
    );
  });

  it('is not known of each run whose folder does not tell where it works', async () => {
    const ids: string[] = [];
    for (const name of ['out', null]) {
      const { id } = await box.launch({ results: name, command: 'true' });
      await box.until(id, 'done');
      ids.push(id);
    }
    await until({ unknownRuns: 1 });
    for (const id of ids) rmSync(box.place(id, 'about'));
    await close();
    open();
    await box.watch.look(BOX.id);
    await vi.waitFor(() =>
      expect(told()?.runs).toMatchObject(
        ids.map(() => ({ seen: null, problem: expect.stringMatching(/where this run works/) })),
      ),
    );
    expect(sum()).toMatchObject({ unknownRuns: 2, atMs: null });
  });

  it('of runs that name no results is at least what was written where they work since the first of them began, which is brought home', async () => {
    const first = await box.launch({ command: 'printf 12345 >a.pt' });
    await box.until(first.id, 'done');
    const second = await box.launch({ command: 'printf 123 >b.pt' });
    await box.until(second.id, 'done');
    await until({ files: 2, bytes: 8, unknownRuns: 1 });
    const [shared, ...others] = told()?.runs ?? [];
    expect(others).toEqual([]);
    expect(shared?.problem).toMatch(/outside of where it works is not known/);
    // Of two that began within one second either may count as the first.
    expect([first.id, second.id]).toContain(shared?.runId);
    await bringHome(shared?.runId ?? '');
    await until({ files: 0, bytes: 0 });
    // They may have saved elsewhere, too: what is here is never told as all of it.
    expect(sum()).toMatchObject({ unknownRuns: 1 });
    expect(judgeTimeToSave(told(), 3_600_000)).toMatchObject({ kind: 'unknown' });
    expect(readdirSync(home).sort()).toEqual(['a.pt', 'b.pt']);
  });

  it('is looked at again when a run ends, and not for each look at the runs before', async () => {
    const asked = vi.spyOn(onboxScripts, 'stream');
    const lists = () => asked.mock.calls.filter(([, script]) => script === 'run-results.sh').length;
    const id = await launched('until [ -e go ]; do sleep 0.05; done; echo 1 > out/late.json');
    await until({ files: 0, unknownRuns: 0 });
    for (let i = 0; i < 5; i += 1) await box.look(id);
    expect(lists()).toBe(1);
    writeFileSync(join(box.home, 'work', 'go'), '');
    await box.until(id, 'done');
    await until({ files: 1, bytes: 2 });
    expect(lists()).toBe(2);
    asked.mockRestore();
  });

  it('follows what a person says of keeping at the next look at the runs', async () => {
    leave('raw.bin', 70);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 1, bytes: 70 });
    rules = [{ pattern: 'raw.*', keep: 'scratch', from: 'person' }];
    await box.look(id);
    await until({ files: 0, bytes: 0 });
    expect(told()?.runs).toMatchObject([{ seen: { scratchBytes: 70 } }]);
  });

  it('is the same after the clock here was set: files are told apart by their own box’s clock', async () => {
    leave('metrics.json', 2);
    leave('model.bin', 5_000_000);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 2 });
    await bringHome(id);
    await until({ files: 0 });
    await close();
    const now = Date.now;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    try {
      open();
      await box.look(id);
      await until({ files: 0, unknownRuns: 0 });
    } finally {
      clock.mockRestore();
    }
  });

  it('counts what is not here any more as it was proven: deleted, shortened, written to', async () => {
    for (const name of ['deleted', 'shortened', 'written', 'still']) leave(`${name}.bin`, 100);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 4 });
    await bringHome(id);
    await until({ files: 0, bytes: 0 });
    rmSync(join(home, 'deleted.bin'));
    truncateSync(join(home, 'shortened.bin'), 99);
    writeFileSync(join(home, 'written.bin'), Buffer.alloc(100, 1));
    await close();
    open();
    await box.look(id);
    await until({ files: 3, bytes: 300 });
  });

  it('does not call a folder home in which nothing is left of what came from it, as of a disk that is not mounted', async () => {
    leave('metrics.json', 2);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 1 });
    await bringHome(id);
    await until({ files: 0, unknownRuns: 0 });
    rmSync(out('metrics.json'));
    await close();
    open();
    await box.look(id);
    await vi.waitFor(() => expect(told()?.runs).toMatchObject([{ problem: VANISHED }]));
  });

  it('counts what was written anew on the box with its size and its time kept', async () => {
    leave('metrics.json', 2);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 1 });
    await bringHome(id);
    await until({ files: 0 });
    const { atime, mtime } = statSync(out('metrics.json'));
    writeFileSync(out('metrics.json'), '[]');
    utimesSync(out('metrics.json'), atime, mtime);
    await close();
    open();
    await box.look(id);
    await until({ files: 1, bytes: 2 });
  });

  it('counts a folder that a person has named like what a run leaves, over a restart of the app', async () => {
    const named = join(box.home, 'elsewhere');
    mkdirSync(named);
    writeFileSync(join(named, 'model.bin'), Buffer.alloc(7));
    expect(await folders.add(BOX.id, 'elsewhere')).toMatchObject({ error: { code: 'bad-input' } });
    expect(await folders.add(BOX.id, '/')).toMatchObject({ ok: false });
    expect(await folders.add(BOX.id, `${named}/none`)).toMatchObject({ ok: false });
    const { id, folder } = value(await folders.add(BOX.id, '~/elsewhere/'));
    expect(folder).toBe(named);
    await box.watch.look(BOX.id);
    await until({ files: 1, bytes: 7 });
    await close();
    open();
    await box.watch.look(BOX.id);
    await until({ files: 1, bytes: 7 });
    const proof = await bringHome(id);
    expect(proof.report).toMatchObject({ runId: id, runName: named, from: named });
    expect(proof.report.files).toMatchObject([{ path: 'model.bin', mark: 'equal' }]);
    await until({ files: 0, unknownRuns: 0 });
    value(folders.remove(BOX.id, id));
    expect(told()?.runs).toEqual([]);
    expect(folders.root(BOX.id, id)).toBeNull();
  });

  it('is the least that it can be where the disk of the box does not tell each writing', async () => {
    leave('metrics.json', 2);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 1, unknownRuns: 0 });
    await bringHome(id);
    await until({ files: 0, unknownRuns: 0 });
    await close();
    const stream = onboxScripts.stream.bind(onboxScripts);
    const untold = vi.spyOn(onboxScripts, 'stream').mockImplementation(async (...asked) => {
      const ran = await stream(...asked);
      // As over a network: the rest of the answer is the same.
      if (asked[1] !== 'run-results.sh' || !ran.ok) return ran;
      const text = String(ran.value.value).replace(/^(\S+ folder \d+) yes /m, '$1 no ');
      return { ...ran, value: { ...ran.value, value: Buffer.from(text) } };
    });
    try {
      open();
      await box.look(id);
      await vi.waitFor(() => expect(told()?.runs[0]?.seen).toMatchObject({ files: 0 }));
      expect(sum()).toMatchObject({ files: 0, unknownRuns: 1 });
    } finally {
      untold.mockRestore();
    }
  });

  it('is forgotten with the box, and stays as it was told while the connection is down', async () => {
    leave('metrics.json', 2);
    const id = await launched();
    await box.until(id, 'done');
    await until({ files: 1 });
    await box.hangUp();
    expect(sum()).toMatchObject({ files: 1 });
    box.roster.remove(BOX.id);
    expect(told()).toBeNull();
  });
});
