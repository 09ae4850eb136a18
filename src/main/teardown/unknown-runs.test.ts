import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { NO_LAUNCHED_RUNS, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { value } from '../runs/run-box.fixture.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { inspectBox } from './inspect-box.ts';
import { knownOfOthers } from './known-of-others.ts';

/** Of which everything can be read. */
const PLACED: LaunchedRun = {
  ...{ id: 'r-1', name: 'base', command: 'true', folder: '/shared/work', results: 'out' },
  ...{ overridden: [], place: '/home/me/.local/state/leasehold/runs/r-1', detacher: 'tmux' },
  ...{ launchedAtMs: 1, process: null, log: null },
  status: { kind: 'lost', because: 'killed' },
};
/** As the box tells one whose file “about” is gone. */
const UNREADABLE: LaunchedRun = {
  ...{ ...PLACED, id: 'r-2', name: 'r-2', command: '', folder: '', results: null },
  status: { kind: 'unreadable', because: 'its file “about” is missing' },
};
const seen = (...runs: readonly LaunchedRun[]) => ({ ...NO_LAUNCHED_RUNS, atMs: 1, runs });

it('tells of runs of which the box does not tell enough, and lists no place that nobody named', async () => {
  const alive: LaunchedRun = { ...UNREADABLE, id: 'r-3', status: { kind: 'running' } };
  const asked: string[] = [];
  const found = await inspectBox(
    'b',
    {
      ...findsNothing,
      runs: {
        look: () => Promise.resolve(ok(seen(PLACED, UNREADABLE, alive))),
        ...{ folders: () => [], proof: () => Promise.resolve(ok(null)) },
        list: (_id, folder) => {
          asked.push(folder);
          return Promise.resolve(
            ok({ folder, files: [], others: [], isCut: false, tellsWrites: true } as never),
          );
        },
        hash: () => Promise.reject(new Error('nothing is hashed')),
      },
      ...{ patrol: () => Promise.resolve(ok(null)), seenOn: () => null },
    },
    { tell: () => undefined },
  );
  expect(asked).toEqual(['/shared/work/out']);
  expect(value(found).runs).toEqual([
    { id: 'r-1', name: 'base', isOver: true },
    {
      ...{ id: 'r-2', name: 'r-2', isOver: true, isUnplaced: true },
      unreadable: 'its file “about” is missing',
    },
    { id: 'r-3', name: 'r-2', isOver: false, isUnplaced: true },
  ]);
});

it('does not take another box for empty of which a run says nothing of its place', () => {
  const other = (...runs: readonly LaunchedRun[]) => ({
    ...{ boxName: 'train-b', seen: seen(...runs), folders: [] },
  });
  const kept = [{ boxName: 'train-b', path: '/shared/work/out' }];
  expect(knownOfOthers([other(PLACED)])).toEqual({ kept, unseen: [] });
  expect(knownOfOthers([other(PLACED, UNREADABLE)])).toEqual({ kept, unseen: ['train-b'] });
  const cut = { ...other(PLACED), seen: { ...seen(PLACED), leftOut: 1 } };
  expect(knownOfOthers([cut])).toEqual({ kept, unseen: ['train-b'] });
  const unseen = { ...other(), seen: NO_LAUNCHED_RUNS };
  expect(knownOfOthers([unseen])).toEqual({ kept: [], unseen: ['train-b'] });
});
