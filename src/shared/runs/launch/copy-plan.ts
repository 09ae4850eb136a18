import { isPattern, pathsOf } from '../../profiles/tier-paths.ts';
import type { LaunchProfile } from './known-box.ts';
import { DURABLE, type CopyRequest, type RunRequest } from './run-request.ts';

/** What copy.sh does, in whole paths. */
export interface CopyPlan {
  readonly from: string;
  /** A folder of the run's own, which nothing is in yet. */
  readonly to: string;
  readonly prune: readonly string[];
}

/** The folder in which the copy gets one of its own. Null: the platform names no storage that survives a stop. */
export function copyFolder(
  { to }: CopyRequest,
  profile: Pick<LaunchProfile, 'storage'> | null,
): string | null {
  if (to !== DURABLE) return to;
  const surviving = (profile?.storage ?? []).filter(({ survivesStop }) => survivesStop === true);
  // What outlives the box itself comes first.
  const [best] = [
    ...surviving.filter(({ survivesDestroy }) => survivesDestroy === true),
    ...surviving.filter(({ survivesDestroy }) => survivesDestroy !== true),
  ].flatMap((tier) => pathsOf(tier).filter((path) => !isPattern(path) && !/[$]|^\/$/.test(path)));
  return best === undefined ? null : `${best}/leasehold-results`;
}

/** Null: none is asked for, or there is no place for it, which a check says. */
export function copyPlan(
  { copy, results, folder }: RunRequest,
  id: string,
  home: string,
  profile: Pick<LaunchProfile, 'storage'> | null,
): CopyPlan | null {
  const into = copy === undefined ? null : copyFolder(copy, profile);
  if (copy === undefined || into === null || results === null) return null;
  const whole = (path: string): string =>
    path === '~' ? home : path.startsWith('~/') ? `${home}/${path.slice(2)}` : path;
  const isWhole = /^[~/]/.test(results);
  const from = whole(isWhole ? results : `${folder.replace(/\/+$/, '')}/${results}`);
  return { from, to: `${whole(into).replace(/\/+$/, '')}/${id}`, prune: copy.prune };
}

/** As run-launch.sh writes it. */
export const copyPlanText = ({ from, ...plan }: CopyPlan): string =>
  `${from}\n${copyCellsText(plan)}`;

/** The same of a queue, each of whose cells has a folder of its own, here and there. */
export const copyCellsText = ({ to, prune }: Omit<CopyPlan, 'from'>): string =>
  [to, ...prune, ''].join('\n');
