import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, unreachable, type Result } from '../../shared/result.ts';
import {
  atStakeIn,
  type LaunchedRun,
  type ResultList,
} from '../../shared/runs/launch/launched-run.ts';
import type {
  AbsentResults,
  FoundResults,
  MissingRun,
} from '../../shared/teardown/found-on-box.ts';
import type { SeenRun } from '../runs/seen-runs.ts';
import { placesOf, provenIn, type RunsKnown, type WalkOptions } from '../files/run-roots.ts';

export interface ResultsOnBox {
  readonly results: readonly FoundResults[];
  readonly absent: readonly AbsentResults[];
  readonly missing: readonly MissingRun[];
}

interface Place {
  readonly runId: string;
  readonly runName: string;
  readonly written: string;
  /** Why something should lie there, though nothing was brought home. */
  readonly missed: AbsentResults['missed'];
}

export interface RunsOfBox {
  readonly launched: readonly LaunchedRun[];
  /** Those that were on it, and of which it does not tell any more. */
  readonly missing: readonly SeenRun[];
}

/**
 * Everything that the runs of a box have left, and what a person wants to have home, as the box lists it now. The box's own shell says what a
 * path means, as it did for the run. Whatever of this is not known is a problem.
 */
export async function findResults(
  boxId: string,
  { launched, missing }: RunsOfBox,
  { folders, proof, list }: Pick<RunsKnown, 'folders' | 'proof' | 'list'>,
  { onFiles, signal }: WalkOptions = {},
): Promise<Result<ResultsOnBox, Problem>> {
  const lost = await placesOfMissing(boxId, missing, proof);
  if (!lost.ok) return lost;
  const places: readonly Place[] = [
    ...lost.value.places,
    ...launched
      .filter(isPlaced)
      .flatMap((run) =>
        placesOf(run).flatMap(([holds, written]) =>
          holds === 'run'
            ? []
            : [{ runId: run.id, runName: nameOf(run), written, missed: missedOf(run) }],
        ),
      ),
    ...folders(boxId).map((root) => ({
      ...{ runId: root.id, runName: nameOf(root), written: root.folder, missed: 'wanted' as const },
    })),
  ];
  // Runs that went on after each other share a folder: what was proven of it last counts.
  const byFolder = new Map<string, FoundResults>();
  const absent = new Map<string, AbsentResults>();
  const lists = new Map<string, Result<ResultList, Problem>>();
  let files = 0;
  for (const { runId, runName, written, missed } of places) {
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
      const proven = await proof(boxId, runId);
      if (!proven.ok) return proven;
      const was = (proven.value?.report.files.length ?? 0) > 0 ? 'pulled' : missed;
      const before = absent.get(written);
      const known = proven.value === null ? null : provenIn(proven.value, null);
      const found = { runId, runName, path: written, missed: was, proven: known };
      const isFirst = before === undefined || isMoreThan(found, before);
      const counts = isFirst ? found : before;
      // That something should be there holds whichever proof counts.
      absent.set(written, { ...counts, missed: counts.missed ?? was ?? before?.missed ?? null });
      continue;
    }
    const { folder, others, isCut } = listed.value;
    if (isCut) return err(problem('results-unknown', `${folder} holds more than one check reads.`));
    const proven = await proof(boxId, runId);
    if (!proven.ok) return proven;
    const known = byFolder.get(folder);
    const found: FoundResults = {
      ...{ runId, runName, path: folder },
      // A box lists a folder in whatever order its disk has it, and what is approved must not change with that.
      listed: inOrder(atStakeIn(listed.value)),
      others: inOrder(others.filter(({ kind }) => kind !== 'closed')),
      proven: proven.value === null ? null : provenIn(proven.value, listed.value),
    };
    if (known === undefined || isMoreThan(found, known)) byFolder.set(folder, found);
  }
  const found = { results: [...byFolder.values()], absent: [...absent.values()] };
  return ok({ ...found, missing: lost.value.missing });
}

/** Where a run saved that the box does not tell of any more is known from when it did, and from what was brought home of it. */
async function placesOfMissing(
  boxId: string,
  runs: readonly SeenRun[],
  proof: RunsKnown['proof'],
): Promise<Result<{ places: readonly Place[]; missing: readonly MissingRun[] }, Problem>> {
  const places: Place[] = [];
  const missing: MissingRun[] = [];
  for (const { id, places: written } of runs) {
    const proven = await proof(boxId, id);
    if (!proven.ok) return proven;
    const report = proven.value?.report ?? null;
    missing.push({ id, name: report?.runName ?? null });
    const runName = report?.runName ?? id;
    for (const each of new Set([...written, ...(report === null ? [] : [report.from])])) {
      places.push({ runId: id, runName, written: each, missed: null });
    }
  }
  return ok({ places, missing });
}

/** Of a run whose folder does not tell where it worked there is no place to list; that is told by itself. */
export const isPlaced = ({ folder }: LaunchedRun): boolean => folder !== '';

/** A restart is what ends a run and takes the mount of its disk at once. One that is not over is in the way itself, as is all that it wrote. */
function missedOf({ status }: LaunchedRun): AbsentResults['missed'] {
  switch (status.kind) {
    case 'done':
      return 'done';
    case 'lost':
    case 'cut-off':
    case 'unreadable':
      return 'lost';
    case 'failed':
    case 'ended':
      return 'unfinished';
    case 'never-started':
    case 'starting':
    case 'running':
    case 'elsewhere':
      return null;
    default:
      return unreachable(status);
  }
}

type OfFolder = Pick<FoundResults, 'proven'>;

/** Of several runs that saved in one folder, the newest proof of any file counts: an empty one says nothing of what came home before. */
function isMoreThan(one: OfFolder, before: OfFolder): boolean {
  const hasMore = Number(hasFiles(one)) - Number(hasFiles(before));
  return hasMore === 0 ? evidenceOf(one) > evidenceOf(before) : hasMore > 0;
}

const hasFiles = ({ proven }: OfFolder): boolean => (proven?.files.length ?? 0) > 0;

const inOrder = <T extends { readonly path: string }>(files: readonly T[]): readonly T[] =>
  [...files].sort((a, b) => (a.path < b.path ? -1 : 1));

const evidenceOf = ({ proven }: OfFolder): number => proven?.evidence ?? 0;

const nameOf = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === '' ? id : name;
