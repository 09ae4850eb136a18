import type { Profile, StorageTier, YesNo } from './profile.ts';

/**
 * What a tier outlives of a restart. The sources tell stop and destroy apart for each tier; a restart is a stop and a start
 * where there is a stop, so what outlives that outlives this. Otherwise only a verb of its own tells.
 */
export function survivesRestart(tier: StorageTier, { actions }: Profile): YesNo {
  if (tier.survivesStop === true) return true;
  const deletes = actions.find(({ kind }) => kind === 'restart')?.deletes ?? null;
  return deletes === null ? null : `a restart deletes: ${deletes}`;
}
