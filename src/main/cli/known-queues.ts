import { ok, type Result } from '../../shared/result.ts';
import type { Problem } from '../../shared/problem.ts';
import { isOver, type LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { turnOf } from '../../shared/runs/resume/run-turn.ts';
import { judgeCell, type CellState } from '../../shared/runs/queue/queue-view.ts';
import { marksOf, type QueueLook } from '../../shared/runs/queue/read-queue-look.ts';
import type { QueueCell } from '../../shared/runs/queue/queue-cell.ts';
import { lookAtQueue } from '../runs/queue/look-at-queue.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { findChain } from './known-runs.ts';
import type { NamedBox } from './named-box.ts';

/** A queue on a box: the run whose folder holds it, and the newest one that goes through it. */
export interface FoundQueue {
  readonly id: string;
  readonly run: LaunchedRun;
}

/** The queue of a run with that id, or else the only one of that name; a run that went on with a queue has the name of the first. */
export async function findQueue(
  connection: SshConnection,
  known: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<FoundQueue, Problem>> {
  const found = await findChain(connection, known, wanted, 'queue');
  return found.ok ? ok({ id: turnOf(found.value).id, run: found.value }) : found;
}

export interface ReadQueue extends FoundQueue {
  readonly look: QueueLook;
  readonly cells: readonly (QueueCell & { readonly index: number; readonly state: CellState })[];
}

/** The same with every cell as it stands. */
export async function readQueue(
  connection: SshConnection,
  known: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<ReadQueue, Problem>> {
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
