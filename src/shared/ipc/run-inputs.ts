import { z } from 'zod';
import { planRef } from '../plan/plan-schema.ts';
import { additionId, queueCells, queueRequest } from '../runs/queue/queue-schema.ts';
import { runId, runRequest } from '../runs/launch/run-request-schema.ts';
import { MAX_CELLS_READ } from '../runs/sweep/cell-figures.ts';
import { cellPlaces, sweepDraft, sweepId, wantedSweep } from '../runs/sweep/sweep-schema.ts';
import { historyPicture } from '../telemetry/history-requests.ts';
import { EVERY_MIN, LIMIT_MBPS } from '../transfer/continuous/continuous-pull.ts';
import { NAMED_FOLDER_ID } from '../transfer/result-root.ts';
import { boxId } from './box-id.ts';
import { MAX_PAYLOAD_BYTES } from './payload-size.ts';

const sharesOfSweep = z
  .array(z.strictObject({ boxId, cells: cellPlaces }))
  .min(1)
  .max(100);
const cellIndex = z.int().min(1).max(1_000_000);
const ONE_LINE = /^[^\r\n\0]+$/;
const leftFiles = z.strictObject({
  because: z.string().trim().min(1).max(200).regex(ONE_LINE),
  paths: z.array(z.string().max(5000)).min(1).max(1_000_000),
});

/** Results of a launched run, or in a folder that the person has named. */
const rootId = z.union([runId, z.string().regex(NAMED_FOLDER_ID)]);

