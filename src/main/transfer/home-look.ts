import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { brokenSets, isHere, pulledState } from '../../shared/transfer/home.ts';
import type { HomeLook, UnprovenFile } from '../../shared/transfer/home-look.ts';
import { placeOfResults, type ResultRoot } from '../../shared/transfer/result-root.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { MakeOptions } from '../manifest/make-manifest.ts';
import type { Manifests } from '../manifest/manifests.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { inSlices } from '../streams/in-slices.ts';
import { standsHereNow } from './local-copy.ts';
import { isFolder, type FoldersAsked } from './look-here.ts';

/** A person reads them. */
const MOST_NAMED = 200;

/** Looks at the box and at the copies once more, after results came home. `proof`: the newest of that run, beside what was accepted of it. */
export async function lookHome(
  connection: SshConnection,
  manifests: Pick<Manifests, 'since'>,
  {
    boxId,
    run,
    proof,
  }: { readonly boxId: string; readonly run: ResultRoot; readonly proof: RunProof },
  options: MakeOptions,
): Promise<Result<HomeLook, Problem>> {
  const { seq, atMs, report } = proof;
  const place = { boxId, ...placeOfResults(run) };
  const since = await manifests.since(connection, place, report.manifest, options);
  if (!since.ok) return since;
  const missing: string[] = [];
  let count = 0;
  // A disk that went away is asked about once, without holding up main.
  const isThere = await isFolder(report.to);
  const unproven: UnprovenFile[] = [];
  const asked: FoldersAsked = new Map();
  await inSlices(report.files, (file) => {
    const { path, bytes } = file;
    const state = pulledState(file);
    if (state !== 'home' && state !== 'accepted') unproven.push({ path, bytes, state });
    if (!isHere(state)) return;
    if (isThere && standsHereNow({ to: report.to, path }, { ...file, atMs }, asked)) return;
    count += 1;
    if (missing.length < MOST_NAMED) missing.push(path);
  });
  if (options.signal.aborted) return err(problem('aborted', 'You stopped the check.'));
  return ok({
    ...{ seq, ...since.value, unproven },
    missingCopies: { count, named: missing },
    brokenSets: brokenSets(report).map(({ path }) => path),
  });
}
