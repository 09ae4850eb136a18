import type { Profile } from '../../shared/profiles/profile.ts';
import { tierOf, tiersAt } from '../../shared/profiles/tier-at.ts';
import { fateOf, type Fate, type FateAt } from '../../shared/transfer/fate.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { MountSurvey } from '../profiles/mount-survey.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** What becomes of what lies where on a box, by what is mounted there now. What nobody knows is told as unknown. */
export async function fatesOn(
  connection: SshConnection,
  scripts: OnboxScripts,
  profile: Profile | null,
): Promise<FateAt> {
  const survey = new MountSurvey({ scripts, roster: { connectionOf: () => connection } });
  const looked = await survey.look('', profile);
  if (!looked.ok) return () => 'unknown';
  const tiers = tiersAt(profile, looked.value);
  // Ten thousands of files lie in some hundred folders.
  const known = new Map<string, Fate>();
  return (path) => {
    const folder = path.slice(0, Math.max(1, path.lastIndexOf('/')));
    const told = known.get(folder);
    if (told !== undefined) return told;
    const tier = tierOf(folder, tiers, looked.value);
    const fate = tier === null ? 'unknown' : fateOf(tier.tier);
    known.set(folder, fate);
    return fate;
  };
}
