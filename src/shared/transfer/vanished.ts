import { atStakeIn, type ResultList } from '../runs/launch/launched-run.ts';

/** A folder in which nothing is left of what was there looks like one that was emptied; as often its disk is not there. */
export const VANISHED =
  'None of the files that were in the results folder is there any more. The disk that it lies on may not be mounted.';

/** ext4 has it on each disk, also one that nothing was ever written to. */
const LOST = /^lost\+found(?:\/|$)/;

/** Whether a folder that had files has nothing at all. Where other files are, those before may have been rotated away. */
export function isVanished(
  before: readonly { readonly path: string }[],
  list: ResultList,
): boolean {
  return before.length > 0 && atStakeIn(list).every(({ path }) => LOST.test(path));
}
