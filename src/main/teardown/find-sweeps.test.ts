import { expect, it } from 'vitest';
import type { ShareView, SweepCell, SweepView } from '../../shared/runs/sweep/sweep-view.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { findSweeps, type SweepSources } from './find-sweeps.ts';

const share = (run: string, boxId: string | null): ShareView => ({
  ...{ run, place: 'p', cells: [0], boxId, presence: 'over', newest: `${run}-2`, slots: 1 },
  ...{ isPaused: false, isStopping: false, hasLeft: false, problem: null },
});
const done = (at: number): SweepCell => ({
  ...{ state: { kind: 'done' } as SweepCell['state'], share: at, index: 1, isTwice: false },
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

it('tells of none that came home, and takes a proof that cannot be read for none', async () => {
  const proven = ok({ entry: 1 } as never);
  const [home] = await findSweeps(
    'here',
    [],
    sources(() => Promise.resolve(proven)),
  );
  expect(home?.away).toEqual([]);
  const broken = err(problem('database-corrupt', 'unreadable'));
  const [unread] = await findSweeps(
    'here',
    [],
    sources(() => Promise.resolve(broken)),
  );
  expect(unread?.away).toEqual([{ boxName: 'box there', cells: 2 }]);
});
