import { isMet, type ProvenResults, type RunRoot } from '../../shared/files/judge-delete.ts';
import { isWithin, joinPath, nameOf as lastOf, parentOf } from '../../shared/files/box-path.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  atStakeIn,
  isOver,
  type LaunchedRun,
  type LaunchedRuns,
  type ResultList,
} from '../../shared/runs/launch/launched-run.ts';
import type { ResultRoot } from '../../shared/transfer/result-root.ts';
import type { RunProof } from '../../shared/transfer/pull.ts';
import type { BoxFiles } from '../ssh/box-files.ts';

/** Of a walk through folders that may hold a million files. */
export interface WalkOptions {
  /** How many of them the box has told of, as it does. */
  readonly onFiles?: (files: number) => void;
  readonly signal?: AbortSignal;
}

export interface RunsKnown {
  /** Folders that a person wants to have home. */
  readonly folders: (boxId: string) => readonly ResultRoot[];
  /** Asks the box now, for all of them. */
  readonly look: (boxId: string) => Promise<Result<LaunchedRuns, Problem>>;
  readonly proof: (boxId: string, runId: string) => Promise<Result<RunProof | null, Problem>>;
  /** What lies in a folder of it now, by its whole path. */
  readonly list: (
    boxId: string,
    folder: string,
    walk?: WalkOptions,
  ) => Promise<Result<ResultList, Problem>>;
  /** What is in these files of such a folder now; null: the box could not read it. */
  readonly hash: (
    boxId: string,
    folder: string,
    paths: readonly string[],
  ) => Promise<Result<ReadonlyMap<string, string | null>, Problem>>;
}

/** A folder in which a run, or a person, has something that may not be lost. */
interface Place extends Pick<RunRoot, 'holds' | 'isOver' | 'path' | 'links'> {
  readonly root: Pick<ResultRoot, 'id' | 'name'>;
}

/** All that are there, as the box tells it now. */
async function placesOn(
  boxId: string,
  files: BoxFiles,
  { look, folders }: Pick<RunsKnown, 'look' | 'folders'>,
): Promise<Result<readonly Place[], Problem>> {
  const looked = await look(boxId);
  if (!looked.ok) return err(unknown(looked.error.message));
  const { runs, leftOut, problem: fault } = looked.value;
  if (fault !== null) return err(unknown(fault.message));
  if (leftOut > 0) return err(unknown('There are more runs on it than one look tells.'));
  const home = await files.realPath('.');
  if (!home.ok) return home;
  const places = [
    ...runs.flatMap((run) =>
      placesOf(run).map(([holds, written]) => {
        return { root: run, holds, written, isOver: isOver(run), home: shellHome(run) };
      }),
    ),
    // What a person wants to have home is no less worth than what a run says that it leaves.
    ...folders(boxId).map((root) => {
      return { root, holds: 'results' as const, written: root.folder, isOver: true, home: null };
    }),
  ];
  const found: Place[] = [];
  for (const { root, holds, written, isOver: isPast, home: own } of places) {
    const whole = wholePath(written, own ?? home.value);
    if (whole === null) {
      return err(unknown(`Where “${nameOf(root)}” has its results is not known.`));
    }
    const real = await files.realPath(whole);
    if (!real.ok && real.error.code === 'no-such-file') continue;
    if (!real.ok) return err(unknown(real.error.message));
    const links = real.value === whole ? ok([]) : await linksOn(files, whole);
    if (!links.ok) return err(unknown(links.error.message));
    found.push({ root, holds, isOver: isPast, path: real.value, links: links.value });
  }
  return ok(found);
}

/**
 * Where the runs of a box keep what may not be lost and `chosen` would take along, as the box tells it now. Whatever of this is not known is a
 * problem: what nobody knows may not go.
 */
export async function findRunRoots(
  boxId: string,
  files: BoxFiles,
  { proof, list, ...known }: RunsKnown,
  chosen: readonly string[],
): Promise<Result<readonly RunRoot[], Problem>> {
  const places = await placesOn(boxId, files, known);
  if (!places.ok) return places;
  const roots: RunRoot[] = [];
  // Runs that went on after each other share their folder.
  const lists = new Map<string, ResultList>();
  // A run may have many files, and none of them may go.
  for (const { root, ...place } of places.value.filter((each) => isMet(chosen, each))) {
    const { holds, path } = place;
    const found = { ...place, runId: root.id, runName: nameOf(root) };
    const proven = holds === 'run' ? ok(null) : await proof(boxId, root.id);
    if (!proven.ok) return proven;
    if (proven.value === null) {
      roots.push({ ...found, proven: null });
      continue;
    }
    const before = lists.get(path);
    const listed = before === undefined ? await list(boxId, path) : ok(before);
    if (!listed.ok) return err(unknown(listed.error.message));
    lists.set(path, listed.value);
    roots.push({ ...found, proven: provenIn(proven.value, listed.value) });
  }
  return ok(roots);
}

