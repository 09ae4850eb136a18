import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { ByBox } from '../../shared/streams/meter-stream.ts';
import type { PullPlan, PullProgress, RunProof } from '../../shared/transfer/pull.ts';
import { holdTarget } from './hold-target.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { setSpecimen } from '../verify/sets/sets.fixture.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { BoxPulls } from './box-pulls.ts';
import { Pace } from './pace.ts';

const MIB = 1024 * 1024;
const SPECIMENS = new URL('../verify/specimens/', import.meta.url);

let box: RunBox;
let home: string;
let database: Database;
let workers: Workers;
let pulls: BoxPulls;
beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pulled-'));
  box = new RunBox();
  await box.open();
  database = openTemporaryDatabase();
  workers = new Workers(sourceWorker);
  mkdirSync(out());
  open(home);
});
afterEach(async () => {
  pulls.close();
  workers.close();
  database.close();
  await box.close();
  rmSync(home, { recursive: true, force: true });
});

function open(
  folder: string,
  rate: () => number | null = () => null,
  onProblem = (found: Problem): void => {
    throw new Error(found.message);
  },
): void {
  pulls = new BoxPulls({
    ...{
      hub: box.hub,
      roster: box.roster,
      watch: box.watch,
      scripts: onboxScripts,
      workers,
    },
    manifests: manifestsBelow(box.home, workers),
    targets: join(box.home, '.targets'),
    profileOf: () => null,
    keepRules: () => [{ pattern: 'samples/', keep: 'scratch', from: 'box' }],
    folders: { root: () => null },
    evidence: database.evidence,
    entries: box.entries,
    onProblem,
    chooseFolder: () => Promise.resolve(folder),
    pace: new Pace(rate),
    toldEveryMs: 0,
    retryWaitsMs: [],
  });
}

const out = (name = ''): string => join(box.home, 'work', 'out', name);
const here = (name: string): string => join(home, name);
const leave = (name: string, bytes: string | Uint8Array): void => writeFileSync(out(name), bytes);

async function planOf(id: string): Promise<PullPlan> {
  const plan = value(await pulls.plan(BOX.id, id));
  if (plan === null) throw new Error('cancelled');
  return plan;
}

const marks = ({ report }: RunProof) =>
  Object.fromEntries(report.files.map(({ path, mark, level }) => [path, `${mark}, ${level}`]));

function toldNow(): PullProgress | null {
  const opened = value(box.hub.open(1, 'pulls', ''));
  box.hub.close(1, opened.subscription);
  return (opened.state as ByBox<PullProgress>).boxes[BOX.id] ?? null;
}

let clients = 1;
function onProgress(listener: (progress: PullProgress) => void): void {
  clients += 1;
  box.hub.addClient(clients, ({ deltas }) => {
    for (const { value: progress } of deltas as readonly {
      value: PullProgress | null;
    }[]) {
      if (progress !== null) listener(progress);
    }
  });
  value(box.hub.open(clients, 'pulls', ''));
}

