import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  LoadedProfile,
  ProfileChange,
  ProfileFault,
  Profiles,
} from '../../shared/profiles/loaded.ts';
import { changedFields } from '../../shared/profiles/override.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { checkOverride, checkProfile, readProfileText, type ProfileText } from './check-profile.ts';
import { MAX_YAML_BYTES } from './read-yaml.ts';

/** Far above any real folder; what is beyond is named and not read. */
const MAX_FILES = 200;

/** Where a person's own profiles and overrides lie, in the config folder. */
export const OWN_PROFILES = 'profiles';

export interface ProfileFolders {
  readonly shipped: string;
  /** Need not exist. */
  readonly own: string;
}

/** What ships, read and checked: it does not change while Leasehold runs. */
export interface ShippedProfiles {
  readonly texts: ReadonlyMap<string, ProfileText>;
  readonly loaded: ReadonlyMap<string, LoadedProfile>;
  readonly faults: readonly ProfileFault[];
}

export async function loadProfiles({ shipped, own }: ProfileFolders): Promise<Profiles> {
  return addOwn(await readShipped(shipped), own);
}

export async function readShipped(folder: string): Promise<ShippedProfiles> {
  const read = await readFolder(folder, 'must be there');
  const faults: ProfileFault[] = [...read.faults];
  const texts = new Map<string, ProfileText>();
  const loaded = new Map<string, LoadedProfile>();
  for (const text of read.texts) {
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
  const own = await readFolder(folder, 'may be absent');
  const faults: ProfileFault[] = [...shipped.faults, ...own.faults];
  const loaded = new Map(shipped.loaded);
  const seen = new Set<string>();
  for (const text of own.texts) {
    if (seen.has(text.id)) {
      faults.push({
        file: text.file,
        line: text.yaml.lineOf(['id']),
        message: `is a second file for "${text.id}"`,
        fix: 'Keep one file for each platform.',
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
  return { ownFolder: folder, all, faults };
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

interface ReadFolder {
  readonly texts: readonly ProfileText[];
  readonly faults: readonly ProfileFault[];
}

async function readFolder(
  folder: string,
  need: 'must be there' | 'may be absent',
): Promise<ReadFolder> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
  } catch (cause) {
    if (need === 'may be absent' && errnoOf(cause) === 'ENOENT') return { texts: [], faults: [] };
    return { texts: [], faults: [unreadable(folder, cause)] };
  }
  const texts: ProfileText[] = [];
  const faults: ProfileFault[] = [];
  for (const name of names.slice(0, MAX_FILES)) {
    const file = join(folder, name);
    const text = await readBounded(file);
    const read = text.ok ? readProfileText(file, text.value) : text;
    if (read.ok) texts.push(read.value);
    else faults.push(read.error);
  }
  for (const name of names.slice(MAX_FILES)) {
    faults.push({
      file: join(folder, name),
      line: 1,
      message: `is one of more than ${MAX_FILES} files`,
      fix: 'Keep one file for each platform.',
    });
  }
  return { texts, faults };
}

async function readBounded(file: string): Promise<Result<string, ProfileFault>> {
  try {
    // Before it is opened: a pipe without a writer would never let go.
    if (!(await stat(file)).isFile()) return err(notAFile(file));
    const handle = await open(file, 'r');
    try {
      const buffer = Buffer.alloc(MAX_YAML_BYTES + 1);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      if (bytesRead > MAX_YAML_BYTES) {
        return err({
          file,
          line: 1,
          message: `is longer than ${MAX_YAML_BYTES / 1024} KiB`,
          fix: 'Keep only the fields that you change.',
        });
      }
      return ok(new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)));
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return err(unreadable(file, cause));
  }
}

function notAFile(file: string): ProfileFault {
  return { file, line: 1, message: 'is not a plain file', fix: 'Put the file itself here.' };
}

function unreadable(file: string, cause: unknown): ProfileFault {
  if (cause instanceof TypeError) {
    return { file, line: 1, message: 'is not UTF-8 text', fix: 'Save it as UTF-8.' };
  }
  const errno = errnoOf(cause);
  if (errno === null) throw cause;
  return {
    file,
    line: 1,
    message: `cannot be read (${errno})`,
    fix: 'Check that it is there and that its permissions let you read it.',
  };
}