/**
 * Why a folder or a link keeps its name; null: no run has anything that is reached through it. Under another name nobody would find that, and it
 * could be deleted like anything else.
 */
export async function whyNotRenamed(
  boxId: string,
  files: BoxFiles,
  known: Pick<RunsKnown, 'look' | 'folders'>,
  path: string,
): Promise<Result<string | null, Problem>> {
  const [parent, places] = await Promise.all([
    files.realPath(parentOf(path) ?? '/'),
    placesOn(boxId, files, known),
  ]);
  if (!parent.ok) return parent;
  if (!places.ok) return places;
  const own = joinPath(parent.value, lastOf(path));
  const held = places.value.find(
    (each) => isWithin(each.path, own) || each.links.some((link) => isWithin(link, own)),
  );
  return ok(
    held === undefined ? null : `What “${nameOf(held.root)}” has left is looked for through it.`,
  );
}

const nameOf = ({ id, name }: Place['root']): string => (name === '' ? id : name);

/** More of them lead around in a circle, as for the kernel. */
const MOST_LINKS = 40;

/** Each link on the way to a whole path, by a path with no link before it. */
async function linksOn(files: BoxFiles, path: string): Promise<Result<readonly string[], Problem>> {
  const links: string[] = [];
  const stepsIn = (way: string): string[] => way.split('/').filter((step) => !/^\.?$/.test(step));
  const steps = stepsIn(path);
  let at = '/';
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    if (step === '..') {
      at = parentOf(at) ?? '/';
      continue;
    }
    const place = joinPath(at, step);
    const found = await files.stat(place);
    if (!found.ok) return found;
    if (found.value.kind !== 'link') {
      at = place;
      continue;
    }
    links.push(place);
    const { target } = await files.follow(place);
    if (target === null || links.length > MOST_LINKS) {
      return err(problem('file-failed', `Where ${place} leads is not known.`));
    }
    if (target.startsWith('/')) at = '/';
    steps.unshift(...stepsIn(target));
  }
  return ok(links);
}

/** What was proven of a folder, beside what lies there now; null: there is no such folder any more. */
export function provenIn({ seq, report }: RunProof, list: ResultList | null): ProvenResults {
  const { to, files, sets = [] } = report;
  const tellsWrites = report.tellsWrites === true && list?.tellsWrites !== false;
  const listed = list === null ? [] : atStakeIn(list);
  return { evidence: seq, to, files, sets, listed, tellsWrites };
}

/** As the run has them. A run that did not say where its results are may have them wherever it worked. */
export function placesOf(run: LaunchedRun): readonly (readonly [RunRoot['holds'], string])[] {
  const { place, folder, results, copyTo, queue, status } = run;
  const own = ['run', place] as const;
  if (status.kind === 'never-started') return [own];
  if (results === null || queue !== undefined) return [own, ['results', folder]];
  const isWhole = results.startsWith('/') || results.startsWith('~');
  const at = ['results', isWhole ? results : joinPath(folder, results)] as const;
  return copyTo === undefined ? [own, at] : [own, at, ['results', copyTo]];
}

const RUNS = '/.local/state/leasehold/runs/';

/**
 * The home of the shell that the run had, where its folder lies (run-folder.sh): that need not be where SFTP begins, and what nobody finds there
 * would be taken for nothing. Null: the folder does not tell.
 */
function shellHome({ id, place }: LaunchedRun): string | null {
  return place.endsWith(`${RUNS}${id}`) ? place.slice(0, -`${RUNS}${id}`.length) : null;
}

/** Null: only the box’s shell knows what it means. */
function wholePath(written: string, home: string): string | null {
  if (written.includes('$')) return null;
  if (written === '~') return home;
  if (written.startsWith('~/')) return joinPath(home, written.slice(2));
  return written.startsWith('/') ? written : null;
}

function unknown(because: string): Problem {
  return problem('results-unknown', `What the runs of this box have left is not known. ${because}`);
}
