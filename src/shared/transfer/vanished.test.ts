import { expect, it } from 'vitest';
import type { OtherResult, ResultList } from '../runs/launch/launched-run.ts';
import { isVanished } from './vanished.ts';

const list = (paths: readonly string[], others: readonly OtherResult[] = []): ResultList => ({
  ...{ atMs: 0, folder: '/out', isCut: false, grainMs: 50, tellsWrites: true, others },
  files: paths.map((path) => ({ path, bytes: 1, modifiedAtMs: 0, stamp: '' })),
});
const BEFORE = [{ path: 'a' }, { path: 'b' }];

it('a folder has vanished where nothing is there, but what a disk has by itself', () => {
  expect(isVanished(BEFORE, list([]))).toBe(true);
  expect(isVanished(BEFORE, list(['lost+found/x']))).toBe(true);
});

it('it has not where one is left, others have come, none was there, or nobody can look', () => {
  expect(isVanished(BEFORE, list(['b']))).toBe(false);
  expect(isVanished(BEFORE, list(['c', 'lost+found/x']))).toBe(false);
  expect(isVanished([], list([]))).toBe(false);
  const closed: OtherResult = { path: 'a', bytes: 0, modifiedAtMs: 0, stamp: '', kind: 'closed' };
  expect(isVanished(BEFORE, list([], [closed]))).toBe(false);
});
