import { dirname, join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import {
  copiesOf,
  type JudgedResults,
  type RestingCopy,
} from '../../shared/teardown/blockers/result-files.ts';
import type { RunsKnown } from '../files/run-roots.ts';
import { whileMarked } from '../transfer/apart.ts';
import type { HomeCheck, HomeCheckOptions } from '../transfer/home-check.ts';

export interface CopySources {
  readonly boxId: string;
  readonly runs: Pick<RunsKnown, 'hash' | 'list'>;
  readonly home: Pick<HomeCheck, 'check'>;
}

/** As many as are told apart; all of them block alike. */
const MOST_FAULTS = 100;

/**
 * Reads every copy again, byte by byte, and whether it lies on another disk than the box's; where the disk of the box does not tell each
 * writing, the box hashes the file once more. Answers what is wrong, a sentence each.
 */
export async function readCopies(
  results: readonly JudgedResults[],
  { boxId, runs, home }: CopySources,
  options: HomeCheckOptions,
): Promise<Result<readonly string[], Problem>> {
  const copies = copiesOf(results);
  const faults = await home.check(copies, options);
  if (!faults.ok) return faults;
  const said = faults.value.map(({ path, because }) => `${path}: ${because}`);
  // Where a copy is gone its folder may be, too, and that is told already.
  const lost = new Set(faults.value.map(({ path }) => path));
  const there = copies.filter(({ file }) => !lost.has(file.path));
  // Of what the box has not any more, nothing there can be asked.
  const onBox = results.filter(({ isThere }) => isThere);
  const held = await heldTogether(boxId, onBox, there, runs.list);
  if (!held.ok) return held;
  said.push(...held.value);
  for (const found of onBox.filter(({ proven }) => proven?.tellsWrites === false)) {
    const resting = copiesOf([{ ...found, away: [] }]);
    if (resting.length === 0) continue;
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

/** Folders of the box in which a copy would lie: those would go with it. The box lists them while a mark lies beside each copy. */
async function heldTogether(
  boxId: string,
  results: readonly JudgedResults[],
  copies: readonly RestingCopy[],
  list: RunsKnown['list'],
): Promise<Result<readonly string[], Problem>> {
  if (copies.length === 0) return ok([]);
  const here = new Set(copies.map(({ to, file }) => dirname(join(to, ...file.path.split('/')))));
  return whileMarked<readonly string[]>(here, async (mark) => {
    const shared: string[] = [];
    for (const { path } of results) {
      const listed = await list(boxId, path);
      if (!listed.ok) return listed;
      const isSeen = listed.value.files.some(
        (file) => file.path === mark || file.path.endsWith(`/${mark}`),
      );
      if (isSeen) shared.push(`${path} is the very folder in which the copies lie`);
    }
    return ok(shared);
  });
}
