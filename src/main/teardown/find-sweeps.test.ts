import { expect, it } from 'vitest';
import type { ShareView, SweepCell, SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FoundSweep } from '../../shared/teardown/found-on-box.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { findSweeps, type SweepSources } from './find-sweeps.ts';

const share = (run: string, boxId: string | null): ShareView => ({
  ...{ run, place: 'p', cells: [0], boxId, presence: 'over', newest: `${run}-2`, slots: 1 },
  ...{ isPaused: false, isStopping: false, hasLeft: false, problem: null },
});
const done = (at: number): SweepCell => ({
  state: { kind: 'done', beganAtMs: 100 * at, atMs: 100 * at + 50 },
  ...{ share: at, index: 1, isTwice: false },
});
const VIEW: SweepView = {
  roster: { id: 's', name: 'grid', base: {} as never, cells: [] },
  shares: [share('a', 'here'), share('b', 'there'), share('c', 'there'), share('d', 'third')],
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
  ...{ path: 'a.pt', bytes: 1, modifiedAtMs: 1, keep: 'unknown', mark: 'equal', level: 'hashed' },
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
const pulled = (atMs: number, ...files: readonly PulledFile[]): Result<RunProof, Problem> =>
  ok({ atMs, report: { files } } as unknown as RunProof);

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

it.each<readonly [string, Partial<PulledFile>]>([
  ['is damaged', { loaded: { kind: 'damaged', because: 'cut' } as never }],
  ['came while the others were brought home', { mark: 'missing-here', sha256: null }],
  ['was still growing', { isGrowing: true }],
])('tells of all cells of a share of which a file %s', async (_what, other) => {
  const bad = { ...FILE, ...other };
  expect(await awayWith(pulled(1000, FILE, bad))).toEqual([{ boxName: 'box there', cells: 2 }]);
});
