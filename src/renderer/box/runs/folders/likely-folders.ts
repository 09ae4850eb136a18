import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { isTooWide } from '../../../../shared/transfer/result-root.ts';
import type { TierAt } from '../../../../shared/profiles/tier-at.ts';

/** A folder of a box in which there may be results, and why one would think so. */
export interface LikelyFolder {
  readonly folder: string;
  readonly says: string;
}

/** More is a list that nobody reads. */
const MOST = 12;

/** Where runs that were merely seen save and work, then where the platform keeps things. */
export function likelyFolders(
  tiers: readonly TierAt[],
  seen: readonly SeenRun[],
): readonly LikelyFolder[] {
  const all: readonly LikelyFolder[] = [
    ...seen.flatMap(({ checkpoint }) =>
      checkpoint === null ? [] : [{ folder: folderOf(checkpoint.path), says: 'a run saves here' }],
    ),
    ...seen.flatMap(({ folder }) =>
      folder === null ? [] : [{ folder, says: 'a run works here' }],
    ),
    ...tiers.map(({ path, label }) => ({ folder: path, says: label })),
  ];
  const known = new Set<string>();
  return all
    .filter(({ folder }) => {
      if (!/^\/[^\r\n\0]*$/.test(folder) || isTooWide(folder) || known.has(folder)) return false;
      known.add(folder);
      return true;
    })
    .slice(0, MOST);
}

const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));
