import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { findRunRoots, type RunsKnown } from './run-roots.ts';

const ID = 'r-20260101-000000-00000001';
const run = (place: string): LaunchedRun => ({
  ...{ id: ID, name: 'n', command: 'c', folder: '~/work', results: '~/out', place },
  ...{ detacher: 'tmux', launchedAtMs: 1, process: null, overridden: [], log: null },
  status: { kind: 'running' },
});

/** Where SFTP begins in a folder of its own, and each name leads to itself. */
const files = {
  realPath: (path: string) => Promise.resolve(ok(path === '.' ? '/sftp' : path)),
} as unknown as BoxFiles;

const rootsOf = async (place: string): Promise<readonly (readonly [string, string])[]> => {
  const known = {
    look: () => Promise.resolve(ok({ atMs: 1, leftOut: 0, problem: null, runs: [run(place)] })),
    folders: () => [],
    proof: () => Promise.resolve(ok(null)),
  } as unknown as RunsKnown;
  const found = await findRunRoots('b', files, known, ['/']);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.map(({ holds, path }) => [holds, path]);
};

it.each([
  ['lies there', `/home/me/.local/state/leasehold/runs/${ID}`, '/home/me/out'],
  ['tells another run', '/home/me/.local/state/leasehold/runs/r-1', '/sftp/out'],
  ['lies elsewhere', `/data/${ID}`, '/sftp/out'],
])(
  'the results of a run are looked for below the home of its shell where its folder %s',
  async (_, place, results) => {
    expect(await rootsOf(place)).toEqual([
      ['run', place],
      ['results', results],
    ]);
  },
);
