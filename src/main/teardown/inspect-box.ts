import { isWithin } from '../../shared/files/box-path.ts';
import type { RunRoot } from '../../shared/files/judge-delete.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  isOver,
  type LaunchedRun,
  type ResultList,
} from '../../shared/runs/launch/launched-run.ts';
import type { FoundOnBox, FoundProcess, FoundResults } from '../../shared/teardown/inspection.ts';
import { findRunRoots, type RunsKnown } from '../files/run-roots.ts';
import type { BoxFiles } from '../ssh/box-files.ts';

/** How a box is looked at. Each of these asks it now. */
export interface InspectionSources {
  readonly runs: RunsKnown;
  /** One look at its processes. */
  readonly patrol: (boxId: string) => Promise<Result<null, Problem>>;
  readonly seenOn: (boxId: string) => PatrolSeen | null;
}

/** Everything on it may be lost: the question is about all that runs have left, wherever. */
const ALL = ['/'];

/** Looks at all that an end of the box would take. Changes nothing. */
export async function inspectBox(
  boxId: string,
  files: BoxFiles,
  { runs: known, patrol, seenOn }: InspectionSources,
): Promise<Result<FoundOnBox, Problem>> {
  let launched: readonly LaunchedRun[] = [];
  const look: RunsKnown['look'] = async (id) => {
    const looked = await known.look(id);
    if (looked.ok) launched = looked.value.runs;
    return looked;
  };
  // Each folder once: what is proven and what is there are told of one list.
  const lists = new Map<string, ResultList>();
  const list: RunsKnown['list'] = async (id, folder) => {
    const kept = lists.get(folder);
    if (kept !== undefined) return ok(kept);
    const listed = await known.list(id, folder);
    if (!listed.ok) return listed;
    if (listed.value.isCut) {
      return err(problem('results-unknown', `${folder} holds more than one look tells.`));
    }
    lists.set(folder, listed.value);
    return listed;
  };
  const roots = await findRunRoots(boxId, files, { ...known, look, list }, ALL);
  if (!roots.ok) return roots;
  const results: FoundResults[] = [];
  for (const root of newestOfEach(roots.value)) {
    const found = await listedIn(boxId, root, list);
    if (!found.ok) return found;
    results.push(found.value);
  }
  // Last, so that nothing that began meanwhile is missed.
  const patrolled = await patrol(boxId);
  const seen = patrolled.ok ? seenOn(boxId) : null;
  return ok({
    atMs: Date.now(),
    runs: launched.map((run) => ({ id: run.id, name: nameOf(run), isOver: isOver(run) })),
    results,
    processes: seen === null ? [] : processesOf(seen, launched),
    processesUnknown: whyUnknown(patrolled, seen),
  });
}

const nameOf = ({ id, name }: LaunchedRun): string => (name === '' ? id : name);

/** Runs that went on after each other share a folder: what was proven of it last counts. */
function newestOfEach(roots: readonly RunRoot[]): readonly RunRoot[] {
  const byPath = new Map<string, RunRoot>();
  for (const root of roots) {
    if (root.holds !== 'results') continue;
    const known = byPath.get(root.path);
    if (known === undefined || evidenceOf(known) < evidenceOf(root)) byPath.set(root.path, root);
  }
  return [...byPath.values()];
}

const evidenceOf = ({ proven }: RunRoot): number => proven?.evidence ?? 0;

async function listedIn(
  boxId: string,
  { runId, runName, path, proven }: RunRoot,
  list: RunsKnown['list'],
): Promise<Result<FoundResults, Problem>> {
  const listed = await list(boxId, path);
  if (!listed.ok) return listed;
  // A box lists a folder in whatever order its disk has it, and what is approved must not change with that.
  const files = [...listed.value.files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return ok({ runId, runName, path, listed: files, proven });
}

/** What belongs to a run that is alive writes into its folder, and is told as that run. What has outlived its run is told by itself. */
function processesOf(
  { runs }: PatrolSeen,
  launched: readonly LaunchedRun[],
): readonly FoundProcess[] {
  const alive = launched.filter((run) => !isOver(run));
  return runs
    .filter(({ log }) => log === null || !alive.some(({ place }) => isWithin(log.path, place)))
    .map(({ bootId, pid, startTicks, command, holdsGpu }) => ({
      key: `${String(bootId)}-${String(pid)}-${String(startTicks)}`,
      ...{ pid, command: command ?? '', holdsGpu },
    }));
}

function whyUnknown(patrolled: Result<null, Problem>, seen: PatrolSeen | null): string | null {
  if (!patrolled.ok) return patrolled.error.message;
  if (seen === null) return 'The box did not answer.';
  return seen.isWhole ? null : 'The box did not tell of all its processes.';
}
