import { joinPath } from '../../../shared/files/box-path.ts';
import type { FilePlace } from '../../../shared/profiles/tier-at.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';

/** Newer ones are what people come for; the others are found by their folder. */
const MAX_RUNS = 8;

/** The newest runs that Leasehold launched: where each keeps its log, and where its results are, or else where it works. */
export function runPlaces(runs: readonly LaunchedRun[]): readonly FilePlace[] {
  return runs.slice(0, MAX_RUNS).flatMap(({ name, id, place, results, folder }) => {
    const label = name === '' ? id : name;
    const [what, at] =
      results === null
        ? (['working folder', folder] as const)
        : (['results', results.startsWith('/') ? results : joinPath(folder, results)] as const);
    const ways = [{ label: `${label}: run folder`, path: place }];
    return at.startsWith('/') ? [{ label: `${label}: ${what}`, path: at }, ...ways] : ways;
  });
}
