import type { PlannedFile } from '../../../shared/plan/planned-file.ts';
import { jobScript, type JobSetup } from '../../../shared/runs/launch/job-script.ts';
import { copyCellsText, type CopyPlan } from '../../../shared/runs/launch/copy-plan.ts';
import type { RunRequest } from '../../../shared/runs/launch/run-request.ts';
import { aboveResults, isPerCell } from '../../../shared/runs/queue/cell-results.ts';
import { activeCells, cellLine, type QueueRequest } from '../../../shared/runs/queue/queue-cell.ts';
import type { QueuePlan } from '../../../shared/runs/queue/queue-plan.ts';
import { slotLine, type QueueSlot } from '../../../shared/runs/queue/workload.ts';
import type { SweepRef } from '../../../shared/runs/sweep/sweep-roster.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import { mapInTurns } from '../../streams/in-turns.ts';
import { scriptIn } from '../script-in.ts';

/** What a sweep adds to the queue of one of its boxes. */
export interface SweepPart {
  readonly ref: SweepRef;
  /** The id of the run: the other boxes are told it, too. */
  readonly id: string;
  /** Text of the file "sweep". */
  readonly file: string;
  /** Where each of its cells saves. */
  readonly folders: readonly string[];
  /** Cells of it run again, and find what they left. */
  readonly isAgain: boolean;
  /** The sweep's newest run on that box, over by now: nobody can resume it any more. */
  readonly after: string | null;
}

/** The part of a launch that is about a queue, as main keeps it. */
export interface PlannedQueue {
  /** The run whose folder holds the queue. */
  readonly id: string;
  /** What goes into its file "cells/0001"; null: the cells are there. */
  readonly cells: string | null;
  /** job.sh of the run that made the queue; null: this is that one. */
  readonly firstJob: string | null;
  /** What goes into its file "sweep"; absent: it is part of none. */
  readonly sweep?: string;
  readonly shown: QueuePlan;
}

/** A run whose job is the queue script, in the folder and environment that the request asks for. */
export async function newQueue(
  id: string,
  { cells, stopsAtFailure }: QueueRequest,
  slots: readonly QueueSlot[],
  sweep: SweepPart | null = null,
): Promise<PlannedQueue> {
  const active = activeCells(cells);
  const lines = await mapInTurns(cells, cellLine);
  return {
    id,
    // What was added together has a name of its own: this is the first.
    cells: [`+${id}`, ...lines].join('\n'),
    firstJob: null,
    ...(sweep === null ? {} : { sweep: sweep.file }),
    shown: {
      cells: active.map(({ index, cell: { name, command } }) => ({
        index,
        name,
        command,
        isInterrupted: false,
      })),
      slots,
      commented: cells.length - active.length,
      finished: 0,
      after: sweep?.after ?? null,
      stopsAtFailure,
    },
  };
}

/** What the request is about where one command stands for all: the checks look at the first, and the list of runs tells it. */
export function asOneCommand(request: RunRequest, { cells }: QueueRequest): RunRequest {
  const command = activeCells(cells)[0]?.cell.command ?? request.command;
  const results = isPerCell(request.results) ? aboveResults(cells) : request.results;
  return { ...request, command, results, successLine: null };
}

/** job.sh of a queue. `folder`: that of the run. */
export function queueJob(
  request: RunRequest,
  folder: string,
  stopsAtFailure: boolean,
  setup: JobSetup | null,
  threads: number | null,
): string {
  const script = shellWord(`${folder}/queue.sh`);
  const command = `exec sh ${script} "\${0%/*}"${stopsAtFailure ? ' stop' : ''}`;
  return jobScript({ ...request, command }, setup, threads);
}

/** job.sh of a run that goes on with one that is over: the very one that began it. `folder`: where that lies. */
export function resumeJob(folder: string, says: string): string {
  return [`# ${says}`, `. ${shellWord(`${folder}/job.sh`)}`, ''].join('\n');
}

/** Nothing is written there. */
export const firstJobFile = (of: 'queue' | 'run', text: string | null): PlannedFile => ({
  name: `job.sh of the ${of}`,
  what: 'Already on the box, and run again as it is.',
  text,
});

/** How the list of runs tells it in a line. */
export function queueWords({ cells }: QueuePlan): string {
  const count = cells.length === 1 ? '1 cell' : `${String(cells.length)} cells`;
  return `${count}, first: ${cells[0]?.command ?? ''}`;
}

/** `script`: run-launch.sh as it is sent. */
export function queueFiles(queue: PlannedQueue, script: string): readonly PlannedFile[] {
  const slots = slotFiles(queue.shown.slots);
  if (queue.cells === null) return [firstJobFile('queue', queue.firstJob), ...slots];
  return [
    {
      name: 'cells/0001',
      what: 'The cells: a name, a tab and the command on each line, and behind another tab the results folder of its own where it has one. “#” in front leaves a cell out.',
      text: `${queue.cells}\n`,
    },
    {
      name: 'queue.sh',
      what: 'Runs the cells. Never changed once it is there.',
      text: scriptIn(script, 'QUEUE'),
    },
    ...slots,
    ...(queue.sweep === undefined ? [] : [plannedSweepFile(queue.sweep)]),
    { name: 'journal', what: 'When each cell began and how it ended.', text: null },
    { name: 'logs', what: 'A folder with the log of each cell.', text: null },
  ];
}

/** What copies the results of each cell. */
export const cellCopyFiles = (copy: CopyPlan, script: string): readonly PlannedFile[] => [
  {
    name: 'copy-cells',
    what: 'The folder in which the results of each cell get one of their own, and what of the results is removed after that.',
    text: copyCellsText(copy),
  },
  {
    name: 'copy-cell.sh',
    what: 'Copies the results of a cell that has succeeded, and reads the copy back. Never changed once it is there.',
    text: scriptIn(script, 'COPY'),
  },
  { name: 'copies', what: 'A folder with the SHA-256 of each file that was copied.', text: null },
];

/** The same on every box of a sweep. */
export const plannedSweepFile = (text: string): PlannedFile => ({
  name: 'sweep',
  what: 'All cells of the sweep and which run has which, so that any computer can find it.',
  text: `${text}\n`,
});

/** What the run finds there, where its cells do not run one after another. */
function slotFiles(slots: readonly QueueSlot[]): readonly PlannedFile[] {
  if (slots.length === 0) return [];
  return [
    {
      name: 'slots',
      what: 'So many cells at once as it has lines. Each gets the cards of its line in CUDA_VISIBLE_DEVICES.',
      text: slots.map((slot) => `${slotLine(slot)}\n`).join(''),
    },
  ];
}
