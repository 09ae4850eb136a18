import type { Problem } from '../../shared/problem.ts';
import type { ResultFile, ResultList } from '../../shared/runs/launch/launched-run.ts';
import { settle, settledKey, type SettledFile } from '../../shared/transfer/select-behind.ts';
import { isSameFile } from '../../shared/transfer/file-version.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { doInTurns } from '../streams/in-turns.ts';
import { standsHere } from './local-copy.ts';
import { isFolder, type FoldersAsked } from './look-here.ts';
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
        if (proof.ok) settled.add(proof.value);
        else onProblem(proof.error);
      }
    });
    if (!read.ok) onProblem(read.error);
    return settled;
  }

  add(proof: RunProof): void {
    settle(this.#files, proof);
  }

  /** The files that came from a folder, or were left there. */
  in(folder: string): readonly { readonly path: string }[] {
    const before = settledKey(folder, '');
    return [...this.#files.keys()]
      .filter((key) => key.startsWith(before))
      .map((key) => ({ path: key.slice(before.length) }));
  }

  /** Those of a list that are settled: what was left, and what still lies here as it was proven. */
  async among({ folder, files }: ResultList): Promise<ReadonlySet<ResultFile>> {
    const found = new Set<ResultFile>();
    const isThere = new Map<string, boolean>();
    const asked: FoldersAsked = new Map();
    const stand = async (file: ResultFile): Promise<void> => {
      const settled = this.#files.get(settledKey(folder, file.path));
      if (settled === undefined || !isSameFile(file, settled)) return;
      const { to } = settled;
      if (to !== null && isThere.get(to) !== true) return;
      const place = to === null ? null : { to, path: file.path };
      if (place === null || (await standsHere(place, settled, asked))) found.add(file);
    };
    // Of a disk that does not answer one question waits, and not one for each of its files.
    for (const { path } of files) {
      const to = this.#files.get(settledKey(folder, path))?.to ?? null;
      if (to !== null && !isThere.has(to)) isThere.set(to, await isFolder(to));
    }
    for (let at = 0; at < files.length; at += ASKED_AT_ONCE) {
      await Promise.all(files.slice(at, at + ASKED_AT_ONCE).map(stand));
    }
    return found;
  }
}

const ASKED_AT_ONCE = 256;
