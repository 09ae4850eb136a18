import { needsOf } from '../launch/run-needs.ts';
import type { PushRequest, RunRequest } from '../launch/run-request.ts';
import { activeCells, type QueueRequest } from '../queue/queue-cell.ts';
import type { RequestFile } from './request-file-schema.ts';
import type { WantedRun } from './wanted-run.ts';

/** What a file of the project wants. `pushFrom`: its `push.from` as a whole path. */
export function wantedOf(file: RequestFile, pushFrom: string): WantedRun {
  const queue = queueOf(file);
  const first = queue === null ? undefined : activeCells(queue.cells)[0]?.cell.command;
  return { request: requestOf(file, first ?? file.command ?? '', pushFrom), queue };
}

function queueOf({
  cells,
  stop_at_failure: stopsAtFailure = false,
}: RequestFile): QueueRequest | null {
  if (cells === undefined) return null;
  return {
    cells: cells.map(({ name, command, left_out: isCommented = false }) => ({
      name,
      // As a list in the window has it.
      command: command
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n'),
      isCommented,
    })),
    stopsAtFailure,
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
export function fileOf({ request, queue }: WantedRun, pushFrom: string): RequestFile {
  const { name, command, folder, activate, env, results, successLine } = request;
  const { push, fetch, smoke, copy, diskGib } = request;
  return {
    name,
    ...(queue === null ? { command: scriptOf(command) } : fileQueueOf(queue)),
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

/** As YAML writes it best: a text of several lines ends with one. */
const scriptOf = (command: string): string => (command.includes('\n') ? `${command}\n` : command);

function fileQueueOf({
  cells,
  stopsAtFailure,
}: QueueRequest): Pick<RequestFile, 'cells' | 'stop_at_failure'> {
  return {
    cells: cells.map(({ name, command, isCommented }) => ({
      name,
      command: scriptOf(command),
      ...(isCommented ? { left_out: true } : {}),
    })),
    ...(stopsAtFailure ? { stop_at_failure: true } : {}),
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
