import { stat } from 'node:fs/promises';
import type { Problem } from '../../shared/problem.ts';
import type { ResultFile, ResultList } from '../../shared/runs/launch/launched-run.ts';
import { isSameFile, settle, settledKey, type SettledFile } from '../../shared/transfer/behind.ts';
import type { PullReport } from '../../shared/transfer/pull.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { doInTurns } from '../streams/in-turns.ts';
import { readProofInSteps } from './read-proof.ts';

/** What the evidence says of the results of one box, all its pulls together. Read once, and then told of each new pull. */
export class SettledFiles {
  readonly #files = new Map<string, SettledFile>();

  static async read(
    evidence: Pick<EvidenceTable, 'pullsOf'>,
    boxId: string,
    onProblem: (found: Problem) => void,
  ): Promise<SettledFiles> {
    const settled = new SettledFiles();
    const read = await evidence.pullsOf(boxId, async ({ rows, unreadable }) => {
      // What cannot be read proves nothing: its files count as not here.
      for (const found of unreadable) onProblem(found);
      for (const entry of rows) {
        const proof = await doInTurns(readProofInSteps(entry));
        if (proof.ok) settled.add(proof.value.report);
        else onProblem(proof.error);
      }
    });
    if (!read.ok) onProblem(read.error);
    return settled;
  }

  add(report: PullReport): void {
    settle(this.#files, report);
  }

  /** Those of a list that are settled. A folder of this computer that is gone, or a disk that is not there, has nothing. */
  async among({ folder, files }: ResultList): Promise<ReadonlySet<ResultFile>> {
    const found = new Set<ResultFile>();
    const isThere = new Map<string, boolean>();
    for (const file of files) {
      const settled = this.#files.get(settledKey(folder, file.path));
      if (settled === undefined || !isSameFile(file, settled)) continue;
      const { to } = settled;
      if (to !== null && !isThere.has(to)) isThere.set(to, await isFolder(to));
      if (to === null || isThere.get(to) === true) found.add(file);
    }
    return found;
  }
}

/** Asked without holding up main: it may lie on a disk that went away. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
