import type { LaunchedRuns } from '../../shared/runs/launch/launched-run.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import { placesOf } from '../files/run-roots.ts';
import { isPlaced } from './find-results.ts';

/** What is known of the other boxes of this platform. */
export interface KnownOfOthers {
  /** What they keep, by whole paths. */
  readonly kept: readonly { readonly boxName: string; readonly path: string }[];
  /** The names of those of which that is not all. */
  readonly unseen: readonly string[];
}

export interface OtherBox {
  readonly boxName: string;
  readonly seen: LaunchedRuns;
  readonly folders: readonly ResultRoot[];
}

/** Of runs where no shell has to say what a path means. A run that cannot be placed may keep something anywhere. */
export const knownOfOthers = (others: readonly OtherBox[]): KnownOfOthers => ({
  kept: others.flatMap(({ boxName, seen, folders }) =>
    seen.runs
      .flatMap((run) => placesOf(run).flatMap(([holds, path]) => (holds === 'run' ? [] : path)))
      .concat(folders.map(({ folder }) => folder))
      .filter((path) => path.startsWith('/'))
      .map((path) => ({ boxName, path })),
  ),
  unseen: others.flatMap(({ boxName, seen }) => (isAllKnown(seen) ? [] : boxName)),
});

const isAllKnown = ({ atMs, leftOut, runs }: LaunchedRuns): boolean =>
  atMs !== null && leftOut === 0 && runs.every(isPlaced);
