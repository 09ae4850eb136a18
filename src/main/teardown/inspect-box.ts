import { isWithin } from '../../shared/files/box-path.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isOver, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type {
  EndFacts,
  FoundMachine,
  FoundOnBox,
  FoundOrder,
  FoundOutside,
  FoundProcess,
  FoundQueue,
  FoundSweep,
} from '../../shared/teardown/found-on-box.ts';
import { LOOK_BEGINS, type LookProgress } from '../../shared/teardown/teardown-view.ts';
import type { RunsKnown, WalkOptions } from '../files/run-roots.ts';
import type { SeenRun } from '../runs/seen-runs.ts';
import type { HostKeysTable } from '../storage/host-keys-table.ts';
import { findResults, isPlaced } from './find-results.ts';

/** How a box is looked at. Each of these asks it now. */
export interface InspectionSources {
  readonly runs: RunsKnown;
  /** All runs that are known to have been on it. */
  readonly everSeenOn: (boxId: string) => Result<readonly SeenRun[], Problem>;
  /** One look at its processes. */
  readonly patrol: (boxId: string) => Promise<Result<null, Problem>>;
  readonly seenOn: (boxId: string) => PatrolSeen | null;
  /** The queues that have cells left to run. */
  readonly queues: (
    boxId: string,
    runs: readonly LaunchedRun[],
  ) => Promise<Result<readonly FoundQueue[], Problem>>;
  /** To end it, from elsewhere. */
  readonly orders: (
    boxId: string,
    machine: FoundMachine,
  ) => Promise<Result<readonly FoundOrder[], Problem>>;
  readonly sweeps: (boxId: string, runs: readonly LaunchedRun[]) => Promise<readonly FoundSweep[]>;
  /** What lies besides these folders with results, and which life of the machine this is. */
  readonly outside: (
    boxId: string,
    runs: readonly LaunchedRun[],
    results: readonly string[],
    walk: WalkOptions,
  ) => Promise<Result<{ readonly outside: FoundOutside; readonly life: string | null }, Problem>>;
  /** The fingerprint of the host key that is trusted; null: none is. */
  readonly hostKeyOf: (boxId: string) => string | null;
  /** What its provider calls it; null: none is linked. */
  readonly instanceOf: (boxId: string) => string | null;
  /** Null: its platform is not known. */
  readonly factsOf: (boxId: string) => EndFacts | null;
}

/** What is not known of the key makes another machine of it, once it is. */
export function trustedKeyOf(
  hostKeys: Pick<HostKeysTable, 'current'>,
  boxId: string,
): string | null {
  const key = hostKeys.current(boxId);
  return key.ok ? (key.value?.fingerprint ?? null) : null;
}

const STOPPED = problem('aborted', 'The check was stopped.');

interface LookOptions extends Pick<WalkOptions, 'signal'> {
  readonly tell: (progress: LookProgress) => void;
}

/** Looks at all that an end of the box would take. Changes nothing. */
export async function inspectBox(
  boxId: string,
  { runs: known, patrol, seenOn, ...asked }: InspectionSources,
  { tell, signal }: LookOptions,
): Promise<Result<FoundOnBox, Problem>> {
  let progress = LOOK_BEGINS;
  const at = (more: Partial<LookProgress>): void => tell((progress = { ...progress, ...more }));
  // Nobody hears what else it would find.
  const isStopped = (): boolean => signal?.aborted === true;
  const unlessStopped = async <T>(
    part: Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> => {
    const done = await part;
    return isStopped() ? err(STOPPED) : done;
  };
  const looked = await unlessStopped(known.look(boxId));
  if (!looked.ok) return looked;
  const { runs: launched, leftOut, problem: fault } = looked.value;
  if (fault !== null) return err(fault);
  if (leftOut > 0) {
    return err(problem('results-unknown', 'There are more runs on it than one check reads.'));
  }
  at({ part: 'results', runs: launched.length });
  const walk = signal === undefined ? {} : { signal };
  const onFiles = (files: number): void => at({ files });
  const told = new Set(launched.map(({ id }) => id));
  const everSeen = asked.everSeenOn(boxId);
  if (!everSeen.ok) return everSeen;
  const missing = everSeen.value.filter(({ id }) => !told.has(id));
  const found = await unlessStopped(
    findResults(boxId, { launched, missing }, known, { ...walk, onFiles }),
  );
  if (!found.ok) return found;
  at({ part: 'queues' });
  const queues = await unlessStopped(asked.queues(boxId, launched));
  if (!queues.ok) return queues;
  at({ part: 'sweeps' });
  const sweeps = await asked.sweeps(boxId, launched);
  if (isStopped()) return err(STOPPED);
  const results = found.value.results.map(({ path }) => path);
  at({ part: 'elsewhere' });
  const outside = await unlessStopped(
    asked.outside(boxId, launched, results, {
      ...walk,
      onFiles: (elsewhere) => at({ elsewhere }),
    }),
  );
  if (!outside.ok) return outside;
  // Last, so that nothing that began meanwhile is missed.
  at({ part: 'processes' });
  const patrolled = await patrol(boxId);
  if (isStopped()) return err(STOPPED);
  const machine = {
    ...{ hostKey: asked.hostKeyOf(boxId), life: outside.value.life },
    instance: asked.instanceOf(boxId),
  };
  const orders = await asked.orders(boxId, machine);
  if (!orders.ok) return orders;
  at({ part: 'judging' });
  const seen = patrolled.ok ? seenOn(boxId) : null;
  return ok({
    atMs: Date.now(),
    runs: launched.map(foundRun),
    ...found.value,
    processes: seen === null ? [] : processesOf(seen, launched),
    processesUnknown: whyUnknown(patrolled, seen),
    machine,
    ...{ queues: queues.value, orders: orders.value, sweeps, outside: outside.value.outside },
    profile: asked.factsOf(boxId),
  });
}

const foundRun = (run: LaunchedRun): FoundOnBox['runs'][number] => ({
  ...{ id: run.id, name: nameOf(run), isOver: isOver(run) },
  ...(run.status.kind === 'unreadable' && { unreadable: run.status.because }),
  ...(run.status.kind === 'elsewhere' && { elsewhere: run.status.machine }),
  ...(!isPlaced(run) && { isUnplaced: true as const }),
});

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

function whyUnknown(
  patrolled: Result<null, Problem>,
  seen: PatrolSeen | null,
): FoundOnBox['processesUnknown'] {
  if (!patrolled.ok) return { because: patrolled.error.message, isAnswer: false };
  if (seen === null) return { because: 'The box did not answer.', isAnswer: false };
  if (seen.isWhole) return null;
  // What was cut off, or cannot be read, may come whole at the next look.
  return seen.tellsNone === true
    ? { because: 'The box answered, and tells of no process at all.', isAnswer: true }
    : { because: 'The box did not tell of all its processes.', isAnswer: false };
}