/** Runs that a person launches. */
export const runInputs = {
  /** Read-only: looks at once at the run folders of a box. */
  'runs:look': z.strictObject({ boxId }),
  /** Asks the person for a request file and reads it. No box is asked. */
  'runs:open-request': z.strictObject({}),
  /** Asks the person where to keep the request, and writes it there as a file that `runs:open-request` reads. */
  'runs:save-request': z.strictObject({
    request: runRequest,
    queue: queueRequest.nullable(),
    /** It is a sweep: the request is what its cells share. */
    sweep: wantedSweep.exactOptional(),
  }),
  /** Asks the person for a folder of this computer whose code is to be pushed. */
  'runs:choose-folder': z.strictObject({}),
  /** Ends the push of a launch that is under way; nothing is started then. */
  'runs:stop-push': z.strictObject({ boxId }),
  /** Runs the rehearsal that this plan names on this computer, once the system's own question was answered; the plan stays. */
  'runs:rehearse': z.strictObject({
    boxId,
    plan: planRef,
    /** It is the plan of this sweep, of which the box has a share. */
    sweep: sweepId.exactOptional(),
  }),
  'runs:stop-rehearsal': z.strictObject({ boxId }),
  /** Looks at the box and answers everything that a launch would do. Changes nothing there. */
  'runs:plan': z.strictObject({
    boxId,
    request: runRequest,
    /** Null: the command of the request is all that runs. */
    queue: queueRequest.nullable(),
  }),
  /** The same for going on after a run that is over: with its queue, or by the identical command. */
  'runs:plan-resume': z.strictObject({ boxId, id: runId }),
  /** Writes into the run folder that this run is not to be offered again. */
  'runs:decline-resume': z.strictObject({ boxId, id: runId }),
  /** Writes into the run folder that a person says: the machine that launched it, as it was shown, is gone for good. */
  'runs:machine-gone': z.strictObject({
    boxId,
    id: runId,
    machine: z.string().regex(/^[\w.-]{1,64}$/),
  }),
  /** Tells the run of a queue what it does after the cells that run now. */
  'runs:wish-queue': z.strictObject({
    boxId,
    id: runId,
    wish: z.enum(['pause', 'go-on', 'stop']),
  }),
  /** Adds cells to a queue, all or none, once for each `addition`. */
  'runs:add-cells': z.strictObject({
    boxId,
    id: runId,
    addition: additionId,
    cells: queueCells,
    /** Also where a key stands in one of them, which is refused without it. */
    overKeys: z.boolean(),
  }),
  /**
   * Launches what the plan has shown, and nothing else; answers after the run was read back. `overridden`: the checks that block it
   * and that the person launches over, one by one. Main knows which of them can be.
   */
  'runs:launch': z.strictObject({
    boxId,
    plan: planRef,
    overridden: z.array(z.string().max(40)).max(60),
  }),
  /** Asks the run to end, waits, ends it by force where it must; read back after it. */
  'runs:end': z.strictObject({ boxId, id: runId }),
  /** Read-only: a part of a log, between two bytes of it. Of a queue: the log of the cell with this index, else the run's own. */
  'runs:read-log': z.strictObject({
    boxId,
    id: runId,
    cell: cellIndex.nullable(),
    from: z.int().min(0),
    until: z.int().min(1),
  }),
  /** Read-only: searches a whole log on the box, and ends the search that was under way there. */
  'runs:find-in-log': z.strictObject({
    boxId,
    id: runId,
    cell: cellIndex.nullable(),
    wanted: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(200).regex(ONE_LINE) }),
      z.strictObject({ kind: z.literal('first-error') }),
    ]),
  }),
  'runs:stop-finding': z.strictObject({ boxId }),
  /** Which of the files that the stream `run-metrics` names the figures of a run or of one cell come from; null: its log. */
  'runs:choose-metrics': z.strictObject({
    boxId,
    id: runId,
    cell: cellIndex.nullable(),
    source: z.string().max(5000).nullable(),
  }),
  /** Asks where to, then writes a chart as the window painted it. */
  'runs:save-picture': z.strictObject({
    title: z.string().max(200),
    png: historyPicture.shape.png,
  }),
  /** Asks where to, then writes the values of curves or of the cells of a sweep. */
  'runs:save-values': z.strictObject({
    title: z.string().max(200),
    csv: z.string().max(MAX_PAYLOAD_BYTES),
  }),
  /** Read-only: which files lie where its results were to be. */
  'runs:results': z.strictObject({ boxId, id: rootId }),
  /** Asks the box whether there is such a folder, and from then on lists it beside what launched runs leave. */
  'runs:name-folder': z.strictObject({
    boxId,
    folder: z.string().min(1).max(4000).regex(ONE_LINE),
  }),
  /** What was proven of it stays, here and in the evidence. */
  'runs:unname-folder': z.strictObject({ boxId, id: z.string().regex(NAMED_FOLDER_ID) }),
  /** Read-only: how much lies in some folders of the box. */
  'runs:weigh-folders': z.strictObject({
    boxId,
    folders: z.array(z.string().max(4000).regex(ONE_LINE)).min(1).max(40),
  }),
  /** What is known of how often the box cuts off what runs on it. */
  'runs:interruptions': z.strictObject({ boxId }),
  /** Asks where to, then answers everything that bringing its results home would do. Changes nothing. */
  'runs:plan-pull': z.strictObject({ boxId, id: rootId }),
  /** Brings home what the plan has shown, proves it and keeps that as evidence. `left`: what of it stays on the box, and why. */
  'runs:pull': z.strictObject({ boxId, plan: planRef, left: z.array(leftFiles).max(20) }),
  'runs:stop-pull': z.strictObject({ boxId }),
  /** What has arrived stays; it goes on when a person says so, also after a restart. */
  'runs:pause-pull': z.strictObject({ boxId }),
  /** Goes on with the pull that is paused, into the folder that was chosen for it. */
  'runs:resume-pull': z.strictObject({ boxId }),
  /** A pull that waits for a lost connection tries the next one now. */
  'runs:try-pull-now': z.strictObject({ boxId }),
  /** Asks where to, then answers what would come by itself from now on. Changes nothing. */
  'runs:plan-continuous': z.strictObject({ boxId, id: runId }),
  /** Has new results come home by themselves, as the plan has shown, until it is switched off. */
  'runs:start-continuous': z.strictObject({
    boxId,
    plan: planRef,
    everyMin: z.literal(EVERY_MIN),
    /** Megabytes a second. */
    limitMBps: z.number().min(LIMIT_MBPS.min).max(LIMIT_MBPS.max).nullable(),
  }),
  'runs:stop-continuous': z.strictObject({ boxId, id: runId }),
  /** The next round comes with the next look at the box. */
  'runs:round-now': z.strictObject({ boxId, id: runId }),
  /** Read-only: what was proven when they were last brought home. */
  'runs:proof': z.strictObject({ boxId, id: rootId }),
  /** Looks at every box and answers everything that launching the sweep would do there. Changes nothing. */
  'runs:plan-sweep': z.strictObject({ draft: sweepDraft, shares: sharesOfSweep }),
  /** The same for cells of a sweep that run again, by their place in its roster. */
  'runs:plan-again': z.strictObject({ sweep: sweepId, shares: sharesOfSweep }),
  /** Launches what the plan has shown on every box; what each launches over stands by its id. */
  'runs:launch-sweep': z.strictObject({
    sweep: sweepId,
    plan: planRef,
    overridden: z.record(boxId, z.array(z.string().max(40)).max(60)),
  }),
  /** Read-only: asks every box of a sweep, and looks into the results folders of its cells. */
  'runs:reconcile': z.strictObject({ sweep: sweepId }),
  /** Read-only: the newest figures in the logs of some cells of a sweep, by their place in its roster. */
  'runs:cell-figures': z.strictObject({
    sweep: sweepId,
    cells: cellPlaces.max(MAX_CELLS_READ),
  }),
} as const;
