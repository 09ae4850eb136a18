import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  atStakeIn,
  type LaunchedRun,
  type ResultList,
} from '../../shared/runs/launch/launched-run.ts';
import type { AbsentResults, FoundResults } from '../../shared/teardown/found-on-box.ts';
import { placesOf, provenIn, type RunsKnown, type WalkOptions } from '../files/run-roots.ts';

export interface ResultsOnBox {
  readonly results: readonly FoundResults[];
  readonly absent: readonly AbsentResults[];
}

interface Place {
  readonly runId: string;
  readonly runName: string;
  readonly written: string;
}

/**
 * Everything that the runs of a box have left, and what a person wants to have home, as the box lists it now. The box's own shell says what a
 * path means, as it did for the run. Whatever of this is not known is a problem.
 */
export async function findResults(
  boxId: string,
  runs: readonly LaunchedRun[],
  { folders, proof, list }: Pick<RunsKnown, 'folders' | 'proof' | 'list'>,
  { onFiles, signal }: WalkOptions = {},
): Promise<Result<ResultsOnBox, Problem>> {
  const places: readonly Place[] = [
    ...runs
      .filter(isPlaced)
      .flatMap((run) =>
        placesOf(run).flatMap(([holds, written]) =>
          holds === 'run' ? [] : [{ runId: run.id, runName: nameOf(run), written }],
        ),
      ),
    ...folders(boxId).map((root) => ({
      ...{ runId: root.id, runName: nameOf(root), written: root.folder },
    })),
  ];
  // Runs that went on after each other share a folder: what was proven of it last counts.
  const byFolder = new Map<string, FoundResults>();
  const absent = new Map<string, AbsentResults>();
  const lists = new Map<string, Result<ResultList, Problem>>();
  let files = 0;
  for (const { runId, runName, written } of places) {
    const before = files;
    const listed =
      lists.get(written) ??
      (await list(boxId, written, {
        ...(signal !== undefined && { signal }),
        onFiles: (more) => {
          files = before + more;
          onFiles?.(files);
        },
      }));
    lists.set(written, listed);
    if (!listed.ok) {
      if (listed.error.code !== 'results-not-there') return listed;
      absent.set(written, { runName, path: written });
      continue;
    }
    const { folder, others, isCut } = listed.value;
    if (isCut) return err(problem('results-unknown', `${folder} holds more than one look tells.`));
    const proven = await proof(boxId, runId);
    if (!proven.ok) return proven;
    const known = byFolder.get(folder);
    if (known !== undefined && evidenceOf(known) >= (proven.value?.seq ?? 0)) continue;
    byFolder.set(folder, {
      ...{ runId, runName, path: folder },
      // A box lists a folder in whatever order its disk has it, and what is approved must not change with that.
      listed: inOrder(atStakeIn(listed.value)),
      others: inOrder(others.filter(({ kind }) => kind !== 'closed')),
      proven: proven.value === null ? null : provenIn(proven.value, listed.value),
    });
  }
  return ok({ results: [...byFolder.values()], absent: [...absent.values()] });
}

/** Of a run whose folder does not tell where it worked there is no place to list; that is told by itself. */
export const isPlaced = ({ folder }: LaunchedRun): boolean => folder !== '';

const inOrder = <T extends { readonly path: string }>(files: readonly T[]): readonly T[] =>
  [...files].sort((a, b) => (a.path < b.path ? -1 : 1));

const evidenceOf = ({ proven }: FoundResults): number => proven?.evidence ?? 0;

const nameOf = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === '' ? id : name;
