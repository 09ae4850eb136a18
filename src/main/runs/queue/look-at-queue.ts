import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { readQueueLook, type QueueLook } from '../../../shared/runs/queue/read-queue-look.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';

/** Twenty thousand cells, a line of 400 bytes each. */
const MAX_CHARS = 10 * 1024 * 1024;

export interface QueueLookOptions {
  /** The run whose folder holds the queue, and the newest one that goes on with it. */
  readonly queue: string;
  readonly run: string;
  /** What is known already: the sum of the cells, and how far the journal was read. */
  readonly known?: string;
  readonly from?: number;
  /** Also job.sh of the run that made it. */
  readonly hasJob?: boolean;
  readonly signal?: AbortSignal;
}

/** One look at a queue, from where the last one stopped. */
export async function lookAtQueue(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  { queue, run, known = '', from = 0, hasJob = false, signal }: QueueLookOptions,
): Promise<Result<QueueLook, Problem>> {
  const mark = newMark();
  const askedAtMs = Date.now();
  const ran = await scripts.runWithInput(
    connection,
    'queue-look.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_QUEUE: queue,
      LEASEHOLD_ID: run,
      LEASEHOLD_KNOWN: known,
      LEASEHOLD_FROM: String(from),
      LEASEHOLD_JOB: hasJob ? 'yes' : '',
    },
    '',
    { maxChars: MAX_CHARS, ...(signal === undefined ? {} : { signal }) },
  );
  if (!ran.ok) return ran;
  const look = readQueueLook(ran.value.stdout, mark, {
    run,
    atMs: (askedAtMs + Date.now()) / 2,
  });
  if (look === null) return err(problem('queue-not-read', 'The box did not tell the whole queue.'));
  return look === 'none'
    ? err(problem('queue-not-read', 'The cells of this queue are not on the box any more.'))
    : ok(look);
}
