import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import type { LoadedProfile, ProfileChange, Profiles } from '../../shared/profiles/loaded.ts';
import { changedFields } from '../../shared/profiles/override.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { nextTurn } from '../streams/in-turns.ts';
import { readFolder, type FolderAdvice, type ReadFolder } from '../yaml/read-folder.ts';
import { checkOverride, checkProfile, readProfileText, type ProfileText } from './check-profile.ts';

/** Where a person's own profiles and overrides lie, in the config folder. */
export const OWN_PROFILES = 'profiles';

const ONE_FILE_EACH = 'Keep one file for each platform.';

const ADVICE: FolderAdvice = {
  tooLong: 'Keep only the fields that you change.',
  tooMany: ONE_FILE_EACH,
};

export interface ProfileFolders {
  readonly shipped: string;
  /** Need not exist. */
  readonly own: string;
  /** Of the demo box; absent where there is none, as on the command line. */
  readonly demo?: string;
}

/** What ships, read and checked: it does not change while Leasehold runs. */
export interface ShippedProfiles {
  readonly texts: ReadonlyMap<string, ProfileText>;
  readonly loaded: ReadonlyMap<string, LoadedProfile>;
  readonly demo: LoadedProfile | null;
  readonly faults: readonly FileFault[];
}

export async function loadProfiles(folders: ProfileFolders): Promise<Profiles> {
  return addOwn(await readShipped(folders), folders.own);
}

export async function readShipped({
  shipped,
  demo,
}: Pick<ProfileFolders, 'shipped' | 'demo'>): Promise<ShippedProfiles> {
  const real = await readPlatforms(shipped);
  if (demo === undefined) return { ...real, demo: null };
  const simulated = await readPlatforms(demo);
  return {
    ...real,
    demo: simulated.loaded.get(DEMO_PLATFORM) ?? null,
    faults: [...real.faults, ...simulated.faults],
  };
}

async function readPlatforms(folder: string): Promise<Omit<ShippedProfiles, 'demo'>> {
  const read = await readFolder(folder, 'must be there', ADVICE);
  const faults: FileFault[] = [...read.faults];
  const texts = new Map<string, ProfileText>();
  const loaded = new Map<string, LoadedProfile>();
  for (const text of await readTexts(read, faults)) {
    const checked = checkProfile(text);
    if (!checked.ok) faults.push(...checked.error);
    else {
      texts.set(text.id, text);
      loaded.set(text.id, { profile: checked.value, origin: 'shipped', file: null, changes: [] });
    }
  }
  return { texts, loaded, faults };
}

/** The person's own files over what ships. */
export async function addOwn(shipped: ShippedProfiles, folder: string): Promise<Profiles> {
  const own = await readFolder(folder, 'may be absent', ADVICE);
  const faults: FileFault[] = [...shipped.faults, ...own.faults];
  const loaded = new Map(shipped.loaded);
  const seen = new Set<string>();
  for (const text of await readTexts(own, faults)) {
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
    const base = shipped.texts.get(text.id);
    const checked = base === undefined ? checkProfile(text) : checkOverride(base, text);
    if (!checked.ok) faults.push(...checked.error);
    else {
      loaded.set(text.id, {
        profile: checked.value,
        origin: base === undefined ? 'own' : 'overridden',
        file: text.file,
        changes: base === undefined ? [] : changesOf(base, text),
      });
    }
  }
  const all = [...loaded.values()].sort((a, b) => (a.profile.id < b.profile.id ? -1 : 1));
  return { ownFolder: folder, all, demo: shipped.demo, faults };
}

function changesOf(shipped: ProfileText, own: ProfileText): readonly ProfileChange[] {
  return changedFields(shipped.yaml.value, own.yaml.value).flatMap(({ path, names, was, now }) =>
    path[0] === 'format' || path[0] === 'id'
      ? []
      : {
          field: names.join(' › '),
          line: own.yaml.lineOf(path),
          was: was === undefined ? null : asText(was),
          now: asText(now),
        },
  );
}

/** Enough to recognise a whole entry by. */
const MAX_TEXT = 300;

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}

/** One a turn: each takes some ten milliseconds, and the window waits for its first answers. */
async function readTexts(
  { texts }: ReadFolder,
  faults: FileFault[],
): Promise<readonly ProfileText[]> {
  const read: ProfileText[] = [];
  for (const { file, text } of texts) {
    await nextTurn();
    const profile = readProfileText(file, text);
    if (profile.ok) read.push(profile.value);
    else faults.push(profile.error);
  }
  return read;
}
