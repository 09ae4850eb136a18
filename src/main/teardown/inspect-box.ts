import { isWithin } from '../../shared/files/box-path.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isOver, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { FoundOnBox, FoundProcess } from '../../shared/teardown/inspection.ts';
import type { RunsKnown } from '../files/run-roots.ts';
import { findResults } from './find-results.ts';

/** How a box is looked at. Each of these asks it now. */
export interface InspectionSources {
  readonly runs: RunsKnown;
  /** One look at its processes. */
  readonly patrol: (boxId: string) => Promise<Result<null, Problem>>;
  readonly seenOn: (boxId: string) => PatrolSeen | null;
}

/** Looks at all that an end of the box would take. Changes nothing. */
export async function inspectBox(
  boxId: string,
  { runs: known, patrol, seenOn }: InspectionSources,
): Promise<Result<FoundOnBox, Problem>> {
  const looked = await known.look(boxId);
  if (!looked.ok) return looked;
  const { runs: launched, leftOut, problem: fault } = looked.value;
  if (fault !== null) return err(fault);
  if (leftOut > 0) {
    return err(problem('results-unknown', 'There are more runs on it than one look tells.'));
  }
  const found = await findResults(boxId, launched, known);
  if (!found.ok) return found;
  // Last, so that nothing that began meanwhile is missed.
  const patrolled = await patrol(boxId);
  const seen = patrolled.ok ? seenOn(boxId) : null;
  return ok({
    atMs: Date.now(),
    runs: launched.map((run) => ({ id: run.id, name: nameOf(run), isOver: isOver(run) })),
    ...found.value,
    processes: seen === null ? [] : processesOf(seen, launched),
    processesUnknown: whyUnknown(patrolled, seen),
  });
}

const nameOf = ({ id, name }: LaunchedRun): string => (name === '' ? id : name);

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