describe.skipIf(!hasSshd)('results', () => {
  it('are for what the rules of their box say, and the plan names the rule', async () => {
    mkdirSync(out('samples'));
    leave('samples/a.txt', 'a');
    leave('metrics.json', '{}');
    leave('notes.txt', 'n');
    const { files } = await planOf(await box.past());
    expect(Object.fromEntries(files.map(({ path, keep, rule }) => [path, [keep, rule]]))).toEqual({
      'metrics.json': ['evidence', { pattern: 'metrics*.json', from: 'usual' }],
      'notes.txt': ['unknown', undefined],
      'samples/a.txt': ['scratch', { pattern: 'samples/', from: 'box' }],
    });
  });

  it('come home, each proven as far as it can be, and that is kept as evidence (U33)', async () => {
    for (const name of [
      'arrays/safetensors-0.8.0--plain.safetensors',
      'arrays/safetensors-0.8.0--not-finite.safetensors',
      'arrays/numpy-2.4.6--objects.npy',
      'texts/python--metrics.json',
    ]) {
      copyFileSync(new URL(name, SPECIMENS), out(basename(name)));
    }
    const whole = readFileSync(new URL('arrays/safetensors-0.8.0--plain.safetensors', SPECIMENS));
    leave('cut.safetensors', whole.subarray(0, -1));
    leave('notes.bin', 'what only its hash is known of');
    mkdirSync(out('a b/ü'), { recursive: true });
    leave('a b/ü/-x "quoted".jsonl', '{"step":1}\n');
    leave('two\nlines', '?');
    leave('empty.bin', '');
    const id = await box.past();
    const plan = await planOf(id);
    expect(plan.files.filter(({ refused }) => refused !== null)).toMatchObject([
      { path: 'two\nlines', refused: 'Its name has control characters in it.' },
    ]);
    const proof = value(await pulls.pull(BOX.id, plan.plan));
    expect(marks(proof)).toEqual({
      'a b/ü/-x "quoted".jsonl': 'equal, loaded',
      'cut.safetensors': 'equal, hashed',
      'empty.bin': 'equal, hashed',
      'notes.bin': 'equal, hashed',
      'numpy-2.4.6--objects.npy': 'equal, hashed',
      'python--metrics.json': 'equal, loaded',
      'safetensors-0.8.0--not-finite.safetensors': 'equal, loaded',
      'safetensors-0.8.0--plain.safetensors': 'equal, loaded',
      'two\nlines': 'missing-here, listed',
    });
    const found = (path: string) => proof.report.files.find((file) => file.path === path)?.loaded;
    expect(found('cut.safetensors')).toMatchObject({ kind: 'damaged' });
    expect(found('numpy-2.4.6--objects.npy')).toMatchObject({
      kind: 'not-loadable',
    });
    expect(found('notes.bin')).toEqual({ kind: 'no-reader' });
    expect(found('safetensors-0.8.0--not-finite.safetensors')).toMatchObject({
      numbers: { nonFinite: 5 },
    });
    expect(readFileSync(here('a b/ü/-x "quoted".jsonl'), 'utf8')).toBe('{"step":1}\n');
    expect(readFileSync(here('cut.safetensors'))).toEqual(whole.subarray(0, -1));
    expect(readdirSync(home).filter((name) => name.includes('leasehold'))).toEqual([]);
    expect(value(await pulls.proof(BOX.id, id))).toEqual(proof);
    expect(await database.evidence.check()).toEqual({
      ok: true,
      value: { count: 1, fault: null },
    });
  });

  it.skipIf(process.platform === 'darwin')(
    'with names that are no UTF-8 are told apart, refused by name and counted',
    async () => {
      const other = (name: string): Buffer => Buffer.from(out(name), 'latin1');
      for (const name of ['Gr\xf6\xdfe.pt', 'Gr\xe4\xdfe.pt']) writeFileSync(other(name), name);
      leave('a.json', '{}');
      const plan = await planOf(await box.past());
      const [first, second] = ['Gr\u{fffd}e4\u{fffd}dfe.pt', 'Gr\u{fffd}f6\u{fffd}dfe.pt'];
      const refused = expect.stringMatching(/^Its name is not UTF-8: /) as string;
      expect(plan.files.filter((file) => file.refused !== null)).toMatchObject([
        { path: first, refused },
        { path: second, refused },
      ]);
      const proof = value(await pulls.pull(BOX.id, plan.plan));
      expect(marks(proof)).toEqual({
        'a.json': 'equal, loaded',
        [first]: 'missing-here, listed',
        [second]: 'missing-here, listed',
      });
      expect(readdirSync(home)).toEqual(['a.json']);
    },
  );

  it('stay on the box where they are left there, with the reason, and nothing else can be left', async () => {
    leave('a.json', '{}');
    leave('cache.bin', 'made again in a minute');
    const id = await box.past();
    const { plan } = await planOf(id);
    const foreign = await pulls.pull(BOX.id, plan, [{ because: 'x', paths: ['../b.json'] }]);
    expect(foreign).toMatchObject({
      ok: false,
      error: { code: 'results-not-pulled' },
    });
    const left = [{ because: 'scratch', paths: ['cache.bin'] }];
    const proof = value(await pulls.pull(BOX.id, plan, left));
    expect(marks(proof)).toEqual({
      'a.json': 'equal, loaded',
      'cache.bin': 'missing-here, listed',
    });
    expect(proof.report.files[1]).toMatchObject({ left: 'scratch' });
    expect(readdirSync(home)).toEqual(['a.json']);
    expect(value(await pulls.proof(BOX.id, id))).toEqual(proof);
  });

  it('that belong together are proven together, and a part that is missing is told', async () => {
    cpSync(setSpecimen('huggingface_hub-2.4.0--safetensors'), out('model'), {
      recursive: true,
    });
    const id = await box.past();
    const path = 'model/model.safetensors.index.json';
    const set = { kind: 'sharded-checkpoint', path };
    const pull = async () => value(await pulls.pull(BOX.id, (await planOf(id)).plan));
    const whole = await pull();
    expect(whole.report.sets).toEqual([{ ...set, state: 'whole', says: '3 parts, 8 tensors' }]);
    const part = 'model/model-00002-of-00003.safetensors';
    rmSync(out(part));
    rmSync(here(part));
    const { report } = await pull();
    expect(report.files.map(({ mark }) => mark)).not.toContain('missing-here');
    expect(report.sets).toMatchObject([{ ...set, state: 'damaged' }]);
  });

  it('go on after the link was cut, and what has arrived is not sent twice', async () => {
    const bytes = randomBytes(64 * MIB);
    leave('model.bin', bytes);
    leave('small.json', '{}');
    const id = await box.past();
    const plan = await planOf(id);
    let isCut = false;
    onProgress(({ doneBytes }) => {
      if (isCut || doneBytes < 8 * MIB) return;
      isCut = true;
      box.proxy.cut();
    });
    const cut = await pulls.pull(BOX.id, plan.plan);
    expect(cut).toMatchObject({ ok: false, error: { code: 'link-lost' } });
    expect(existsSync(here('model.bin'))).toBe(false);
    expect(value(await pulls.proof(BOX.id, id))).toBeNull();
    await box.hangUp();
    await box.connect();
    const again = await planOf(id);
    // What is here is no reason to say that the rest does not fit.
    expect(again.bytes).toBe(64 * MIB + 2);
    expect(again.missingBytes).toBeLessThan(57 * MIB);
    expect(again.files).toMatchObject([
      { path: 'model.bin', here: 'part' },
      {
        path: 'small.json',
        missingBytes: again.missingBytes - (again.files[0]?.missingBytes ?? 0),
      },
    ]);
    const seen: number[] = [];
    onProgress(({ stage, doneBytes }) => {
      if (stage === 'pulling') seen.push(doneBytes);
    });
    expect(marks(value(await pulls.pull(BOX.id, again.plan)))).toEqual({
      'model.bin': 'equal, hashed',
      'small.json': 'equal, loaded',
    });
    // What is told comes a moment after it was done.
    await vi.waitFor(() => expect(seen.find((each) => each > 100)).toBeGreaterThanOrEqual(7 * MIB));
    expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
  });

  it('keep to a rate, and what is paused goes on where it was, also after a restart', async () => {
    const bytes = randomBytes(24 * MIB);
    leave('model.bin', bytes);
    leave('cache.bin', 'scratch');
    const id = await box.past();
    pulls.close();
    // No faster than it would be paused, however slow this machine is.
    let rate: number | null = 4 * MIB;
    open(home, () => rate);
    const plan = await planOf(id);
    const left = [{ because: 'nobody needs it', paths: ['cache.bin'] }];
    onProgress((progress) => {
      if (progress.stage === 'pulling' && progress.doneBytes > 2 * MIB) {
        value(pulls.pause(BOX.id));
      }
    });
    const paused = await pulls.pull(BOX.id, plan.plan, left);
    expect(paused).toMatchObject({ ok: false, error: { code: 'aborted' } });
    const isPaused = { stage: 'paused', runId: id, files: 1 };
    expect(toldNow()).toMatchObject(isPaused);
    const arrived = statSync(here('model.bin.leasehold-part')).size;
    expect(arrived).toBeGreaterThanOrEqual(MIB);
    expect(arrived).toBeLessThan(24 * MIB);
    pulls.close();
    open(home, () => rate);
    expect(toldNow()).toMatchObject(isPaused);
    const recalled = (await planOf(id)).plan;
    expect(await pulls.pull(BOX.id, recalled)).toMatchObject({ ok: false });
    rate = null;
    const seen: PullProgress[] = [];
    onProgress((progress) => seen.push(progress));
    expect(pulls.isBusy(BOX.id)).toBe(true);
    const proof = value(await pulls.resume(BOX.id));
    expect(marks(proof)).toEqual({
      'cache.bin': 'missing-here, listed',
      'model.bin': 'equal, hashed',
    });
    const first = seen.find(({ doneBytes }) => doneBytes > 0);
    expect(first?.doneBytes).toBeGreaterThanOrEqual(arrived);
    expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
    expect(pulls.isBusy(BOX.id)).toBe(false);
  });

  it('go on by themselves after the app was ended in the middle, in any way, and only once (GEN3, U12)', async () => {
    const bytes = randomBytes(24 * MIB);
    leave('model.bin', bytes);
    leave('cache.bin', 'scratch');
    const id = await box.past();
    pulls.close();
    let rate: number | null = 4 * MIB;
    open(home, () => rate);
    const { plan } = await planOf(id);
    const left = [{ because: 'nobody needs it', paths: ['cache.bin'] }];
    let isKept = false;
    onProgress(({ stage, doneBytes }) => {
      if (isKept || stage !== 'pulling' || doneBytes <= 2 * MIB) return;
      isKept = true;
      // What a crash leaves: the entry as it stands while the pull is under way, and the part.
      killed = box.entries.read(BOX.id, 'paused-pull');
      pulls.close();
    });
    let killed: Result<unknown, Problem> = ok(null);
    expect(await pulls.pull(BOX.id, plan, left)).toMatchObject({ ok: false });
    expect(value(killed)).toMatchObject({ runId: id, to: home, left, isUnderWay: true });
    const arrived = statSync(here('model.bin.leasehold-part')).size;
    expect(arrived).toBeLessThan(24 * MIB);
    for (const wasKilled of [true, false]) {
      if (wasKilled) value(box.entries.write(BOX.id, 'paused-pull', value(killed)));
      rate = wasKilled ? 1 : null;
      open(home, () => rate);
      expect(toldNow()).toMatchObject({ stage: 'cut-off', runId: id, files: 1 });
      expect(pulls.isBusy(BOX.id)).toBe(true);
      const ended = new Promise<RunProof>((resolve) => {
        pulls.pulled.follow(({ value: { proof } }) => resolve(proof));
      });
      await box.look(id);
      await vi.waitFor(() => expect(toldNow()?.stage).toBe('pulling'));
      if (wasKilled) {
        pulls.close();
        continue;
      }
      expect(marks(await ended)).toEqual({
        'cache.bin': 'missing-here, listed',
        'model.bin': 'equal, hashed',
      });
    }
    expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
    await vi.waitFor(() => expect(toldNow()).toBeNull());
    pulls.close();
    open(home);
    expect(toldNow()).toBeNull();
    expect(pulls.isBusy(BOX.id)).toBe(false);
  });

  it.skipIf(whyNoSmallDisk !== null)(
    'do not go on by themselves into what a disk was mounted over, nor onto another disk',
    () =>
      withSmallDisk(32 * 1024, async (disk) => {
        const bytes = randomBytes(12 * MIB);
        leave('model.bin', bytes);
        const id = await box.past();
        pulls.close();
        mkdirSync(here('results'));
        mkdirSync(join(disk.folder, 'results'));
        const mount = (): void => void execFileSync('mount', ['--bind', disk.folder, home]);
        mount();
        try {
          open(here('results'), () => 4 * MIB);
          const { plan } = await planOf(id);
          onProgress(({ stage, doneBytes }) => {
            if (stage === 'pulling' && doneBytes > 2 * MIB) pulls.close();
          });
          expect(await pulls.pull(BOX.id, plan)).toMatchObject({ ok: false });
          execFileSync('umount', ['--lazy', home]);
          const because = expect.stringContaining('its disk may not be mounted') as string;
          const found: string[] = [];
          open(here('results'), undefined, ({ message }) => found.push(message));
          expect(toldNow()).toMatchObject({ stage: 'cut-off' });
          await box.look(id);
          await vi.waitFor(() => expect(toldNow()).toMatchObject({ stage: 'paused', because }));
          expect(found).toEqual([because]);
          expect(await pulls.resume(BOX.id)).toMatchObject({ error: { message: because } });
          expect(readdirSync(here('results'))).toEqual([]);
          mount();
          const proof = value(await pulls.resume(BOX.id));
          expect(marks(proof)).toEqual({ 'model.bin': 'equal, hashed' });
          expect(readFileSync(here('results/model.bin')).equals(bytes)).toBe(true);
        } finally {
          // Also what a failed test has left.
          spawnSync('umount', ['--lazy', home]);
        }
      }),
  );

  it('that went on by themselves and lost the link go on by themselves again', async () => {
    leave('model.bin', randomBytes(24 * MIB));
    const id = await box.past();
    pulls.close();
    let rate: number | null = 4 * MIB;
    open(home, () => rate);
    const { plan } = await planOf(id);
    const onceHalf = (act: () => void): void => {
      let isDone = false;
      onProgress(({ stage, doneBytes }) => {
        if (isDone || stage !== 'pulling' || doneBytes <= 2 * MIB) return;
        isDone = true;
        act();
      });
    };
    onceHalf(() => pulls.close());
    expect(await pulls.pull(BOX.id, plan)).toMatchObject({ ok: false });
    open(home, () => rate);
    const wasCut = new Promise<void>((resolve) => {
      onceHalf(() => {
        box.proxy.cut();
        resolve();
      });
    });
    await box.look(id);
    await wasCut;
    await vi.waitFor(() => expect(toldNow()?.stage).toBe('cut-off'));
    await box.hangUp();
    await box.connect();
    rate = null;
    const ended = new Promise<RunProof>((resolve) => {
      pulls.pulled.follow(({ value: { proof } }) => resolve(proof));
    });
    await box.look(id);
    expect(marks(await ended)).toEqual({ 'model.bin': 'equal, hashed' });
    await vi.waitFor(() => expect(toldNow()).toBeNull());
  });

  it('that cannot go on by themselves wait for a person', async () => {
    leave('model.bin', randomBytes(MIB));
    const id = await box.past();
    const { plan } = await planOf(id);
    onProgress(() => pulls.close());
    expect(await pulls.pull(BOX.id, plan)).toMatchObject({ ok: false });
    rmSync(out(), { recursive: true });
    const problems: Problem[] = [];
    open(
      home,
      () => null,
      (found) => problems.push(found),
    );
    await box.look(id);
    await vi.waitFor(() => expect(toldNow()?.stage).toBe('paused'));
    expect(problems).toMatchObject([{ code: 'results-not-there' }]);
    await box.look(id);
    expect(problems).toHaveLength(1);
    value(pulls.stop(BOX.id));
    expect(toldNow()).toBeNull();
  });

  it('stop when they are stopped, and nothing half stands under its name', async () => {
    leave('model.bin', randomBytes(64 * MIB));
    const id = await box.past();
    const plan = await planOf(id);
    onProgress(({ doneBytes }) => {
      if (doneBytes > 0) pulls.stop(BOX.id);
    });
    const stopped = await pulls.pull(BOX.id, plan.plan);
    expect(stopped).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(existsSync(here('model.bin'))).toBe(false);
    expect(value(await pulls.proof(BOX.id, id))).toBeNull();
  });

  it('never take the place of another file, and leave through no link', async () => {
    leave('same.json', '{"a":1}');
    leave('other.json', '{"a":2}');
    mkdirSync(out('sub'));
    leave('sub/x.json', '{}');
    writeFileSync(here('same.json'), '{"a":1}');
    writeFileSync(here('other.json'), 'mine');
    symlinkSync('same.json', out('link.json'));
    execFileSync('mkfifo', [out('pipe')]);
    const id = await box.past();
    const elsewhere = mkdtempSync(join(tmpdir(), 'leasehold-elsewhere-'));
    symlinkSync(elsewhere, here('sub'));
    const refused = await pulls.pull(BOX.id, (await planOf(id)).plan);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'results-not-pulled' },
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(here('sub'));
    rmSync(elsewhere, { recursive: true });
    const plan = await planOf(id);
    expect(plan.files.map(({ path, here, missingBytes }) => [path, here, missingBytes])).toEqual([
      ['other.json', 'in-the-way', 0],
      ['same.json', 'whole', 0],
      ['sub/x.json', 'nothing', 2],
      ['link.json', 'nothing', 0],
      ['pipe', 'nothing', 0],
    ]);
    const proof = value(await pulls.pull(BOX.id, plan.plan));
    // Listed and refused is what they stay, also by the second look.
    expect(
      proof.report.files.flatMap(({ path, says }) => (says === null ? [] : [[path, says]])),
    ).toEqual([
      ['other.json', 'Another file stands here under its name. It was left as it is.'],
      ['link.json', 'It is a link, which may lead anywhere and is not followed.'],
      ['pipe', 'It is no plain file: a pipe, a socket or a device.'],
    ]);
    expect(marks(proof)).toEqual({
      'link.json': 'missing-here, listed',
      pipe: 'missing-here, listed',
      'same.json': 'equal, loaded',
      'other.json': 'differs, listed',
      'sub/x.json': 'equal, loaded',
    });
    expect(readFileSync(here('other.json'), 'utf8')).toBe('mine');
  });

  it.skipIf(whyNoSmallDisk !== null)('say how much is missing when the disk here is full', () =>
    withSmallDisk(512, async ({ folder }) => {
      leave('model.bin', randomBytes(2 * MIB));
      const id = await box.past();
      pulls.close();
      open(folder);
      const plan = await planOf(id);
      expect(plan.freeBytes).toBeLessThan(plan.bytes);
      const full = await pulls.pull(BOX.id, plan.plan);
      expect(full).toMatchObject({ ok: false, error: { code: 'disk-full' } });
      expect(existsSync(join(folder, 'model.bin'))).toBe(false);
    }),
  );

  it('wait for another pull into that folder where they were cut off, and go on by themselves after it', async () => {
    leave('a.json', '{}');
    const id = await box.past();
    pulls.close();
    const none = { doneFiles: 0, doneBytes: 0, hashedFiles: 0, hashedBytes: 0 };
    const cutOff = { runId: id, to: home, left: [], files: 1, bytes: 2, ...none };
    value(box.entries.write(BOX.id, 'paused-pull', { ...cutOff, isUnderWay: true }));
    const release = value(await holdTarget(join(box.home, '.targets'), home));
    open(home);
    const stages: string[] = [];
    onProgress(({ stage }) => stages.push(stage));
    await box.look(id);
    await vi.waitFor(() => {
      expect(stages).toContain('paused');
      expect(toldNow()?.stage).toBe('cut-off');
    });
    release();
    const ended = new Promise<RunProof>((resolve) => {
      pulls.pulled.follow(({ value: { proof } }) => resolve(proof));
    });
    await box.look(id);
    expect(marks(await ended)).toEqual({ 'a.json': 'equal, loaded' });
  });

  it('are paused where another pull is bringing results into that folder, and go on after it', async () => {
    leave('a.json', '{}');
    const id = await box.past();
    const release = value(await holdTarget(join(box.home, '.targets'), home));
    const { plan } = await planOf(id);
    expect(await pulls.pull(BOX.id, plan)).toMatchObject({ error: { code: 'target-taken' } });
    const because = `Another pull is bringing results into ${home} or a folder in it.`;
    expect(toldNow()).toMatchObject({ stage: 'paused', because });
    expect(await pulls.resume(BOX.id)).toMatchObject({ error: { code: 'target-taken' } });
    expect(toldNow()).toMatchObject({ stage: 'paused', because });
    release();
    expect(marks(value(await pulls.resume(BOX.id)))).toEqual({ 'a.json': 'equal, loaded' });
    expect(toldNow()).toBeNull();
  });

  it.skipIf(whyNoSmallDisk !== null)(
    'are paused where the disk here fills up midway, and go on once there is room, also after a restart',
    () =>
      withSmallDisk(32 * 1024, async ({ folder, fill, free }) => {
        const bytes = randomBytes(12 * MIB);
        leave('model.bin', bytes);
        const small = Array.from({ length: 40 }, (_, no) => `part-${String(no)}.json`);
        for (const name of small) leave(name, JSON.stringify({ name, pad: 'x'.repeat(20_000) }));
        const id = await box.past();
        pulls.close();
        open(folder, () => 8 * MIB);
        const { plan, freeBytes, missingBytes } = await planOf(id);
        expect(freeBytes).toBeGreaterThan(missingBytes);
        let isFilled = false;
        onProgress(({ stage, doneBytes }) => {
          if (isFilled || stage !== 'pulling' || doneBytes < 4 * MIB) return;
          isFilled = true;
          fill(2 * MIB);
        });
        const full = await pulls.pull(BOX.id, plan);
        const message = expect.stringMatching(/is full: \d+\.\d MB are missing, with /) as string;
        expect(full).toMatchObject({ ok: false, error: { code: 'disk-full', message } });
        expect(toldNow()).toMatchObject({ stage: 'paused', runId: id, because: message });
        const part = join(folder, 'model.bin.leasehold-part');
        const arrived = statSync(part).size;
        expect(arrived).toBeGreaterThanOrEqual(2 * MIB);
        expect(existsSync(join(folder, 'model.bin'))).toBe(false);
        expect(value(await pulls.proof(BOX.id, id))).toBeNull();
        pulls.close();
        open(folder);
        expect(toldNow()).toMatchObject({ stage: 'paused', because: message });
        // Nothing more is written while it does not fit.
        fill(MIB);
        expect(await pulls.resume(BOX.id)).toMatchObject({ error: { code: 'disk-full', message } });
        expect(statSync(part).size).toBe(arrived);
        expect(toldNow()).toMatchObject({ stage: 'paused', because: message });
        free();
        const proof = value(await pulls.resume(BOX.id));
        expect(proof.report.files.filter(({ mark }) => mark !== 'equal')).toEqual([]);
        expect(readFileSync(join(folder, 'model.bin')).equals(bytes)).toBe(true);
        expect(readdirSync(folder).sort()).toEqual(['model.bin', ...small].sort());
        expect(toldNow()).toBeNull();
      }),
  );

  it('are planned only where there are any, and not at all when nobody names a folder', async () => {
    const id = await box.past();
    expect(await pulls.plan(BOX.id, id)).toMatchObject({
      error: {
        code: 'results-not-pulled',
        message:
          'The results folder is empty. If files were in it before, the disk that it lies on may not be mounted.',
      },
    });
    pulls.close();
    pulls = new BoxPulls({
      ...{
        hub: box.hub,
        roster: box.roster,
        watch: box.watch,
        scripts: onboxScripts,
        workers,
      },
      manifests: manifestsBelow(box.home, workers),
      targets: join(box.home, '.targets'),
      profileOf: () => null,
      folders: { root: () => null },
      evidence: database.evidence,
      entries: box.entries,
      onProblem: () => undefined,
      chooseFolder: () => Promise.resolve(null),
    });
    expect(await pulls.plan(BOX.id, id)).toEqual({ ok: true, value: null });
  });
});
