import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { readQueueLook, type QueueLook } from '../../../shared/runs/queue/read-queue-look.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { doInTurns } from '../../streams/in-turns.ts';

/** Twenty thousand cells, a line of 400 bytes each. */
const MAX_CHARS = 10 * 1024 * 1024;
/** Of a MiB each: no box makes this computer ask for ever. */
const MAX_PARTS = 32;

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

/** One look at a queue, from where the last one stopped to the end of its journal: of half of it, cells that are done would be waiting. */
export async function lookAtQueue(
  connection: Pick<SshConnection, 'run'>,
  scripts: OnboxScripts,
  options: QueueLookOptions,
): Promise<Result<QueueLook, Problem>> {
  const first = await lookAtPart(connection, scripts, options);
  if (!first.ok) return first;
  let look = first.value;
  for (let parts = 1; look.hasMore; parts += 1) {
    if (parts === MAX_PARTS) return notWhole();
    const next = await lookAtPart(connection, scripts, {
      ...options,
      ...{ known: look.sum, from: look.to, hasJob: false },
    });
    if (!next.ok) return next;
    const { value: part } = next;
    // A part without an end of a line: asking on would bring the same.
    if (part.hasMore && part.to === look.to) return notWhole();
    const isAnew = part.from !== look.to;
    look = {
      ...part,
      cells: part.cells ?? look.cells,
      from: isAnew ? part.from : look.from,
      entries: isAnew ? part.entries : look.entries.concat(part.entries),
      ...{ job: look.job, hashes: look.hashes },
    };
  }
  return ok(look);
}

const notWhole = (): Result<never, Problem> =>
  err(problem('queue-not-read', 'The box did not tell the whole queue.'));

async function lookAtPart(
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
  const atMs = (askedAtMs + Date.now()) / 2;
  const look = await doInTurns(readQueueLook(ran.value.stdout, mark, { run, atMs }));
  if (look === null) return notWhole();
  return look === 'none'
    ? err(problem('queue-not-read', 'The cells of this queue are not on the box any more.'))
    : ok(look);
}
