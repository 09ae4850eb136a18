import { joinPath, nameOf, parentOf, typedPath } from '../../shared/files/box-path.ts';
import { doomedResults, whyNotDelete } from '../../shared/files/judge-delete.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import type { PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import {
  judgeOverwritten,
  type Overwritten,
} from '../../shared/runs/launch/checks/overwrite-check.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { RunPreflight } from '../../shared/runs/launch/run-preflight.ts';
import { findRootsBy, type BoxKnown, type Ways } from '../files/run-roots.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { FoundPush } from '../transfer/code-pusher.ts';
import { listResults, LONG_LIST } from './list-results.ts';
import { lookAtAllRuns, lookAtRuns } from './look-at-runs.ts';
import { realPlaces } from './real-places.ts';

export interface OverwrittenOptions {
  readonly scripts: OnboxScripts;
  readonly push: FoundPush | null;
  readonly look: Pick<RunPreflight, 'home'>;
  readonly known: Pick<KnownBox, 'results'>;
}

/** Whether a push would overwrite what a run has left and this computer does not have, by the rule by which the Files tab deletes. */
export async function checkOverwritten(
  connection: SshConnection,
  { scripts, push, look, known }: OverwrittenOptions,
): Promise<readonly PreflightCheck[]> {
  if (push === null || push.written.size === 0) return [];
  const { folders, proof } = known.results;
  const named = folders();
  const paths = [...push.written.keys()];
  if (!named.ok) return judgeOverwritten(paths, named);
  const newest = await lookAtRuns(connection, scripts);
  const all = newest.ok ? await lookAtAllRuns(connection, scripts, newest.value) : newest;
  if (!all.ok) return judgeOverwritten(paths, all);
  const around: BoxKnown = {
    folders: () => named.value,
    proof,
    look: () => Promise.resolve(ok({ ...all.value, problem: null })),
    list: (folder) =>
      listResults(connection, scripts, { folder, results: folder }, { bounds: LONG_LIST }),
  };
  const found = await whyNotOverwritten(push, look.home, around, (folders) =>
    realPlaces(connection, scripts, folders),
  );
  return judgeOverwritten(paths, found);
}

type RealPlaces = (
  folders: readonly string[],
) => Promise<Result<ReadonlyMap<string, string>, Problem>>;

async function whyNotOverwritten(
  { written, look }: FoundPush,
  home: string,
  known: BoxKnown,
  realOf: RealPlaces,
): Promise<Overwritten> {
  const files = [...written].map(([path, seen]) => ({
    ...{ whole: joinPath(look.folder, path), name: nameOf(path) },
    sha256: seen.kind === 'file' ? seen.sha256 : null,
  }));
  const ways = await waysOn(
    home,
    known,
    files.map(({ whole }) => parentOf(whole) ?? '/'),
    realOf,
  );
  if (!ways.ok) return ways;
  const hashes = new Map(
    files.map(({ whole, name, sha256 }) => [
      joinPath(ways.value.at(parentOf(whole) ?? '/'), name),
      sha256,
    ]),
  );
  const chosen = [...hashes.keys()];
  const roots = await findRootsBy(ways.value, known, chosen);
  if (!roots.ok) return roots;
  for (const root of roots.value) {
    const sizes = new Map(
      root.proven?.listed.map(({ path, bytes }) => [joinPath(root.path, path), bytes]),
    );
    // By its size a listed file is the one that was looked at: its hash says so below.
    const doomed = chosen.map((path) => ({
      path,
      file: { kind: 'file', sizeBytes: sizes.get(path) ?? null, modifiedAtMs: null } as const,
    }));
    const because = whyNotDelete(chosen, doomed, [root]);
    if (because !== null) return ok(because);
    const other = doomedResults(doomed, [root]).find(
      ({ file: { path, sha256 } }) => hashes.get(joinPath(root.path, path)) !== sha256,
    );
    if (other !== undefined) {
      return ok(
        `“${other.file.path}” is a result of the run “${root.runName}”, and it is not proven that this computer has it as it is now.`,
      );
    }
  }
  return ok(null);
}

/** A push needs no SFTP, so the shell of the box says where all of them are, in one go: which ones are asked for is found without it. */
async function waysOn(
  home: string,
  known: BoxKnown,
  folders: readonly string[],
  realOf: RealPlaces,
): Promise<Result<Ways & { readonly at: (whole: string) => string }, Problem>> {
  const wanted: string[] = [...folders];
  const collected = await findRootsBy(
    {
      home: () => Promise.resolve(ok(home)),
      to: (whole) => {
        wanted.push(whole);
        return Promise.resolve(ok(null));
      },
    },
    known,
    [],
  );
  if (!collected.ok) return collected;
  const real = await realOf(wanted);
  if (!real.ok) return real;
  const at = (whole: string): string => real.value.get(whole) ?? typedPath(whole, '/', home);
  return ok({
    at,
    home: () => Promise.resolve(ok(home)),
    to: (whole) => Promise.resolve(ok({ path: at(whole), links: [] })),
  });
}
