import type { BoxMounts, MeasuredMount, Mount } from '../../shared/mounts/mount.ts';
import { isLocal, selectMounts } from '../../shared/mounts/select-mounts.ts';
import {
  escapedPath,
  parseMeasured,
  parseMountList,
  type ListedMounts,
} from '../../shared/probes/mounts.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { fitsPattern, isPattern, pathOn, pathsOf } from '../../shared/profiles/tier-paths.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';

/** The kernel answers this by itself. */
const LIST_TIMEOUT_MS = 20_000;
/** Three that hang, four seconds each, and everything else. */
const MEASURE_TIMEOUT_MS = 60_000;

export interface MountSurveyOptions {
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
}

/** Finds what lives where on a box. Changes nothing there. */
export class MountSurvey {
  readonly #options: MountSurveyOptions;

  constructor(options: MountSurveyOptions) {
    this.#options = options;
  }

  /** `profile`: whose tiers are looked for; null: the platform is not known. */
  async look(boxId: string, profile: Profile | null): Promise<Result<BoxMounts, Problem>> {
    const { roster, scripts } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const mark = newMark();
    const ran = await scripts.run(
      connection,
      'list-mounts.sh',
      { LEASEHOLD_MARK: mark },
      LIST_TIMEOUT_MS,
    );
    if (!ran.ok) return ran;
    const listed = parseMountList(ran.value.stdout, mark);
    if (!listed.isWhole || listed.mounts.length === 0) {
      const said = listed.isWhole
        ? 'names no mounts'
        : 'stopped in the middle of its list of mounts';
      return err(problem('command-not-run', `The box ${said}.`, { detail: ran.value.stderr }));
    }
    return ok(await this.#measure(connection, listed, profile));
  }

  /** A box that does not say how large they are has still said what is mounted. */
  async #measure(
    connection: SshConnection,
    listed: ListedMounts,
    profile: Profile | null,
  ): Promise<BoxMounts> {
    const names = [...new Set((profile?.storage ?? []).flatMap(pathsOf))];
    const folders = names.flatMap((name) => {
      const path = isPattern(name) ? null : pathOn(name, listed);
      return path === null ? [] : { name, path };
    });
    const patterns = names.filter(isPattern);
    const { chosen, leftOut } = selectMounts(
      listed.mounts,
      ({ path }) => patterns.some((pattern) => fitsPattern(pattern, path)),
      folders.map(({ path }) => path),
    );
    const mark = newMark();
    const values = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_MOUNTS: chosen
        .map((each) => `${isLocal(each) ? 'local' : 'far'}:${each.id}`)
        .join(' '),
      LEASEHOLD_PLACES: folders.map(({ path }) => escapedPath(path)).join(' '),
    };
    const ran = await this.#options.scripts.run(
      connection,
      'measure-mounts.sh',
      values,
      MEASURE_TIMEOUT_MS,
    );
    const asked = { mounts: chosen, places: folders.map(({ path }) => path) };
    const { mounts, places } = ran.ok
      ? parseMeasured(ran.value.stdout, mark, asked)
      : {
          mounts: chosen.map((mount) => unmeasured(mount, ran.error)),
          places: folders.map(() => ({ kind: 'unknown', because: ran.error.message }) as const),
        };
    return {
      atMs: Date.now(),
      mounts,
      leftOut,
      places: folders.map((folder, at) => ({
        ...folder,
        place: places[at] ?? { kind: 'unknown', because: 'the box did not say' },
      })),
      unreadable: listed.unreadable,
    };
  }
}

function unmeasured(mount: Mount, { message }: Problem): MeasuredMount {
  return { ...mount, usage: null, because: message };
}
