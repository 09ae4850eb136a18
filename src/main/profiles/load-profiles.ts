import type { LoadedProfile, Profiles } from '../../shared/profiles/loaded.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { readFolder, type ReadFolder } from '../yaml/read-folder.ts';
import { checkOverride, checkProfile, readProfileText, type ProfileText } from './check-profile.ts';

/** Where a person's own profiles and overrides lie, in the config folder. */
export const OWN_PROFILES = 'profiles';

const ONE_FILE_EACH = 'Keep one file for each platform.';

export interface ProfileFolders {
  readonly shipped: string;
  /** Need not exist. */
  readonly own: string;
}

export async function loadProfiles(folders: ProfileFolders): Promise<Profiles> {
  const advice = {
    tooLong: 'Keep only the fields that you change.',
    tooMany: ONE_FILE_EACH,
  };
  const shipped = await readFolder(folders.shipped, 'must be there', advice);
  const own = await readFolder(folders.own, 'may be absent', advice);
  const faults: FileFault[] = [...shipped.faults, ...own.faults];
  const loaded = new Map<string, LoadedProfile>();
  const texts = new Map<string, ProfileText>();
  for (const text of readTexts(shipped, faults)) {
    const checked = checkProfile(text);
    if (!checked.ok) faults.push(...checked.error);
    else {
      texts.set(text.id, text);
      loaded.set(text.id, { profile: checked.value, origin: 'shipped' });
    }
  }
  const seen = new Set<string>();
  for (const text of readTexts(own, faults)) {
    if (seen.has(text.id)) {
      faults.push({
        file: text.file,
        line: text.yaml.lineOf(['id']),
        message: `is a second file for "${text.id}"`,
        fix: ONE_FILE_EACH,
      });
      continue;
    }
    seen.add(text.id);
    const base = texts.get(text.id);
    const checked = base === undefined ? checkProfile(text) : checkOverride(base, text);
    if (!checked.ok) faults.push(...checked.error);
    else {
      const origin = base === undefined ? 'own' : 'overridden';
      loaded.set(text.id, { profile: checked.value, origin });
    }
  }
  const all = [...loaded.values()].sort((a, b) => (a.profile.id < b.profile.id ? -1 : 1));
  return { all, faults };
}

function readTexts({ texts }: ReadFolder, faults: FileFault[]): readonly ProfileText[] {
  const read: ProfileText[] = [];
  for (const { file, text } of texts) {
    const profile = readProfileText(file, text);
    if (profile.ok) read.push(profile.value);
    else faults.push(profile.error);
  }
  return read;
}
