import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { PullFile } from '../../shared/transfer/pull.ts';
import { digestOfShown, type KeptPull } from './plan-pull.ts';

const file = (path: string, bytes = 1): PullFile => ({
  ...{ path, bytes, modifiedAtMs: 0, keep: 'evidence', refused: null, here: 'nothing' },
  missingBytes: bytes,
});
const SHOWN: KeptPull['shown'] = {
  ...{ from: '/box', to: '/here', files: [file('a'), file('b')] },
  ...{ bytes: 2, missingBytes: 2, freeBytes: 3 },
};

it('stands for each file that is shown, and for all that is shown beside them', async () => {
  const digest = await digestOfShown(SHOWN);
  expect(await digestOfShown(structuredClone(SHOWN))).toBe(digest);
  for (const change of [
    { to: '/elsewhere' },
    { freeBytes: null },
    { files: [file('a')] },
    { files: [file('b'), file('a')] },
    { files: [file('a'), file('b', 2)] },
  ]) {
    expect(await digestOfShown({ ...SHOWN, ...change })).not.toBe(digest);
  }
});

it('lets others have their turn where many files are shown', async () => {
  const files = Array.from({ length: 100_000 }, (_, at) => file(String(at)));
  let turns = 0;
  let isDone = false;
  const digested = digestOfShown({ ...SHOWN, files }).then(() => (isDone = true));
  while (!isDone) {
    await setImmediate();
    turns += 1;
  }
  await digested;
  expect(turns).toBeGreaterThan(1);
});
