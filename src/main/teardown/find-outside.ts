import { isLocal, holderOf } from '../../shared/mounts/select-mounts.ts';
import type { Problem } from '../../shared/problem.ts';
import { tierOf, tiersAt } from '../../shared/profiles/tier-at.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { FoundOutside, OthersData } from '../../shared/teardown/found-on-box.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { MountSurvey } from '../profiles/mount-survey.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { WalkOptions } from '../files/run-roots.ts';
import type { KnownOfOthers } from './known-of-others.ts';
import { lookOutside } from './look-outside.ts';

export interface OutsideSources extends WalkOptions {
  readonly scripts: OnboxScripts;
  /** Null: the platform is not known. */
  readonly profile: Profile | null;
  readonly others: KnownOfOthers;
}

/** Where trackio keeps its projects, in a folder that is left out otherwise. */
const TRACKIO = '~/.cache/huggingface/trackio';

/** Where people keep what counts: the home folder, where runs worked, and each storage of the platform. */
export async function placesToLook(
  connection: SshConnection,
  runs: readonly LaunchedRun[],
  { scripts, profile }: Pick<OutsideSources, 'scripts' | 'profile'>,
) {
  const survey = new MountSurvey({ scripts, roster: { connectionOf: () => connection } });
  const surveyed = await survey.look('', profile);
  const mounts = surveyed.ok ? surveyed.value : null;
  const tiers = tiersAt(profile, mounts);
  const folders = [
    ...new Set([
      '~',
      ...tiers.map(({ path }) => path),
      // Also where it is not certain which storage that is.
      ...(mounts?.places ?? []).flatMap(({ path, place }) =>
        place.kind === 'there' ? place.path : place.kind === 'absent' ? [] : path,
      ),
      ...runs.map(({ folder }) => folder),
    ]),
  ].filter((folder) => folder !== '/');
  return { folders, tiers, mounts, fault: surveyed.ok ? null : surveyed.error.message };
}

/** What lies on the box besides the results, on which tier, and in which life of the machine. */
export async function findOutside(
  connection: SshConnection,
  runs: readonly LaunchedRun[],
  results: readonly string[],
  { scripts, profile, others, ...walk }: OutsideSources,
): Promise<Result<{ readonly outside: FoundOutside; readonly life: string | null }, Problem>> {
  const { folders, tiers, mounts, fault } = await placesToLook(connection, runs, {
    scripts,
    profile,
  });
  const look = [...new Set([...folders, TRACKIO])];
  const looked = await lookOutside(connection, scripts, { look, skip: results }, walk);
  if (!looked.ok) return looked;
  const { files, sent, isCut, unread, life } = looked.value;
  const tierAt = (path: string): string | null =>
    tierOf(path.slice(0, Math.max(1, path.lastIndexOf('/'))), tiers, mounts)?.tier.name ?? null;
  // A disk of the machine itself is nobody else's, whatever path another box has.
  const isShared = (path: string): boolean => {
    const mount = holderOf(mounts?.mounts ?? [], path);
    return mount !== null && !isLocal(mount);
  };
  const shared = [
    ...new Set(tiers.filter(({ path }) => isShared(path)).map(({ tier }) => tier.name)),
  ];
  return ok({
    life,
    outside: {
      ...{ looked: look, sent, isCut },
      unread: unread ?? fault,
      files: files.map((file) => ({ ...file, tier: tierAt(file.path) })),
      others: [
        ...others.kept
          .filter(({ path }) => isShared(path))
          .map(({ boxName, path }) => ({ boxName, tier: tierAt(`${path}/`), path })),
        ...others.unseen.flatMap((boxName): readonly OthersData[] =>
          shared.map((tier) => ({ boxName, tier, path: null })),
        ),
      ],
    },
  });
}
