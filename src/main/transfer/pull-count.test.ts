import { expect, it } from 'vitest';
import type { PullFile, PullProgress } from '../../shared/transfer/pull.ts';
import type { KeptPull } from './plan-pull.ts';
import { PullCount } from './pull-count.ts';

const files = Array.from({ length: 1000 }, (_, no) => ({ path: `f${String(no)}`, bytes: 2 }));

function counting(): { readonly count: PullCount; readonly told: PullProgress[] } {
  const told: PullProgress[] = [];
  const kept = { run: { id: 'r' }, shown: { bytes: 2000 } } as KeptPull;
  const count = new PullCount(kept, files as PullFile[], { onProgress: (each) => told.push(each) });
  return { count, told };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('tells of a thousand files that a turn settles once, and what it tells is all of them', async () => {
  const { count, told } = counting();
  for (const { path } of files) count.hashed(path);
  for (const _ of files) count.settled();
  await turn();
  expect(told).toMatchObject([{ hashedFiles: 1000, hashedBytes: 2000, doneFiles: 1000 }]);
});

it('tells nothing after its end', async () => {
  const { count, told } = counting();
  count.settled();
  count.tellRest();
  await turn();
  expect(told).toMatchObject([{ doneFiles: 1, stage: 'pulling' }]);
  count.settled();
  count.tell('looking-again');
  await turn();
  expect(told.map(({ stage, doneFiles }) => [stage, doneFiles])).toEqual([
    ['pulling', 1],
    ['looking-again', 2],
  ]);
});
