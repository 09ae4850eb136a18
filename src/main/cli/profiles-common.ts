import { join } from 'node:path';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { loadProfiles, OWN_PROFILES } from '../profiles/load-profiles.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { peekSettings } from '../storage/settings.ts';
import { MAX_AGE_MONTHS } from '../../shared/profiles/max-age.ts';
import type { CommandContext } from './command.ts';

/** The shipped profiles with the person's own over them, as the window sees them. */
export function profilesFor({
  root,
  env,
  platform,
}: Pick<CommandContext, 'root' | 'env' | 'platform'>): Promise<Profiles> {
  return loadProfiles({
    shipped: join(root, 'profiles'),
    own: join(dataFolder(env, platform), OWN_PROFILES),
  });
}

/** After how many months the person wants a fact to be called old. */
export async function maxAgeFor({ env, platform, err }: CommandContext): Promise<number> {
  const read = await peekSettings(dataFolder(env, platform));
  if (read !== null) return read.settings.facts.maxAgeMonths;
  await err.lines([`Your settings cannot be read; a fact of ${MAX_AGE_MONTHS} months is old.`]);
  return MAX_AGE_MONTHS;
}

/** What is not used is said beside every answer that would otherwise look complete. */
export async function tellFaults({ faults }: Profiles, { err }: CommandContext): Promise<void> {
  await err.lines(faults.map(faultSentence));
}
