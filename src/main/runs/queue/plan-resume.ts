import { problem, type Problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { originCheck } from '../../../shared/runs/launch/checks/origin-checks.ts';
import { judgePreflight } from '../../../shared/runs/launch/judge-preflight.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import { outlookOf } from '../../../shared/runs/launch/outlook.ts';
import type { PreflightCheck } from '../../../shared/runs/launch/launch-plan.ts';
import { isOver } from '../../../shared/runs/launch/launched-run.ts';
import { aboutText } from '../../../shared/runs/launch/run-about.ts';
import { runFolder } from '../../../shared/runs/launch/run-id.ts';
import { spotGraceS } from '../../../shared/runs/launch/spot-grace.ts';
import { isNewestTurn } from '../../../shared/runs/queue/queue-turn.ts';
import type { QueuePlan } from '../../../shared/runs/queue/queue-plan.ts';
import { cellsToRun } from '../../../shared/runs/queue/queue-view.ts';
import { marksOf, type QueueLook } from '../../../shared/runs/queue/read-queue-look.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { lookAtRuns } from '../look-at-runs.ts';
import { newRunId } from '../make-plan.ts';
import type { PlannedLaunch } from '../plan-of.ts';
import { askBox } from '../run-preflight.ts';
import { lookAtQueue } from './look-at-queue.ts';
import { queueWords, resumeJob } from './planned-queue.ts';

export interface ResumedQueue {
  /** Its newest run. */
  readonly id: string;
  /** What the box is called; null: it is not in the list any more. */
  readonly place: string | null;
  /** Whether this computer made the queue, which is known by its first run. */
  readonly hasBegun: (queue: string) => boolean;
}

/** What going on with a queue would do, as it stands on the box right now. Changes nothing there. */
export async function planResume(
  connection: SshConnection,
  scripts: OnboxScripts,
  known: KnownBox,
  { id, place, hasBegun }: ResumedQueue,
): Promise<Result<PlannedLaunch, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs } = looked.value;
  const run = runs.find((each) => each.id === id);
  const turn = run?.queue;
  if (run === undefined || turn === undefined) {
    return err(problem('run-not-listed', 'The box does not list this queue.'));
  }
  if (!isNewestTurn(run, runs)) return refused('Another run has gone on with this queue already.');
  if (!isOver(run)) return refused('This queue still runs.');
  const queue = await lookAtQueue(connection, scripts, { queue: turn.id, run: id, hasJob: true });
  if (!queue.ok) return queue;
  const shown = shownOf(queue.value, id);
  if (shown.cells.length === 0) return refused('Every cell of this queue has run.');
  const { name, folder, results } = run;
  const request = {
    ...{ name, folder, results, activate: null, env: {}, successLine: null },
    command: shown.cells[0]?.command ?? '',
  };
  // What its environment and its way into it are, only job.sh knows, so that what they would find is not asked.
  const about = { ...request, command: '' };
  const asked = await askBox(connection, scripts, about, known.profile);
  if (!asked.ok) return asked;
  const { home, detacher } = asked.value;
  const next = newRunId();
  const outlook = outlookOf(about, {
    look: asked.value,
    known,
    push: null,
    runFolder: runFolder(home, next),
    runs: shown.cells.length,
  });
  const graceS = spotGraceS(known.profile);
  return ok({
    ...{ id: next, request, detacher, folder: runFolder(home, next) },
    ...(graceS === null ? {} : { graceS }),
    about: aboutText(next, { ...request, command: queueWords(shown) }, run.code ?? null, {
      queue: turn.id,
      sweep: run.sweep ?? null,
    }),
    job: resumeJob(runFolder(home, turn.id)),
    checks: [
      ...outlived(queue.value),
      ...(hasBegun(turn.id)
        ? []
        : [originCheck({ what: 'queue', commands: shown.cells.length, from: place })]),
      ...judgePreflight(about, asked.value, known),
    ],
    push: null,
    outlook,
    queue: { id: turn.id, cells: null, firstJob: queue.value.job, shown },
  });
}

const refused = (because: string): Result<never, Problem> =>
  err(problem('queue-not-resumed', because));

function shownOf({ cells, entries }: QueueLook, after: string): QueuePlan {
  const all = cells ?? [];
  const marks = marksOf(entries, {});
  const commented = all.filter(
    ({ isCommented }, at) => isCommented && marks[at + 1]?.end?.kind !== 'exit',
  ).length;
  const left = cellsToRun({ cells: all, marks });
  return {
    cells: left.map((index) => ({
      index,
      name: all[index - 1]?.name ?? '',
      command: all[index - 1]?.command ?? '',
      isInterrupted: marks[index] !== undefined,
    })),
    commented,
    finished: all.length - left.length - commented,
    after,
    stopsAtFailure: null,
  };
}

/** Two of the same cell at once would write over each other. */
function outlived({ left }: QueueLook): readonly PreflightCheck[] {
  const title = 'Earlier cells are gone';
  if (left.length === 0) return [];
  const says = `Of the interrupted cell, ${left.length === 1 ? 'a process still runs' : 'processes still run'} (${left.slice(0, 10).join(', ')}). End ${left.length === 1 ? 'it' : 'them'} on the box, then plan again.`;
  return [{ id: 'queue-left', title, answer: 'block', says, gotcha: null, anyway: null }];
}
