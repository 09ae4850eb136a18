import { atStakeIn, type ResultList } from '../runs/launch/launched-run.ts';

/** A folder in which nothing is left of what was there looks like one that was emptied; as often its disk is not there. */
export const VANISHED =
  'None of the files that were in the results folder is there any more. The disk that it lies on may not be mounted.';

/** Whether a folder has none of the files that it had. */
export function isVanished(
  before: readonly { readonly path: string }[],
  list: ResultList,
): boolean {
  if (before.length === 0) return false;
  const there = new Set(atStakeIn(list).map(({ path }) => path));
  return !before.some(({ path }) => there.has(path));
}
