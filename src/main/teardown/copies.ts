import { dirname, join } from 'node:path';
import { joinPath } from '../../shared/files/box-path.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FoundResults } from '../../shared/teardown/inspection.ts';
import { copiesOf, type RestingCopy } from '../../shared/teardown/judge-inspection.ts';
import type { RunsKnown } from '../files/run-roots.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { whileMarked } from '../transfer/apart.ts';
import type { HomeCheck, HomeCheckOptions } from '../transfer/home-check.ts';

export interface CopySources {
  readonly boxId: string;
  readonly files: BoxFiles;
  readonly runs: Pick<RunsKnown, 'hash'>;
  readonly home: Pick<HomeCheck, 'check'>;
}

/** As many as are told apart; all of them block alike. */
const MOST_FAULTS = 100;

/**
 * Reads every copy again, byte by byte, and whether it lies on another disk than the box's; where the disk of the box does not tell each
 * writing, the box hashes the file once more. Answers what is wrong, a sentence each.
 */
export async function readCopies(
  results: readonly FoundResults[],
  { boxId, files, runs, home }: CopySources,
  options: HomeCheckOptions,
): Promise<Result<readonly string[], Problem>> {
  const copies = copiesOf(results);
  const faults = await home.check(copies, options);
  if (!faults.ok) return faults;
  const said = faults.value.map(({ path, because }) => `${path}: ${because}`);
  // Where a copy is gone its folder may be, too, and that is told already.
  const lost = new Set(faults.value.map(({ path }) => path));
  const there = copies.filter(({ file }) => !lost.has(file.path));
  const held = await heldTogether(files, results, there);
  if (!held.ok) return held;
  said.push(...held.value);
  for (const found of results.filter(({ proven }) => proven?.tellsWrites === false)) {
    const resting = copiesOf([found]);
    const hashed = await runs.hash(
      boxId,
      found.path,
      resting.map(({ file }) => file.path),
    );
    if (!hashed.ok) return hashed;
    for (const { file } of resting) {
      if (hashed.value.get(file.path) === file.sha256) continue;
      said.push(`${file.path}: has other bytes on the box now`);
    }
  }
  return ok(said.slice(0, MOST_FAULTS));
}

/** Folders of copies that the box itself sees: they would go with it. */
async function heldTogether(
  files: BoxFiles,
  results: readonly FoundResults[],
  copies: readonly RestingCopy[],
): Promise<Result<readonly string[], Problem>> {
  if (copies.length === 0) return ok([]);
  const here = new Set(copies.map(({ to, file }) => dirname(join(to, ...file.path.split('/')))));
  const there = new Set(
    results.flatMap(({ path, listed }) => listed.map((file) => dirname(joinPath(path, file.path)))),
  );
  const shared: string[] = [];
  const looked = await whileMarked<null>(here, async (mark) => {
    for (const folder of there) {
      const seen = await files.stat(joinPath(folder, mark));
      if (seen.ok) shared.push(`${folder} is the very folder in which the copies lie`);
      else if (seen.error.code !== 'no-such-file') return seen;
    }
    return ok(null);
  });
  return looked.ok ? ok(shared) : err(problem('results-unknown', looked.error.message));
}
