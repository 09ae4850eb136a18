import { err, ok, type Result } from '../../shared/result.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { isOver, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import { lastTurn } from '../../shared/runs/queue/queue-turn.ts';
import { judgeCell, type CellState } from '../../shared/runs/queue/queue-view.ts';
import { marksOf, type QueueLook } from '../../shared/runs/queue/read-queue-look.ts';
import type { QueueCell } from '../../shared/runs/queue/queue-cell.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { lookAtQueue } from '../runs/queue/look-at-queue.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { NamedBox } from './named-box.ts';

/** A queue on a box: the run whose folder holds it, and the newest one that goes through it. */
export interface FoundQueue {
  readonly id: string;
  readonly run: LaunchedRun;
}

/** The queue of a run with that id, or else the only one of that name; a run that went on with a queue has the name of the first. */
export async function findQueue(
  connection: SshConnection,
  { scripts }: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<FoundQueue, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs } = looked.value;
  const called = runs.filter((run) => run.id === wanted);
  const meant = called.length > 0 ? called : runs.filter((run) => nameOf(run) === wanted);
  const ids = [...new Set(meant.flatMap(({ queue }) => (queue === undefined ? [] : [queue.id])))];
  const [id] = ids;
  if (id === undefined) {
    const what =
      meant.length > 0 ? `${wanted} is no queue.` : `No queue on the box is called ${wanted}.`;
    return err(problem('run-not-listed', what));
  }
  if (ids.length > 1) {
    const which = `Several queues are called ${wanted}; give the id of one: ${ids.join(', ')}.`;
    return err(problem('run-not-listed', which));
  }
  const run = lastTurn(id, runs);
  return run === undefined
    ? err(problem('run-not-listed', `The box does not list the newest run of ${wanted}.`))
    : ok({ id, run });
}

export interface ToldQueue extends FoundQueue {
  readonly look: QueueLook;
  readonly cells: readonly (QueueCell & { readonly index: number; readonly state: CellState })[];
}

/** The same with every cell as it stands. */
export async function readQueue(
  connection: SshConnection,
  known: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<ToldQueue, Problem>> {
  const found = await findQueue(connection, known, wanted);
  if (!found.ok) return found;
  const { id, run } = found.value;
  const looked = await lookAtQueue(connection, known.scripts, { queue: id, run: run.id });
  if (!looked.ok) return looked;
  const marks = marksOf(looked.value.entries, {});
  const cells = (looked.value.cells ?? []).map((cell, at) => ({
    ...cell,
    index: at + 1,
    state: judgeCell(cell, marks[at + 1], !isOver(run)),
  }));
  return ok({ id, run, look: looked.value, cells });
}
