import { expect, it } from 'vitest';
import type { RunProof } from './pull.ts';
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
