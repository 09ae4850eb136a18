import { needsOf } from '../launch/run-needs.ts';
import type { PushRequest, RunRequest } from '../launch/run-request.ts';
import { readCellList } from '../queue/cell-list.ts';
import { activeCells, fromStart, type QueueRequest } from '../queue/queue-cell.ts';
import { makeCells, readParameters, RESULTS_PATTERN } from '../sweep/make-cells.ts';
import type { RequestFile } from './request-file-schema.ts';
import { fileCellsOf, queueCellsIn, scriptOf } from './cell-fields.ts';
import { cellSourceOf } from './sweep-fields.ts';
import type { WantedRun } from './wanted-run.ts';
import type { WantedSweep } from './wanted-sweep.ts';

/** What a file of the project wants. `pushFrom`: its `push.from` as a whole path. */
export function wantedOf(file: RequestFile, pushFrom: string): WantedRun {
  const queue = queueOf(file);
  const sweep = sweepOf(file);
  const first =
    sweep === null
      ? activeCells(queue === null ? [] : fromStart(queue).cells)[0]?.cell.command
      : makeCells(sweep.source, sweep.pattern).cells[0]?.command;
  const request = requestOf(file, first ?? file.command ?? '', pushFrom);
  return { request, queue, ...(sweep === null ? {} : { sweep }) };
}

function sweepOf({ sweep }: RequestFile): WantedSweep | null {
  if (sweep === undefined) return null;
  const { results: pattern = RESULTS_PATTERN, boxes = null } = sweep;
  return { source: cellSourceOf(sweep), pattern, boxes };
}

function queueOf({
  cells,
  stop_at_failure: stopsAtFailure = false,
  starts_again: startsAgain = false,
  start_index: startIndex,
}: RequestFile): QueueRequest | null {
  if (cells === undefined) return null;
  return {
    cells: queueCellsIn(cells),
    stopsAtFailure,
    startsAgain,
    ...(startIndex === undefined ? {} : { startIndex }),
  };
}

function requestOf(file: RequestFile, command: string, pushFrom: string): RunRequest {
  const { name, folder, activate = null, env = {}, results = null, push } = file;
  return {
    name,
    command,
    folder,
    activate,
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
    results,
    successLine: file.success_line ?? null,
    ...(push === undefined ? {} : { push: pushOf(push, pushFrom) }),
    ...(file.fetch === undefined ? {} : { fetch: file.fetch }),
    ...(file.smoke === undefined ? {} : { smoke: file.smoke }),
    ...(file.copy === undefined
      ? {}
      : { copy: { to: file.copy.to, prune: file.copy.prune ?? [] } }),
    ...(file.disk_gib === undefined ? {} : { diskGib: file.disk_gib }),
    ...needsOf(file),
  };
}

function pushOf(push: NonNullable<RequestFile['push']>, from: string): PushRequest {
  const { ignore = [], fix_line_ends: fixLineEnds = false, rehash = false } = push;
  return { from, ignore, delete: push.delete ?? false, fixLineEnds, rehash };
}

/** The other way round: only what the request has is a field of the file. `pushFrom`: from the file on. */
export function fileOf({ request, queue, sweep }: WantedRun, pushFrom: string): RequestFile {
  const { name, command, folder, activate, env, results, successLine } = request;
  const { push, fetch, smoke, copy, diskGib } = request;
  return {
    name,
    ...(sweep !== undefined
      ? { sweep: fileSweepOf(sweep) }
      : queue === null
        ? { command: scriptOf(command) }
        : fileQueueOf(queue)),
    folder,
    ...(activate === null ? {} : { activate }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(results === null ? {} : { results }),
    ...(successLine === null ? {} : { success_line: successLine }),
    ...(push === undefined ? {} : { push: filePushOf(push, pushFrom) }),
    ...(fetch === undefined ? {} : { fetch: [...fetch] }),
    ...(smoke === undefined ? {} : { smoke }),
    ...(copy === undefined
      ? {}
      : {
          copy: { to: copy.to, ...(copy.prune.length === 0 ? {} : { prune: [...copy.prune] }) },
        }),
    ...(diskGib === undefined ? {} : { disk_gib: diskGib }),
    ...needsOf(request),
  };
}

function fileQueueOf({
  cells,
  stopsAtFailure,
  startsAgain,
  startIndex,
}: QueueRequest): Pick<RequestFile, 'cells' | 'stop_at_failure' | 'starts_again' | 'start_index'> {
  return {
    cells: fileCellsOf(cells),
    ...(stopsAtFailure ? { stop_at_failure: true } : {}),
    ...(startsAgain ? { starts_again: true } : {}),
    ...(startIndex === undefined ? {} : { start_index: startIndex }),
  };
}

function fileSweepOf({ source, pattern, boxes }: WantedSweep): NonNullable<RequestFile['sweep']> {
  return {
    ...(source.kind === 'grid'
      ? {
          command: scriptOf(source.command.trim()),
          grid: Object.fromEntries(
            readParameters(source.parameters).parameters.map(({ name, values }) => [
              name,
              values.join(', '),
            ]),
          ),
        }
      : { cells: fileCellsOf(readCellList(source.text).cells) }),
    ...(pattern === RESULTS_PATTERN ? {} : { results: pattern }),
    ...(boxes === null ? {} : { boxes: [...boxes] }),
  };
}

function filePushOf(push: PushRequest, from: string): NonNullable<RequestFile['push']> {
  return {
    from,
    ...(push.ignore.length === 0 ? {} : { ignore: [...push.ignore] }),
    ...(push.delete ? { delete: true } : {}),
    ...(push.fixLineEnds ? { fix_line_ends: true } : {}),
    ...(push.rehash ? { rehash: true } : {}),
  };
}
