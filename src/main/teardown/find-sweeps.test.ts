import { expect, it } from 'vitest';
import type { ShareView, SweepCell, SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { findSweeps, type SweepSources } from './find-sweeps.ts';

const share = (cell: number, boxId: string | null): ShareView => ({
  ...{ run: 'abcd'[cell] ?? '', place: 'p', cells: [cell], boxId, presence: 'over', slots: 1 },
  ...{
    newest: `${'abcd'[cell] ?? ''}-2`,
    isPaused: false,
    isStopping: false,
    hasLeft: false,
    problem: null,
  },
});
const done = (at: number): SweepCell => ({
  state: { kind: 'done', beganAtMs: 100 * at, atMs: 100 * at + 50 },
  ...{ share: at, index: 1, isTwice: false },
});
const VIEW: SweepView = {
  roster: {
    ...{ id: 's', name: 'grid', base: {} as never },
    cells: ['a', 'b', 'c', 'd'].map((name) => ({ name, command: 'go', results: `out/${name}` })),
  },
  shares: [share(0, 'here'), share(1, 'there'), share(2, 'there'), share(3, 'third')],
  cells: [done(0), done(1), done(2), { ...done(3), state: { kind: 'waiting' } }],
  ...{ atMs: 1, reconciledAtMs: 1 },
};

const sources = (proof: SweepSources['proof']): SweepSources => ({
  sweeps: {
    book: { lines: [{ id: 's', name: 'grid', cells: 4, launchedAtMs: 0, boxIds: ['here'] }] },
    of: () => ({ view: VIEW }),
    reconcile: () => Promise.resolve(ok(null)),
  } as unknown as SweepSources['sweeps'],
  nameOf: (id) => `box ${id}`,
  proof,
});

it('tells of cells that are done on other boxes of the sweep, and of which nothing was brought home', async () => {
  const asked: string[] = [];
  const [found] = await findSweeps(
    'here',
    [],
    sources((boxId, runId) => {
      asked.push(`${boxId} ${runId}`);
      return Promise.resolve(ok(null));
    }),
  );
  // Of the newest run that went on with the queue, and of none on this box: its own blockers tell of those.
  expect(asked).toEqual(['there b-2', 'there c-2']);
  expect(found?.away).toEqual([{ boxName: 'box there', cells: 2 }]);
});

const FILE: PulledFile = {
  ...{ path: 'b/a.pt', bytes: 1, modifiedAtMs: 1, keep: 'unknown', mark: 'equal', level: 'hashed' },
  ...{ sha256: 'x', loaded: null, says: null },
};
const awayWith = async (
  proven: Awaited<ReturnType<SweepSources['proof']>>,
): Promise<FoundSweep['away'] | undefined> => {
  const [found] = await findSweeps(
    'here',
    [],
    sources(() => Promise.resolve(proven)),
  );
  return found?.away;
};
/** Of each cell something. */
const pulled = (atMs: number, ...files: readonly PulledFile[]): Result<RunProof, Problem> =>
  ok({
    atMs,
    report: { files: [...files, { ...FILE, path: 'c/deep/a.pt' }] },
  } as unknown as RunProof);

it('tells of none that came home, and takes a proof that cannot be read for none', async () => {
  const left = { ...FILE, mark: 'missing-here', sha256: null, left: 'a cache' } as const;
  expect(await awayWith(pulled(1000, FILE, left))).toEqual([]);
  const accepted = { kind: 'damaged', because: 'cut' } as const;
  const taken = { ...FILE, loaded: accepted, accepted: { atMs: 1, because: 'known' } } as never;
  expect(await awayWith(pulled(1000, FILE, taken))).toEqual([]);
  const broken = err(problem('database-corrupt', 'unreadable'));
  expect(await awayWith(broken)).toEqual([{ boxName: 'box there', cells: 2 }]);
});

it('tells of cells that were done after the last pull of their share', async () => {
  // The one of share b ended at 150, that of share c at 250.
  expect(await awayWith(pulled(200, FILE))).toEqual([{ boxName: 'box there', cells: 1 }]);
  expect(await awayWith(pulled(100, FILE))).toEqual([{ boxName: 'box there', cells: 2 }]);
});

it('tells of a cell of which the pull found nothing, whatever the clock of its box made of its end', async () => {
  const known = (...paths: readonly string[]): Result<RunProof, Problem> => {
    const files = paths.map((path) => ({ ...FILE, path }));
    return ok({ atMs: 1000, report: { files } } as unknown as RunProof);
  };
  // Both ended before the pull, as they say: their box may have set its clock since.
  expect(await awayWith(known('b/a.pt', 'c/a.pt'))).toEqual([]);
  expect(await awayWith(known('b/a.pt'))).toEqual([{ boxName: 'box there', cells: 1 }]);
  expect(await awayWith(known('bb/a.pt', 'c'))).toEqual([{ boxName: 'box there', cells: 1 }]);
  expect(await awayWith(known())).toEqual([{ boxName: 'box there', cells: 2 }]);
});

it.each<readonly [string, Partial<PulledFile>]>([
  ['is damaged', { loaded: { kind: 'damaged', because: 'cut' } as never }],
  ['came while the others were brought home', { mark: 'missing-here', sha256: null }],
  ['was still growing', { isGrowing: true }],
])('tells of all cells of a share of which a file %s', async (_what, other) => {
  const bad = { ...FILE, ...other };
  expect(await awayWith(pulled(1000, FILE, bad))).toEqual([{ boxName: 'box there', cells: 2 }]);
});
