import { join } from 'node:path';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { loadProfiles, OWN_PROFILES } from '../profiles/load-profiles.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { dataFolder } from '../storage/data-folder.ts';
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

/** What is not used is said beside every answer that would otherwise look complete. */
export async function tellFaults({ faults }: Profiles, { err }: CommandContext): Promise<void> {
  await err.lines(faults.map(faultSentence));
}
