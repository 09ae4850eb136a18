import { randomBytes } from 'node:crypto';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { commandWords } from '../../shared/runs/launch/command-words.ts';
import { copyPlan } from '../../shared/runs/launch/copy-plan.ts';
import { jobScript, type JobSetup } from '../../shared/runs/launch/job-script.ts';
import { judgeCells } from '../../shared/runs/launch/checks/cell-checks.ts';
import { holdsKey, judgeCellKeys } from '../../shared/runs/launch/checks/key-checks.ts';
import { judgeNotices } from '../../shared/runs/launch/checks/notice-checks.ts';
import { judgeSavers } from '../../shared/runs/launch/checks/savers-check.ts';
import { judgeReboot, rebootLine } from '../../shared/runs/launch/checks/reboot-check.ts';
import { judgePreflight } from '../../shared/runs/launch/judge-preflight.ts';
import { outlookOf } from '../../shared/runs/launch/outlook.ts';
import { judgeNeeds } from '../../shared/runs/launch/judge-needs.ts';
import { aboutText, askedText } from '../../shared/runs/launch/run-about.ts';
import type { PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { makeRunId, runFolder } from '../../shared/runs/launch/run-id.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import type { ProfileSettings } from '../../shared/runs/launch/profile-settings.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { spotGraceS } from '../../shared/runs/launch/spot-grace.ts';
import { threadCap } from '../../shared/runs/launch/thread-caps.ts';
import { NO_SLOTS, planSlots, slotChecks } from '../../shared/runs/queue/queue-slots.ts';
import { atOnceOf } from '../../shared/runs/queue/workload.ts';
import {
  isPerCell,
  NEEDS_CELL,
  resultsError,
  withResults,
} from '../../shared/runs/queue/cell-results.ts';
import { activeCells, fromStart, type QueueRequest } from '../../shared/runs/queue/queue-cell.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { sha256 } from '../storage/sha256.ts';
import { doInTurns, mapInTurns, nextTurn } from '../streams/in-turns.ts';
import type { CodePusher, FoundPush } from '../transfer/code-pusher.ts';
import type { PlannedLaunch } from './plan-of.ts';
import { launchedHashes } from './launched-hashes.ts';
import {
  asOneCommand,
  newQueue,
  queueJob,
  queueWords,
  type SweepPart,
} from './queue/planned-queue.ts';
import { planNotices } from './notices.ts';
import { checkOverwritten } from './overwritten.ts';
import { askBox } from './run-preflight.ts';
import { askSavers, besideOf, placesOf } from './saved-places.ts';

export interface MakePlanOptions {
  readonly scripts: OnboxScripts;
  readonly pushes: Pick<CodePusher, 'plan'>;
  readonly request: RunRequest;
  /** Null: the command of the request is all that runs. */
  readonly queue: QueueRequest | null;
  /** What is known of the box without asking it. */
  readonly known: KnownBox;
  /** Of the run, by who wants it under the same one however often they ask; absent: a new one. */
  readonly id?: string;
  /** It is the queue of a sweep: the command of the request is the first cell's. */
  readonly sweep?: SweepPart;
}

export const newRunId = (): string =>
  makeRunId(Date.now(), randomBytes(3).toString('hex').slice(1));
const queueCopy = (says: string): PreflightCheck => ({
  id: 'queue-copy',
  title: 'Copies of a queue',
  ...{ answer: 'block', says, gotcha: null, anyway: null },
});

/** Looks at the box, and at the code of this machine, and answers everything that a launch would do. Changes nothing. */
export async function makePlan(
  connection: SshConnection,
  { scripts, pushes, request: asked, queue: listed, known, sweep, id: given }: MakePlanOptions,
): Promise<Result<PlannedLaunch, Problem>> {
  const isOfSweep = sweep !== undefined;
  const wanted = listed === null ? null : fromStart(listed);
  const cells = wanted === null || isOfSweep ? wanted : ownResults(wanted, asked);
  const request = cells === null || isOfSweep ? asked : asOneCommand(asked, cells);
  const commands =
    cells === null ? [request.command] : activeCells(cells.cells).map(({ cell }) => cell.command);
  const words = await doInTurns(commandWords(commands));
  const folders = sweep?.folders ?? null;
  const saves = placesOf(asked, { cells: cells?.cells ?? null, folders });
  const [looked, savers] = await Promise.all([
    askBox(connection, scripts, request, {
      ...{ ...known, commands, words },
      startsAgain: cells?.startsAgain === true,
    }),
    askSavers(connection, scripts, request.folder, { places: saves }),
  ]);
  if (!looked.ok) return looked;
  if (!savers.ok) return savers;
  const found: Result<FoundPush | null, Problem> =
    // What does not answer would only hold up a second look.
    request.push === undefined || looked.value.folder === 'late'
      ? ok(null)
      : await pushes.plan(connection, request.push, request.folder);
  if (!found.ok) return found;
  const push = found.value;
  const overwritten = await checkOverwritten(connection, {
    ...{ scripts, push, known, look: looked.value },
  });
  const { home, detacher } = looked.value;
  const id = sweep?.id ?? given ?? newRunId();
  const { tree, commit, isDirty } = push?.kept.shown ?? {};
  const code =
    tree === undefined ? null : { tree, commit: commit ?? null, isDirty: isDirty ?? false };
  const folder = runFolder(home, id);
  const copy = copyPlan(request, id, home, known.profile);
  // Ten thousand cells, and as many on each of several boxes, are some turns.
  await nextTurn();
  const { slots, need, judged } =
    cells === null ? NO_SLOTS : planSlots({ request, commands, known, look: looked.value });
  const work = { runs: commands.length, slots };
  const keys = await mapInTurns(cells?.cells ?? [], (cell) => holdsKey(cell, known.nowMs));
  const holding = (cells?.cells ?? []).filter((_cell, at) => keys[at] === true);
  const queue = cells === null ? null : await newQueue(id, cells, slots, sweep ?? null);
  await nextTurn();
  const shown = push?.kept.shown ?? null;
  const outlook = outlookOf(request, {
    look: looked.value,
    known,
    push: shown,
    runFolder: folder,
    work,
  });
  const reboot = cells?.startsAgain === true ? rebootLine(id, looked.value) : null;
  const setup = setupOf(outlook.settings);
  const threads = threadCap(commands, looked.value, atOnceOf(work));
  const graceS = spotGraceS(known.profile);
  const job =
    cells === null
      ? jobScript(request, setup, threads)
      : queueJob(request, folder, cells.stopsAtFailure, setup, threads);
  const asks = sha256(askedText(request));
  const files = launchedHashes({ job, queue, copy }, await scripts.textOf('run-launch.sh'));
  await nextTurn();
  const log = cells === null ? `${folder}/log` : null;
  const notices = await planNotices(request, known, log, scripts);
  return ok({
    id,
    request,
    detacher,
    folder,
    saves,
    beside: besideOf(savers.value),
    ...(copy === null ? {} : { copy }),
    ...(graceS === null ? {} : { graceS }),
    ...(reboot === null ? {} : { reboot }),
    ...(notices === null ? {} : { notices }),
    ...(queue === null || cells === null
      ? {
          about: aboutText(id, request, code, { copyTo: copy?.to ?? null, files, asked: asks }),
          job,
        }
      : {
          about: aboutText(id, { ...request, command: queueWords(queue.shown) }, code, {
            queue: id,
            sweep: sweep?.ref ?? null,
            gpus: need,
            copyTo: copy?.to ?? null,
            files,
            asked: asks,
            cellResults: isOfSweep || !isPerCell(asked.results) ? null : asked.results,
          }),
          job,
          queue,
        }),
    checks: [
      ...judgeNeeds(request, {
        look: looked.value,
        push,
        runs: work.runs,
        known,
        asked: judgePreflight(request, looked.value, known, work, words),
      }),
      ...overwritten,
      ...slotChecks(judged),
      ...(cells?.startsAgain === true ? judgeReboot(looked.value) : []),
      ...(cells === null ? [] : judgeCells(cells.cells, looked.value, words)),
      ...judgeCellKeys(holding),
      ...judgeNotices(request, known, cells !== null),
      ...judgeSavers(
        {
          results: asked.results,
          cells:
            folders !== null || (cells !== null && isPerCell(asked.results)) ? saves.length : null,
          goesOn: sweep?.isAgain === true,
        },
        savers.value,
      ),
      ...(wanted === null || isOfSweep ? [] : copyChecks(wanted, asked)),
    ],
    push: push?.kept ?? null,
    outlook,
  });
}

function setupOf(settings: ProfileSettings | null): JobSetup | null {
  if (settings === null || settings.used.length === 0) return null;
  return { of: settings.of, lines: settings.used.map(({ line }) => line) };
}

/** The same with the results folder of each cell, where each has its own. */
function ownResults(queue: QueueRequest, { results }: RunRequest): QueueRequest {
  return isPerCell(results) ? { ...queue, cells: withResults(queue.cells, results) } : queue;
}

/** What two cells share is overwritten, and what none has of its own is not copied. */
function copyChecks({ cells }: QueueRequest, asked: RunRequest): readonly PreflightCheck[] {
  const { results, copy } = asked;
  if (!isPerCell(results)) return copy === undefined ? [] : [queueCopy(NEEDS_CELL)];
  const wrong = resultsError(cells, results);
  return wrong === null ? [] : [queueCopy(wrong)];
}
