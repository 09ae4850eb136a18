import { expect, it } from 'vitest';
import type { RunProof } from './pull.ts';
import { acceptedBeside } from './home.ts';
import { settle, settledKey, type SettledFile } from './select-behind.ts';

it('a damaged file is here as much once it was accepted as before', () => {
  const file = { path: 'a.npy', bytes: 7, modifiedAtMs: 1, mark: 'equal', sha256: 'ab' };
  const damaged = { ...file, loaded: { kind: 'damaged', format: 'npy', because: 'cut off' } };
  for (const each of [damaged, { ...damaged, accepted: 'all there is' }]) {
    const settled = new Map<string, SettledFile>();
    const report = { from: '/b', to: '/here', files: [each] };
    settle(settled, { atMs: 1, report } as unknown as RunProof);
    expect(settled.get(settledKey('/b', 'a.npy'))).toMatchObject({ to: '/here' });
  }
});

it('a damaged part that was accepted is named beside its set, and no file of another folder', () => {
  const file = (path: string, accepted?: string) =>
    ({ path, ...(accepted !== undefined && { accepted }) }) as never;
  const files = [file('ckpt/a-1', 'all there is'), file('ckpt/a-2'), file('other/b', 'so is this')];
  expect(acceptedBeside({ path: 'ckpt/model.index.json' }, files)).toEqual(['ckpt/a-1']);
});
