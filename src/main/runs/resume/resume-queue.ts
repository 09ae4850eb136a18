import type { Problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { judgeSavers } from '../../../shared/runs/launch/checks/savers-check.ts';
import { originCheck } from '../../../shared/runs/launch/checks/origin-checks.ts';
import { stillStartsAgain } from '../../../shared/runs/launch/checks/reboot-check.ts';
import { judgePreflight } from '../../../shared/runs/launch/judge-preflight.ts';
import type { KnownBox } from '../../../shared/runs/launch/known-box.ts';
import { outlookOf } from '../../../shared/runs/launch/outlook.ts';
import type { LaunchedRun, RunTurn } from '../../../shared/runs/launch/launched-run.ts';
import { aboutText } from '../../../shared/runs/launch/run-about.ts';
import { runFolder } from '../../../shared/runs/launch/run-id.ts';
import type { RunPreflight } from '../../../shared/runs/launch/run-preflight.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import { spotGraceS } from '../../../shared/runs/launch/spot-grace.ts';
import type { QueuePlan } from '../../../shared/runs/queue/queue-plan.ts';
import {
  NO_SLOTS,
  planSlots,
  slotChecks,
  type SlotPlan,
} from '../../../shared/runs/queue/queue-slots.ts';
import { cellsToRun, isFinished } from '../../../shared/runs/queue/queue-view.ts';
import { marksOf, type QueueLook } from '../../../shared/runs/queue/read-queue-look.ts';
import type { OnboxScripts } from '../../onbox/onbox-scripts.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';
import { newRunId } from '../make-plan.ts';
import type { PlannedLaunch } from '../plan-of.ts';
import { askBox } from '../run-preflight.ts';
import { askSavers, besideOf } from '../saved-places.ts';
import { lookAtQueue } from '../queue/look-at-queue.ts';
import { queueWords, resumeJob } from '../queue/planned-queue.ts';
import { judgeEdited } from '../../../shared/runs/resume/judge-edited.ts';
import { judgeLeft } from '../../../shared/runs/resume/judge-left.ts';
import { notResumed } from './not-resumed.ts';
import type { Origin } from './origin.ts';

export interface ResumedTurn {
  readonly run: LaunchedRun;
  readonly turn: RunTurn;
  readonly origin: Origin;
}

/** What going on with a queue after its newest run would do. */
export async function resumeQueue(
  connection: SshConnection,
  scripts: OnboxScripts,
  known: KnownBox,
  { run, turn, origin }: ResumedTurn,
): Promise<Result<PlannedLaunch, Problem>> {
  const { id } = run;
  const queue = await lookAtQueue(connection, scripts, { queue: turn.id, run: id, hasJob: true });
  if (!queue.ok) return queue;
  const left = shownOf(queue.value, id);
  if (left.cells.length === 0) return notResumed('Every cell of this queue has run.');
  const { name, folder, results } = run;
  const request = {
    ...{ name, folder, results, activate: null, env: {}, successLine: null },
    ...(run.gpus === undefined ? {} : { gpus: run.gpus }),
    command: left.cells[0]?.command ?? '',
  };
  // What its environment and its way into it are, only job.sh knows, so that what they would find is not asked.
  const about = { ...request, command: '' };
  const [asked, savers] = await Promise.all([
    askBox(connection, scripts, about, known),
    askSavers(connection, scripts, folder, { places: [], after: id }),
  ]);
  if (!asked.ok) return asked;
  if (!savers.ok) return savers;
  const { home, detacher } = asked.value;
  const { slots, need, judged } = slotsAgain(request, left, queue.value.job, {
    known,
    look: asked.value,
  });
  const shown = { ...left, slots };
  const work = { runs: left.cells.length, slots };
  const next = newRunId();
  const outlook = outlookOf(about, {
    look: asked.value,
    known,
    push: null,
    runFolder: runFolder(home, next),
    work,
  });
  const graceS = spotGraceS(known.profile);
  return ok({
    ...{ id: next, request, detacher, folder: runFolder(home, next) },
    ...{ saves: [], beside: besideOf(savers.value) },
    ...(graceS === null ? {} : { graceS }),
    about: aboutText(next, { ...request, command: queueWords(shown) }, run.code ?? null, {
      queue: turn.id,
      sweep: run.sweep ?? null,
      gpus: need,
      copyTo: run.copyTo ?? null,
      cellResults: run.cellResults ?? null,
      files: run.files ?? {},
    }),
    job: resumeJob(
      runFolder(home, turn.id),
      'Goes on with a queue, by the very job.sh that began it. What is finished does not run again.',
    ),
    checks: [
      ...judgeLeft(queue.value.left),
      ...(origin.hasBegun(turn.id)
        ? []
        : [originCheck({ what: 'queue', commands: shown.cells.length, from: origin.place })]),
      ...judgeEdited(run.files ?? {}, queue.value.hashes),
      ...stillStartsAgain(run),
      ...judgePreflight(about, asked.value, known, work),
      ...judgeSavers({ results, cells: null, goesOn: true }, savers.value),
      ...slotChecks(judged),
    ],
    push: null,
    outlook,
    queue: { id: turn.id, cells: null, firstJob: queue.value.job, shown },
  });
}

/** The cards that are free now. What its own job.sh sets was looked at when it began, but for what that says of cards. */
function slotsAgain(
  request: RunRequest,
  { cells }: Omit<QueuePlan, 'slots'>,
  job: string | null,
  { known, look }: { readonly known: KnownBox; readonly look: RunPreflight },
): SlotPlan {
  if (job === null) return NO_SLOTS;
  const [line, chosen] = /^export CUDA_VISIBLE_DEVICES=(.{1,200})$/m.exec(job) ?? [];
  return planSlots({
    request: {
      ...request,
      env: chosen === undefined ? {} : { CUDA_VISIBLE_DEVICES: chosen },
      activate: line === undefined ? job : job.replace(line, ''),
    },
    commands: cells.map(({ command }) => command),
    known,
    look: { isSet: new Set(), taken: look.taken },
  });
}

function shownOf({ cells, entries }: QueueLook, after: string): Omit<QueuePlan, 'slots'> {
  const all = cells ?? [];
  const marks = marksOf(entries, {});
  const commented = all.filter(
    ({ isCommented }, at) => isCommented && !isFinished(marks[at + 1]),
  ).length;
  const left = cellsToRun({ cells: all, marks });
  return {
    cells: left.map((index) => {
      const [cell, mark] = [all[index - 1], marks[index]];
      const isCopyOnly = mark?.ranAtMs !== undefined;
      return {
        ...{ index, name: cell?.name ?? '', command: cell?.command ?? '' },
        isInterrupted: mark !== undefined && !isCopyOnly,
        ...(isCopyOnly ? { isCopyOnly } : {}),
      };
    }),
    commented,
    finished: all.length - left.length - commented,
    after,
    stopsAtFailure: null,
  };
}
