import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deletePass } from '../../shared/teardown/change-pass.fixture.ts';
import { planRefOf } from '../../shared/plan/plan.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { LaunchedRun, LaunchedRuns } from '../../shared/runs/launch/launched-run.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { value } from '../runs/run-box.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { BoxFiles } from '../ssh/box-files.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { whyNoSmallDisk, withSmallDisk } from '../storage/disk.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import type { EvidenceCheck } from '../../shared/evidence/chain.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import { hashesOf } from '../transfer/box-hashes.ts';
import { HomeCheck } from '../transfer/home-check.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { DragOuts } from './drag-outs.ts';
import { FileRemover } from './file-remover.ts';
import { FileSessions } from './file-sessions.ts';
import { FileTransfers } from './file-transfers.ts';
import type { RunsKnown } from './run-roots.ts';

const FAULT = { seq: 1, because: 'changed' } as const;
const BOX = 'b1';
const MIB = 1024 * 1024;

describe.skipIf(!hasSshd)('what is done with the files of a box', () => {
  let box: string;
  let home: string;
  let sshd: TestSshd;
  let proxy: TcpProxy;
  let connection: SshConnection;
  let sessions: FileSessions;
  let runs: LaunchedRuns;
  let proofs: Map<string, RunProof>;
  let workers: Workers;
  let chain: EvidenceCheck;
  let known: { -readonly [K in keyof RunsKnown]: RunsKnown[K] };
  let checks: string[][];
  let remover: FileRemover;
  let transfers: FileTransfers;
  let chosen: readonly string[] | null;
  let asked: string[][];
  let isApproved: boolean;
  beforeEach(async () => {
    box = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-box-'));
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-here-'));
    sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    proxy = await startTcpProxy(sshd.port);
    connection = value(
      await openConnection({
        address: { host: '127.0.0.1', port: proxy.port, user: sshd.user },
        credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
        judgeHostKey: () => 'accept',
        signal: new AbortController().signal,
      }),
    );
    const hub = new StreamHub();
    sessions = new FileSessions(new ReachedRoster(hub, () => connection));
    runs = { atMs: 1, runs: [], leftOut: 0, problem: null };
    proofs = new Map();
    workers = new Workers(sourceWorker);
    chain = { count: 1, fault: null };
    known = {
      folders: () => [],
      look: () => Promise.resolve(ok(runs)),
      proof: (_box, id) => Promise.resolve(ok(proofs.get(id) ?? null)),
      list: (_box, folder) =>
        listResults(connection, onboxScripts, { folder, results: folder }, { bounds: LONG_LIST }),
      hash: (_box, folder, paths) => hashesOf(connection, { scripts: onboxScripts, folder, paths }),
    };
    checks = [];
    const homeCheck = new HomeCheck(workers, { check: () => Promise.resolve(ok(chain)) });
    remover = new FileRemover(sessions, known, (id, copies) => {
      checks.push(copies.map(({ file }) => file.path));
      return transfers.readCopies(id, copies, (reading) => homeCheck.check(copies, reading));
    });
    chosen = null;
    asked = [];
    isApproved = true;
    transfers = new FileTransfers({
      ...{ hub, sessions },
      desktop: {
        chooseFolder: () => Promise.resolve(home),
        chooseFiles: () => Promise.resolve(chosen),
        takeDropped: () => chosen ?? [],
        approveUpload: (paths, to) => {
          asked.push([...paths, to]);
          return Promise.resolve(isApproved);
        },
      },
    });
  });
  afterEach(async () => {
    transfers.close();
    remover.close();
    sessions.close();
    workers.close();
    connection.close();
    await connection.closed;
    await proxy.stop();
    await sshd.stop();
    for (const folder of [box, home]) rmSync(folder, { recursive: true, force: true });
  });

  const at = (...names: string[]): string => join(box, ...names);
  const put = (name: string, content: string | Uint8Array = name): void => {
    mkdirSync(join(at(name), '..'), { recursive: true });
    writeFileSync(at(name), content);
  };

  async function deleted(...paths: string[]) {
    const plan = value(await remover.plan(BOX, paths));
    return {
      plan,
      done: value(await remover.delete(BOX, planRefOf(plan.plan), deletePass(plan.plan.digest))),
    };
  }

  const refusalOf = async (...paths: string[]): Promise<string> => {
    const plan = await remover.plan(BOX, paths);
    return plan.ok ? 'planned' : `${plan.error.code}: ${plan.error.message}`;
  };

  /** Of what was planned, once it is to be deleted. */
  async function lastRefusal(...paths: string[]): Promise<string> {
    const { plan } = value(await remover.plan(BOX, paths));
    const refused = await remover.delete(BOX, planRefOf(plan), deletePass(plan.digest));
    return refused.ok ? 'deleted' : refused.error.message;
  }

  /** A run that is over, with its results in `out`. */
  function aRun(more: Partial<LaunchedRun> = {}): LaunchedRun {
    mkdirSync(at('runs/r-1'), { recursive: true });
    return {
      ...{ id: 'r-1', name: 'base', command: 'x', folder: box, results: 'out', overridden: [] },
      ...{ place: at('runs/r-1'), detacher: 'tmux', launchedAtMs: 1, process: null, log: null },
      status: { kind: 'done', exitCode: 0, atMs: 1, lacksSuccessLine: false },
      ...more,
    };
  }

  /** That the files of `out` are here, as they are now. */
  async function prove(...names: string[]): Promise<void> {
    const list = value(await known.list(BOX, at('out')));
    const listed = new Map(list.files.map((file) => [file.path, file]));
    const files = names.map((path): PulledFile => {
      const bytes = readFileSync(at('out', path));
      const file = listed.get(path);
      if (file === undefined) throw new Error(`${path} was not listed`);
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return {
        ...{ ...file, keep: 'unknown', mark: 'equal' },
        ...{ level: 'hashed', sha256, loaded: null, says: null },
      };
    });
    const report = {
      runId: 'r-1',
      runName: 'base',
      from: at('out'),
      to: home,
      manifest: '',
      tellsWrites: true,
      files,
    };
    proofs.set('r-1', { atMs: 1, seq: 1, hash: '', report });
  }

  it('is deleting until that is stopped, and saying what is left', async () => {
    put('tree/a');
    put('tree/b');
    put('tree/c');
    const { plan } = value(await remover.plan(BOX, [at('tree')]));
    const stopper = new AbortController();
    const removes = vi.spyOn(BoxFiles.prototype, 'remove');
    removes.mockImplementationOnce(() => {
      stopper.abort();
      return Promise.resolve(err(problem('file-failed', 'It stayed.')));
    });
    const done = await remover.delete(
      ...([BOX, planRefOf(plan), deletePass(plan.digest), stopper.signal] as const),
    );
    expect([value(done).removed, removes.mock.calls.length]).toEqual([0, 1]);
    expect(value(done).left.at(-1)?.problem.message).toBe('Deleting was stopped.');
    removes.mockRestore();
    // Stopped before that, nothing is begun.
    const again = value(await remover.plan(BOX, [at('tree')])).plan;
    const refused = await remover.delete(
      ...([BOX, planRefOf(again), deletePass(again.digest), stopper.signal] as const),
    );
    expect(refused).toMatchObject({ error: { code: 'aborted' } });
    expect(existsSync(at('tree/a'))).toBe(true);
  });

  it('is deleting a tree to its last entry, links without what they lead to', async () => {
    put('kept/a');
    put('tree/deep/two\nlines');
    put('tree/b');
    symlinkSync('../kept', at('tree/link'));
    const { plan, done } = await deleted(at('tree'));
    expect(plan).toMatchObject({ files: 2, folders: 2, others: 1, bytes: 25 });
    expect(done).toEqual({ removed: 5, left: [] });
    expect(readdirSync(box)).toEqual(['kept']);
    expect(readFileSync(at('kept/a'), 'utf8')).toBe('kept/a');
  });

  it('is counting once what is chosen and lies in something else that is, as a search finds them', async () => {
    put('tree/inner/a');
    const { plan, done } = await deleted(at('tree/inner/a'), at('tree'), at('tree/inner'));
    expect(plan).toMatchObject({ chosen: [at('tree')], files: 1, folders: 2 });
    expect(done).toEqual({ removed: 3, left: [] });
  });

  it('is leaving what changed since it was shown, and what came to it', async () => {
    put('tree/changed');
    put('tree/gone');
    const plan = value(await remover.plan(BOX, [at('tree')]));
    put('tree/changed', 'something else');
    put('tree/new');
    const done = value(
      await remover.delete(BOX, planRefOf(plan.plan), deletePass(plan.plan.digest)),
    );
    expect(done.left.map(({ path, problem: { code } }) => [path, code])).toEqual([
      [at('tree/changed'), 'file-changed'],
      [at('tree'), 'file-failed'],
    ]);
    expect(readdirSync(at('tree')).sort()).toEqual(['changed', 'new']);
    expect(
      await remover.delete(BOX, planRefOf(plan.plan), deletePass(plan.plan.digest)),
    ).toMatchObject({
      error: { code: 'plan-gone' },
    });
  });

  it('is refused where results of a run are not proven, from inside, from above and through a link', async () => {
    put('out/model.pt');
    symlinkSync('out', at('latest'));
    runs = { ...runs, runs: [aRun()] };
    expect(await refusalOf(at('out/model.pt'))).toMatch(/never brought home/);
    expect(await refusalOf(at('latest/model.pt'))).toMatch(/never brought home/);
    expect(await refusalOf(box)).toMatch(/^file-not-deleted/);
    expect(await refusalOf(at('runs'))).toMatch(/keeps its log and how it ended/);
    await prove('model.pt');
    runs = { ...runs, runs: [aRun({ status: { kind: 'running' } })] };
    expect(await refusalOf(at('out'))).toMatch(/not over/);
    runs = { ...runs, runs: [aRun({ results: null })] };
    proofs.clear();
    expect(await refusalOf(at('out'))).toMatch(/never brought home/);
    expect(existsSync(at('out/model.pt'))).toBe(true);
  });

  it('is refused of a link that leads to results of a run, which nobody would find without it', async () => {
    put('disk/out/model.pt');
    mkdirSync(at('work'));
    symlinkSync(at('disk'), at('work/data'));
    symlinkSync(at('disk'), at('work/another'));
    runs = { ...runs, runs: [aRun({ results: 'work/data/out' })] };
    for (const path of ['work/data', 'work']) {
      expect(await refusalOf(at(path))).toMatch(
        /A link on the way to what the run “base” has left/,
      );
    }
    expect(await refusalOf(at('work/another'))).toBe('planned');
    expect(await refusalOf(at('disk/out/model.pt'))).toMatch(/never brought home/);
  });

  it('is possible where each result is here and proven, as it is now', async () => {
    put('out/model.pt');
    put('out/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('model.pt');
    expect(await refusalOf(at('out'))).toMatch(/“log\.txt” is a result of the run “base”/);
    await prove('model.pt', 'log.txt');
    const { atime, mtime } = lstatSync(at('out/log.txt'));
    put('out/log.txt', 'OUT/LOG.TXT');
    utimesSync(at('out/log.txt'), atime, mtime);
    expect(await refusalOf(at('out'))).toMatch(/log\.txt/);
    await prove('model.pt', 'log.txt');
    expect((await deleted(at('out'))).done).toEqual({ removed: 3, left: [] });
    expect(checks).toEqual([['log.txt', 'model.pt']]);
    expect(existsSync(at('out'))).toBe(false);
  });

  it('asks for the proof of the runs that it meets alone, and for the list of a folder that they share once', async () => {
    put('out/log.txt');
    put('other/log.txt');
    const second = { ...aRun({ id: 'r-2' }), place: at('runs/r-1') };
    runs = { ...runs, runs: [aRun(), second, aRun({ id: 'r-3', results: 'other' })] };
    await prove('log.txt');
    const proof = proofs.get('r-1');
    if (proof === undefined) throw new Error('nothing was proven');
    proofs.set('r-2', proof);
    const asked: string[] = [];
    const { proof: proofOf, list } = known;
    known.proof = (boxId, id) => {
      asked.push(id);
      return proofOf(boxId, id);
    };
    known.list = (boxId, folder) => {
      asked.push(basename(folder));
      return list(boxId, folder);
    };
    value(await remover.plan(BOX, [at('out')]));
    expect(asked).toEqual(['r-1', 'out', 'r-2']);
  });

  it.each([
    ['gone', () => rmSync(join(home, 'log.txt')), /“log\.txt” is not safe .*is gone/],
    ['cut off', () => truncateSync(join(home, 'log.txt'), 1), /has other bytes/],
    ['another', () => writeFileSync(join(home, 'log.txt'), 'OUT/LOG.TXT'), /has other bytes/],
    [
      'a link to the box’s own',
      () => {
        rmSync(join(home, 'log.txt'));
        symlinkSync(at('out/log.txt'), join(home, 'log.txt'));
      },
      /no longer a regular file/,
    ],
    ['of a changed record', () => (chain = { count: 1, fault: FAULT }), /behind Leasehold’s back/],
    ['read by nobody', () => workers.close(), /^Nothing was deleted\. The work was stopped\.$/],
  ])('is refused at the last moment where the copy here is %s', async (_what, spoil, because) => {
    put('out/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('log.txt');
    const plan = value(await remover.plan(BOX, [at('out')]));
    spoil();
    const refused = await remover.delete(BOX, planRefOf(plan.plan), deletePass(plan.plan.digest));
    expect(refused).toMatchObject({ error: { code: 'file-not-deleted' } });
    expect(refused.ok ? '' : refused.error.message).toMatch(because);
    expect(existsSync(at('out/log.txt'))).toBe(true);
  });

  it('is refused where a folder on the way to the copy is a link, as to the box’s own', async () => {
    put('out/sub/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('sub/log.txt');
    rmSync(join(home, 'sub'), { recursive: true });
    symlinkSync(at('out/sub'), join(home, 'sub'));
    expect(await lastRefusal(at('out'))).toMatch(/only reached over a link, .*\/sub/);
    expect(existsSync(at('out/sub/log.txt'))).toBe(true);
  });

  it('is refused where the copy would go along: its folder is the box’s own, or in what goes', async () => {
    put('out/sub/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('sub/log.txt');
    const { report } = proofs.get('r-1') ?? {};
    if (report === undefined) throw new Error('nothing was proven');
    const comeTo = (to: string): unknown =>
      proofs.set('r-1', { atMs: 1, seq: 1, hash: '', report: { ...report, to } });
    comeTo(at('out'));
    expect(await lastRefusal(at('out'))).toMatch(/out\/sub is the very folder in which the copies/);
    put('copies/sub/log.txt', 'out/sub/log.txt');
    comeTo(at('copies'));
    expect(await lastRefusal(at('out/sub'), at('copies'))).toMatch(
      /copies\/sub is the very folder/,
    );
    expect(readdirSync(at('copies/sub'))).toEqual(['log.txt']);
    expect((await deleted(at('out'))).done.left).toEqual([]);
  });

  it('is refused where a disk that does not tell each writing has other bytes by now', async () => {
    put('out/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('log.txt');
    const before = value(await known.list(BOX, at('out')));
    // As such a disk may tell it, whatever was written since.
    known.list = () => Promise.resolve(ok({ ...before, tellsWrites: false }));
    put('out/log.txt', 'OUT/LOG.TXT');
    expect(await lastRefusal(at('out'))).toMatch(/“log\.txt” is a result .* as it is now/);
    put('out/log.txt', 'out/log.txt');
    expect((await deleted(at('out'))).done.left).toEqual([]);
  });

  it('is refused of a result that is damaged, or of which only the beginning is here', async () => {
    put('out/log.txt');
    runs = { ...runs, runs: [aRun()] };
    await prove('log.txt');
    const as = (more: Partial<PulledFile>): void => {
      const proof = proofs.get('r-1');
      if (proof === undefined) throw new Error('nothing was proven');
      const files = proof.report.files.map((file) => ({ ...file, ...more }));
      proofs.set('r-1', { ...proof, report: { ...proof.report, files } });
    };
    as({ isGrowing: true });
    expect(await refusalOf(at('out'))).toMatch(/not proven that this computer has it/);
    await prove('log.txt');
    as({ loaded: { kind: 'damaged', format: 'json', because: 'it ends too early' } });
    expect(await refusalOf(at('out'))).toMatch(/damaged, here as there: it ends too early/);
    as({ accepted: 'all there is' });
    expect(await refusalOf(at('out'))).toBe('planned');
    await prove('log.txt');
    as({ stamp: undefined } as unknown as PulledFile);
    expect(await refusalOf(at('out'))).toMatch(/an older Leasehold proved it/);
    await prove('log.txt');
    const whole = proofs.get('r-1');
    if (whole === undefined) throw new Error('nothing was proven');
    const set = { kind: 'sharded-checkpoint', path: 'log.txt', says: 'a part is missing' } as const;
    for (const state of ['damaged', 'unknown'] as const) {
      const report = { ...whole.report, sets: [{ ...set, state }] };
      proofs.set('r-1', { ...whole, report });
      expect(await refusalOf(at('out'))).toMatch(/holds together is not whole: a part is missing/);
    }
  });

  it('is refused where the runs of the box are not known, and again where one began meanwhile', async () => {
    put('tree/a');
    const plan = value(await remover.plan(BOX, [at('tree')]));
    runs = { ...runs, runs: [aRun({ results: at('tree'), status: { kind: 'running' } })] };
    expect(
      await remover.delete(BOX, planRefOf(plan.plan), deletePass(plan.plan.digest)),
    ).toMatchObject({
      error: { code: 'file-not-deleted' },
    });
    runs = { ...runs, runs: [], leftOut: 1 };
    expect(await refusalOf(at('tree'))).toMatch(/is not known/);
    runs = { ...runs, leftOut: 0, problem: problem('runs-not-read', 'The box said nothing.') };
    expect(await refusalOf(at('tree'))).toMatch(/The box said nothing/);
    remover = new FileRemover(
      sessions,
      {
        ...known,
        look: () => Promise.resolve(err(problem('not-connected', 'The box is away.'))),
      },
      () => Promise.resolve(ok([])),
    );
    expect(await refusalOf(at('tree'))).toMatch(/The box is away/);
    expect(existsSync(at('tree/a'))).toBe(true);
  });

  it('is bringing a tree here whole, over no file that is there, and telling what was left', async () => {
    const big = Buffer.alloc(3 * MIB + 5, 'x');
    put('tree/sub/big.bin', big);
    put('tree/there');
    put('tree/two\nlines');
    symlinkSync('sub', at('tree/link'));
    mkdirSync(join(home, 'tree'));
    writeFileSync(join(home, 'tree/there'), 'mine');
    const report = value(await transfers.download(BOX, [at('tree')]));
    expect(report).toMatchObject({ to: home, files: 1, bytes: big.length });
    expect(new Map(report?.left.map(({ path, problem: { code } }) => [path, code]))).toEqual(
      new Map([
        [at('tree/there'), 'file-exists'],
        [at('tree/two\nlines'), 'file-failed'],
        [at('tree/link'), 'file-failed'],
      ]),
    );
    expect(readFileSync(join(home, 'tree/sub/big.bin')).equals(big)).toBe(true);
    expect(readFileSync(join(home, 'tree/there'), 'utf8')).toBe('mine');
    expect(readdirSync(join(home, 'tree')).sort()).toEqual(['sub', 'there']);
  });

  it('is bringing here what is dragged out of the window, once for as long as it is the same on both sides', async () => {
    const dragged: string[] = [];
    const startDrag = (files: readonly string[]) => {
      dragged.push(...files);
      return ok(null);
    };
    const outs = new DragOuts({ folder: join(home, 'dragged'), transfers, startDrag });
    const fetched = async (name: string) => value(await outs.fetch(BOX, [at(name)]));
    put('tree/sub/a', 'aaa');
    expect(await outs.drag(BOX, [at('tree')])).toMatchObject({ error: { code: 'file-failed' } });
    expect(await fetched('tree')).toMatchObject({ files: 1, bytes: 3, left: [] });
    expect(await outs.drag(BOX, [at('tree')])).toEqual(ok(null));
    const [first = ''] = dragged;
    expect(basename(first)).toBe('tree');
    expect(readFileSync(join(first, 'sub/a'), 'utf8')).toBe('aaa');
    expect(lstatSync(dirname(first)).mode & 0o077).toBe(0);
    expect(await fetched('tree')).toMatchObject({ files: 0, left: [] });
    // What took it changed it here.
    writeFileSync(join(first, 'sub/a'), 'mine');
    expect(await outs.drag(BOX, [at('tree')])).toMatchObject({ error: { code: 'file-failed' } });
    expect(await fetched('tree')).toMatchObject({ files: 1 });
    expect(await outs.drag(BOX, [at('tree')])).toEqual(ok(null));
    expect(readFileSync(join(dragged[1] ?? '', 'sub/a'), 'utf8')).toBe('aaa');
    expect(readFileSync(join(first, 'sub/a'), 'utf8')).toBe('mine');
    await outs.close();
    expect(existsSync(dirname(dirname(first)))).toBe(false);
  });

  it('is bringing folders here that hold no file', async () => {
    mkdirSync(at('tree/none/in'), { recursive: true });
    const report = value(await transfers.download(BOX, [at('tree')]));
    expect(report).toMatchObject({ files: 0, left: [] });
    expect(readdirSync(join(home, 'tree/none'))).toEqual(['in']);
    const outs = new DragOuts({
      ...{ folder: join(home, 'dragged'), transfers },
      startDrag: ([folder = '']) => {
        expect(readdirSync(join(folder, 'none'))).toEqual(['in']);
        return ok(null);
      },
    });
    expect(value(await outs.fetch(BOX, [at('tree')]))).toMatchObject({ left: [] });
    expect(await outs.drag(BOX, [at('tree')])).toEqual(ok(null));
    await outs.close();
  });

  it('is dragging only what could be brought as a whole, and not more than a person waits for', async () => {
    const folder = join(home, 'dragged');
    const outs = new DragOuts({ folder, transfers, startDrag: () => ok(null) });
    put('partly/a');
    symlinkSync('a', at('partly/link'));
    expect(value(await outs.fetch(BOX, [at('partly')]))).toMatchObject({
      ...{ files: 1, left: [{ path: at('partly/link') }] },
    });
    expect(await outs.drag(BOX, [at('partly')])).toMatchObject({ error: { code: 'file-failed' } });
    put('big.bin');
    truncateSync(at('big.bin'), 1025 * MIB);
    expect(await outs.fetch(BOX, [at('big.bin')])).toMatchObject({
      error: { code: 'file-failed' },
    });
    await outs.close();
  });

  it('is saying that the link was lost in the middle, and leaving no part of a file under its name', async () => {
    // So long that it is under way when the link goes, however fast the machine; its bytes are holes.
    put('big.bin');
    truncateSync(at('big.bin'), 8192 * MIB);
    const under = transfers.download(BOX, [at('big.bin')]);
    await vi.waitFor(() => expect(readdirSync(home)).toEqual(['big.bin.leasehold-part']));
    proxy.cut();
    const report = value(await under);
    expect(report).toMatchObject({ files: 0, left: [{ problem: { code: 'link-lost' } }] });
    expect(readdirSync(home)).toEqual([]);
  });

  it.skipIf(whyNoSmallDisk !== null)('is saying that the disk here is full', async () => {
    put('big.bin', Buffer.alloc(8 * MIB));
    await withSmallDisk(1024, async ({ folder: disk }) => {
      home = disk;
      const report = value(await transfers.download(BOX, [at('big.bin')]));
      expect(report).toMatchObject({ files: 0, left: [{ problem: { code: 'disk-full' } }] });
      expect(readdirSync(disk).filter((name) => name.startsWith('big'))).toEqual([]);
    });
  });

  it('is sending files, over none that is there (U2)', async () => {
    const names = ['a.py', 'b.py'].map((name) => join(home, name));
    for (const name of names) writeFileSync(name, `of ${name}`);
    put('b.py', 'theirs');
    chosen = [...names, '/dev/null'];
    const report = value(await transfers.upload(BOX, box, 'files'));
    expect(report).toMatchObject({ files: 1, to: box });
    expect(report?.left.map(({ problem: { code } }) => code).sort()).toEqual([
      ...['file-exists', 'file-failed'],
    ]);
    expect(readFileSync(at('a.py'), 'utf8')).toBe(`of ${names[0] ?? ''}`);
    expect(readFileSync(at('b.py'), 'utf8')).toBe('theirs');
    expect(readdirSync(box).sort()).toEqual(['a.py', 'b.py']);
    chosen = null;
    expect(await transfers.upload(BOX, box, 'files')).toEqual(ok(null));
  });

  it('is sending a folder with all that it holds, into one that is there too, and no link in it', async () => {
    mkdirSync(join(home, 'a/deep/empty'), { recursive: true });
    for (const name of ['a/one', 'a/deep/two', 'b']) writeFileSync(join(home, name), name);
    symlinkSync('one', join(home, 'a/link'));
    const inBox = (name: string): string => at(basename(home), name);
    mkdirSync(inBox('a'), { recursive: true });
    writeFileSync(inBox('b'), 'theirs');
    const report = value(await transfers.upload(BOX, box, 'folder'));
    expect(report).toMatchObject({ files: 2 });
    expect(report?.left.map(({ path, problem: { code } }) => [path, code]).sort()).toEqual([
      [join(home, 'a/link'), 'file-failed'],
      [join(home, 'b'), 'file-exists'],
    ]);
    expect(readFileSync(inBox('a/deep/two'), 'utf8')).toBe('a/deep/two');
    expect(readdirSync(inBox('a/deep'))).toEqual(['empty', 'two']);
    expect(readFileSync(inBox('b'), 'utf8')).toBe('theirs');
  });

  it('is saying of a folder whose name is taken by a file that nothing of it was sent', async () => {
    writeFileSync(join(home, 'inner'), 'mine');
    put(basename(home), 'a file');
    const report = value(await transfers.upload(BOX, box, 'folder'));
    expect(report?.left.map(({ path, problem: { code } }) => [path, code])).toEqual([
      [at(basename(home)), 'file-exists'],
      [join(home, 'inner'), 'file-exists'],
    ]);
    expect(readFileSync(at(basename(home)), 'utf8')).toBe('a file');
  });

  it('is sending what was dropped only once a person has seen what it is', async () => {
    chosen = [join(home, 'dropped.py')];
    writeFileSync(chosen[0] ?? '', 'print(1)');
    isApproved = false;
    expect(await transfers.upload(BOX, box, 'dropped')).toEqual(ok(null));
    expect(readdirSync(box)).toEqual([]);
    isApproved = true;
    expect(value(await transfers.upload(BOX, box, 'dropped'))).toMatchObject({
      files: 1,
      left: [],
    });
    expect(asked).toEqual(Array(2).fill([...chosen, box]));
    chosen = [];
    const none = await transfers.upload(BOX, box, 'dropped');
    expect(none).toMatchObject({ error: { code: 'file-failed' } });
  });
});
