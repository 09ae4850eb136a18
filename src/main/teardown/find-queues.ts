import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import { cellsToRun, NO_QUEUE } from '../../shared/runs/queue/queue-view.ts';
import { queueStream } from '../../shared/streams/queue-stream.ts';
import type { FoundQueue } from '../../shared/teardown/found-on-box.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { QueueTrail } from '../runs/queue/queue-trail.ts';
import { newestTurn } from '../runs/sweep/newest-turn.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export interface QueueSources {
  readonly scripts: OnboxScripts;
  /** SECURITY: takes secrets out of what stands on the box. */
  readonly redact: (text: string) => string;
}

/** The queues of a box that have cells left to run. One that runs is told as its run besides: who gives up that has not given up these. */
export async function findQueues(
  connection: SshConnection,
  runs: readonly LaunchedRun[],
  { scripts, redact }: QueueSources,
): Promise<Result<readonly FoundQueue[], Problem>> {
  const found: FoundQueue[] = [];
  for (const first of runs.filter(({ id, queue }) => queue?.id === id)) {
    const newest = newestTurn(first, runs);
    const trail = new QueueTrail(scripts, first.id, redact);
    const looked = await trail.look(connection, newest.id, NO_QUEUE);
    if (!looked.ok) return looked;
    const queue = queueStream.apply(NO_QUEUE, looked.value.delta);
    const { isPaused, isStopping, cells } = queue;
    const left = cellsToRun(queue);
    if (left.length === 0) continue;
    found.push({
      ...{ id: first.id, name: first.name === '' ? first.id : first.name, isPaused, isStopping },
      cells: left.map((index) => cells[index - 1]?.name ?? String(index)),
    });
  }
  return ok(found);
}
