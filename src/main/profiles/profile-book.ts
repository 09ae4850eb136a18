import type { Profiles } from '../../shared/profiles/loaded.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { loadProfiles, type ProfileFolders } from './load-profiles.ts';

/** The profiles as they were read when Leasehold began to act. */
export interface ProfileBook {
  readonly loaded: Profiles;
  readonly profileOf: (platform: string) => Profile | null;
}

/** Files that cannot be used are told, and what they were meant to change is as it was shipped. */
export async function openProfiles(
  folders: ProfileFolders,
  onProblem: (found: Problem) => void,
): Promise<ProfileBook> {
  const loaded = await loadProfiles(folders);
  for (const fault of loaded.faults) {
    onProblem(problem('profile-unusable', faultSentence(fault), { nextStep: fault.fix }));
  }
  const byId = new Map(loaded.all.map(({ profile }) => [profile.id, profile]));
  return { loaded, profileOf: (platform) => byId.get(platform) ?? null };
}
