import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { gatewayAt } from '../../shared/profiles/guess-platform.ts';
import { watchedOn, type Watched } from '../../shared/profiles/places.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { profilesStream } from '../../shared/streams/app-streams.ts';
import type { Log } from '../log/log.ts';
import { watchFiles } from '../storage/watch-files.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { createSerial } from '../storage/serial.ts';
import { Source, type Followed } from '../streams/source.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import { addOwn, readShipped, type ProfileFolders } from './load-profiles.ts';

/** The profiles as the files said when they were last looked at. */
export interface ProfileBook {
  readonly profileOf: (platform: string) => Profile | null;
  /** What is looked at on a box of this platform; null: nobody knows whose it is. */
  readonly watchedOn: (platform: string | null) => Watched;
  /** The entry with the way out of a gateway for terminals alone; null: this host is none that a profile knows. */
  readonly gatewayAt: (host: string) => string | null;
  /** Reads the person's files anew where they have changed. */
  readonly look: () => Promise<Profiles>;
  /** The folder of the person's own profiles, made where there is none yet. */
  readonly ownFolder: () => Promise<Result<string, Problem>>;
  /** Of these platforms other facts are known from now on. */
  readonly changes: Followed<ReadonlySet<string>>;
  readonly close: () => void;
}

export interface ProfileBookOptions {
  readonly folders: ProfileFolders;
  readonly hub: StreamHub;
  readonly log: Log;
  readonly onProblem: (found: Problem) => void;
}

/** Files that cannot be used are told, and what they were meant to change is as it was shipped. */
export async function openProfiles({
  folders,
  hub,
  log,
  onProblem,
}: ProfileBookOptions): Promise<ProfileBook> {
  const shipped = await readShipped(folders);
  const topic = hub.addTopic('profiles', '', { kind: profilesStream, initial: { revision: 0 } });
  const changes = new Source<ReadonlySet<string>>();
  const serial = createSerial();
  let isClosed = false;
  let state = await stateOf(folders.own);
  let loaded = await addOwn(shipped, folders.own);
  let byId = indexed(loaded);
  for (const fault of loaded.faults) {
    onProblem(problem('profile-unusable', faultSentence(fault), { nextStep: fault.fix }));
  }
  const watching = watchFiles(() => void look(), log);
  follow();

  function follow(): void {
    if (state !== null && !isClosed) watching.follow([join(folders.own, 'any.yaml')]);
  }

  /** What is wrong with a file now stands on the Facts page, where it is mended; a notice for each saved draft would be too much. */
  function look(): Promise<Profiles> {
    return serial.run(async () => {
      const now = await stateOf(folders.own);
      if (now === state || isClosed) return loaded;
      state = now;
      loaded = await addOwn(shipped, folders.own);
      const before = byId;
      byId = indexed(loaded);
      follow();
      topic.publish({ revision: topic.state.revision + 1 });
      const changed = changedBetween(before, byId);
      if (changed.size > 0) changes.tell(changed);
      return loaded;
    });
  }

  return {
    profileOf: (platform) => byId.get(platform) ?? null,
    watchedOn: (platform) => watchedOn(platform, [...byId.values()]),
    gatewayAt: (host) => gatewayAt(byId.values(), host),
    look,
    changes,
    ownFolder: async () => {
      try {
        await mkdir(folders.own, { recursive: true });
      } catch (cause) {
        const failed = 'The folder for your profiles was not made';
        return err(
          fileProblem(cause, { failed, file: folders.own, otherwise: 'folder-read-only' }),
        );
      }
      await look();
      return ok(folders.own);
    },
    close: () => {
      isClosed = true;
      watching.close();
    },
  };
}

type ById = ReadonlyMap<string, Profile>;

function changedBetween(before: ById, after: ById): ReadonlySet<string> {
  const ids = new Set([...before.keys(), ...after.keys()]);
  const textOf = (known: ById, id: string): string => JSON.stringify(known.get(id) ?? null);
  return new Set([...ids].filter((id) => textOf(before, id) !== textOf(after, id)));
}

function indexed({ all, demo }: Profiles): ById {
  const known = demo === null ? all : [...all, demo];
  return new Map(known.map(({ profile }) => [profile.id, profile]));
}

/** Differs when a file came, went or was written; null: there is no such folder. */
async function stateOf(folder: string): Promise<string | null> {
  try {
    const names = (await readdir(folder)).sort();
    const states = names.map(async (name) => {
      const { mtimeMs, size, ino } = await stat(join(folder, name));
      return [name, mtimeMs, size, ino].join(' ');
    });
    return (await Promise.allSettled(states))
      .map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
      .join('\n');
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    // Anything but "not there" is said when the folder is read.
    return errno === 'ENOENT' ? null : errno;
  }
}
