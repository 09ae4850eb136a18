import type { RestingCopy } from '../../shared/teardown/blockers/result-files.ts';
import type { TeardownDoing } from '../../shared/teardown/teardown-view.ts';
import type { HomeCheckOptions } from '../transfer/home-check.ts';

/** Bars move smoothly with this. */
const TOLD_EVERY_MS = 50;

/** Tells how far the reading of the copies is, and not too often. */
export function countCopies(
  copies: readonly RestingCopy[],
  tell: (doing: TeardownDoing) => void,
): Pick<HomeCheckOptions, 'onBytes' | 'onFile'> {
  const bytes = copies.reduce((all, { file }) => all + file.bytes, 0);
  const done = { doneFiles: 0, doneBytes: 0 };
  let toldMs = 0;
  const told = (): void => {
    const nowMs = performance.now();
    if (nowMs - toldMs < TOLD_EVERY_MS && done.doneFiles < copies.length) return;
    toldMs = nowMs;
    tell({ kind: 'reading-copies', files: copies.length, bytes, ...done });
  };
  return {
    onBytes: (read) => {
      done.doneBytes += read;
      told();
    },
    onFile: () => {
      done.doneFiles += 1;
      told();
    },
  };
}
