import { plainLine } from '../../questions/hostile-text.ts';
import { whyNotCopied } from './copy-words.ts';
import type { LaunchedRun } from './launched-run.ts';

const MAX_NAME_CHARS = 80;
const QUEUE_RESUMABLE =
  'Resume the queue to run the cells that have not finished; those that have do not run again.';
const GONE_ON = 'Another run has gone on with the queue.';
const RUN_RESUMABLE =
  'Nothing starts by itself. Resume the run to do the identical command again in the same folder; the plan says what its checkpoints are.';
const COPY = 'Pull and verify its results before you stop the box.';

/** How a run's end is told. Null: there is nothing to tell, since the person ended it, or it is not over. */
export function runEndText(
  boxName: string,
  { name, status, queue }: Pick<LaunchedRun, 'name' | 'status' | 'queue'>,
): { readonly title: string; readonly body: string } | null {
  const run = `“${plainLine(name, MAX_NAME_CHARS)}”`;
  const ofQueue = (queue?.next ?? null) === null ? QUEUE_RESUMABLE : GONE_ON;
  const resumable = queue === undefined ? RUN_RESUMABLE : ofQueue;
  switch (status.kind) {
    case 'done':
      return {
        title: `${boxName}: ${run} is done`,
        body:
          status.copy === undefined
            ? `The run finished. ${COPY}`
            : 'The run finished. Its results were copied on the box and read back.',
      };
    case 'failed':
      return { title: `${boxName}: ${run} failed`, body: failure(status) };
    case 'cut-off':
      return {
        title: `${boxName}: ${run} was cut off`,
        body: `The box asked it to end (SIGTERM), as before a restart or when a spot machine is taken back. ${resumable}`,
      };
    case 'lost':
      // A person has said so.
      if (status.because === 'machine-gone') return null;
      return {
        title: `${boxName}: ${run} stopped without an end`,
        body:
          status.because === 'restart'
            ? `The box restarted while it ran. ${resumable}`
            : `It was killed together with what kept it, or its run folder could not be written, so no exit code is known. ${resumable}`,
      };
    case 'unreadable':
      return {
        title: `${boxName}: ${run} can't be read`,
        body: `Its run folder can't be read: ${status.because}.`,
      };
    case 'elsewhere':
      return {
        title: `${boxName}: whether ${run} still runs is not known`,
        body: `It was launched on ${plainLine(status.machine, MAX_NAME_CHARS)}, and this box is another machine now, or has another name. If that one is gone, the run is, too. ${resumable}`,
      };
    case 'starting':
    case 'running':
    case 'never-started':
    case 'ended':
      return null;
  }
}

function failure({
  exitCode,
  lacksSuccessLine,
  copy,
}: {
  readonly exitCode: number | null;
  readonly lacksSuccessLine: boolean;
  readonly copy?: string;
}): string {
  if (lacksSuccessLine) return 'It exited with 0, but its log lacks the success line.';
  if (copy !== undefined && exitCode === 0) {
    return `The command succeeded, but its results were not copied: ${whyNotCopied(copy)}. They are still where the run wrote them.`;
  }
  return exitCode === null ? 'Its exit code is not known.' : `Exit code ${String(exitCode)}.`;
}
