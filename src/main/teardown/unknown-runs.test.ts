import { expect, it } from 'vitest';
import { readPatrol } from '../../shared/patrol/read-patrol.ts';
import { selectSeen } from '../../shared/patrol/select-seen.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { NO_LAUNCHED_RUNS, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { value } from '../runs/run-box.fixture.ts';
import { findsNothing } from './finds-nothing.fixture.ts';
import { findResults } from './find-results.ts';
import { inspectBox, type InspectionSources } from './inspect-box.ts';
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

it('misses a folder that should be there, however its run ended, and none of a run that is in the way itself', async () => {
  const end = { exitCode: 0, atMs: 1 };
  const run = (id: string, status: LaunchedRun['status']): LaunchedRun => ({
    ...{ ...PLACED, id, name: id, results: id, status },
  });
  const lacksSuccessLine = false;
  const runs = [
    run('r-1', { kind: 'done', ...end, lacksSuccessLine }),
    run('r-2', { kind: 'failed', ...end, lacksSuccessLine }),
    run('r-3', { kind: 'failed', ...end, lacksSuccessLine }),
    // What a restart leaves, with which the mount of a disk goes.
    run('r-4', { kind: 'lost', because: 'restart' }),
    run('r-5', { kind: 'cut-off', ...end }),
    run('r-6', { kind: 'ended', ...end }),
    run('r-7', { kind: 'unreadable', because: 'no end' }),
    run('r-8', { kind: 'running' }),
    run('r-9', { kind: 'never-started' }),
  ];
  const report = { files: [{ path: 'a' }] } as never;
  const found = await findResults(
    'b',
    { launched: runs, missing: [] },
    {
      folders: () => [{ id: 'f-1', name: 'logs', folder: '/data/logs' }] as never,
      proof: (_box, id) => Promise.resolve(ok(id === 'r-3' ? ({ seq: 1, report } as never) : null)),
      list: () => Promise.resolve(err(problem('results-not-there', 'It is not there.'))),
    },
  );
  expect(value(found).absent.map(({ path, missed }) => [path, missed])).toEqual([
    ['/shared/work/r-1', 'done'],
    ['/shared/work/r-2', 'unfinished'],
    ['/shared/work/r-3', 'pulled'],
    ['/shared/work/r-4', 'lost'],
    ['/shared/work/r-5', 'lost'],
    ['/shared/work/r-6', 'unfinished'],
    ['/shared/work/r-7', 'lost'],
    ['/shared/work/r-8', null],
    ['/data/logs', 'wanted'],
  ]);
});

it.each(['is away', 'is there'] as const)(
  'counts the newest proof of any file of a folder that %s, and misses it whichever that is',
  async (how) => {
    const run = (id: string, status: LaunchedRun['status']): LaunchedRun => ({
      ...{ ...PLACED, id, status },
    });
    const file = { path: 'a', mark: 'equal', sha256: 'x', loaded: null };
    const proofs: Readonly<Record<string, readonly unknown[]>> = {
      ...{ 'r-1': [file], 'r-2': [file, file], 'r-3': [] },
    };
    const foundBy = async (...ids: readonly string[]) => {
      const found = await findResults(
        'b',
        {
          // A run that is over is missed, and one that runs is in the way itself.
          launched: ids.map((id) =>
            run(id, id === 'r-4' ? { kind: 'lost', because: 'restart' } : { kind: 'running' }),
          ),
          missing: [],
        },
        {
          folders: () => [],
          proof: (_box, id) => {
            const files = proofs[id];
            const seq = Number(id.slice(2));
            return Promise.resolve(
              ok(files === undefined ? null : ({ seq, report: { to: '/h', files } } as never)),
            );
          },
          list: (_box, folder) =>
            Promise.resolve(
              how === 'is there'
                ? ok({ folder, files: [], others: [], isCut: false, tellsWrites: true } as never)
                : err(problem('results-not-there', 'It is not there.')),
            ),
        },
      );
      const { absent, results } = value(found);
      const [only] = how === 'is there' ? results : absent;
      return [only?.proven?.evidence ?? null, absent[0]?.missed ?? null];
    };
    const away = how === 'is away';
    for (const ids of [
      ['r-1', 'r-2', 'r-3'],
      ['r-3', 'r-2', 'r-1'],
    ]) {
      expect(await foundBy(...ids)).toEqual([2, away ? 'pulled' : null]);
    }
    for (const ids of [
      ['r-3', 'r-4'],
      ['r-4', 'r-3'],
    ]) {
      expect(await foundBy(...ids)).toEqual([3, away ? 'lost' : null]);
    }
  },
);

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

it('lets a person speak for processes only where a whole answer told of none', async () => {
  const section = (name: string, ...lines: readonly string[]): string =>
    ['', `m begin ${name}`, ...lines, '', `m end ${name} 0`, ''].join('\n');
  const unknownAfter = async (stdout: string) => {
    const look = readPatrol(stdout, 'm', [], { askedAtMs: 1, answeredAtMs: 2 });
    const sources: InspectionSources = {
      ...findsNothing,
      runs: {
        look: () => Promise.resolve(ok(seen())),
        ...{ folders: () => [], proof: () => Promise.resolve(ok(null)) },
        list: () => Promise.reject(new Error('nothing is listed')),
        hash: () => Promise.reject(new Error('nothing is hashed')),
      },
      patrol: () => Promise.resolve(ok(null)),
      seenOn: () => selectSeen(look, [], null),
    };
    return value(await inspectBox('b', sources, { tell: () => undefined })).processesUnknown;
  };
  const ROW = '41 1 41 41 0 S 10 5 3 9000 77 python';
  expect(await unknownAfter(section('table', ROW) + section('whole'))).toBeNull();
  expect(await unknownAfter(section('table') + section('whole'))).toMatchObject({ isAnswer: true });
  for (const part of [
    section('table'),
    `${section('table', ROW)}\nm begin open\n`,
    section('table', ROW, 'cut') + section('whole'),
    section('table', 'cut') + section('whole'),
    section('table', '41 1 python') + section('whole'),
    section('whole'),
  ]) {
    expect([part, await unknownAfter(part)]).toMatchObject([part, { isAnswer: false }]);
  }
});

it('does not look past a list of the runs that cannot be read', async () => {
  const unread = problem('database-corrupt', 'It cannot be read.');
  const sources: InspectionSources = {
    ...{ ...findsNothing, everSeenOn: () => err(unread) },
    runs: {
      look: () => Promise.resolve(ok(seen())),
      ...{ folders: () => [], proof: () => Promise.resolve(ok(null)) },
      list: () => Promise.reject(new Error('nothing is listed')),
      hash: () => Promise.reject(new Error('nothing is hashed')),
    },
    ...{ patrol: () => Promise.resolve(ok(null)), seenOn: () => null },
  };
  expect(await inspectBox('b', sources, { tell: () => undefined })).toEqual(err(unread));
});
