import { boxWord } from '../launch/job-script.ts';
import type { PushRequest, RunRequest } from '../launch/run-request.ts';
import type { QueueCell } from '../queue/queue-cell.ts';
import type { RosterCell, SweepBase } from './sweep-roster.ts';

/** Cells of the roster for the queue of a box: the folder of each is there before its command begins. */
export function queueCellsOf(cells: readonly RosterCell[]): readonly QueueCell[] {
  return cells.map(({ name, command, results }) => ({
    name,
    command: `mkdir -p -- ${boxWord(results)} || exit 1\n${command}`,
    isCommented: false,
  }));
}

/** What the run of a share wants; its checks look at the first command, without what is put in front. */
export function requestOfShare(
  name: string,
  base: SweepBase,
  cells: readonly RosterCell[],
  push?: PushRequest,
): RunRequest {
  return {
    ...base,
    ...(push === undefined ? {} : { push }),
    name,
    command: cells[0]?.command ?? '',
    results: sharedFolderOf(cells),
    successLine: null,
  };
}

/** The deepest folder that holds the folders of all of them; null: there is none. */
function sharedFolderOf(cells: readonly RosterCell[]): string | null {
  let shared: readonly string[] | null = null;
  for (const { results } of cells) {
    const above = results.split('/').slice(0, -1);
    if (shared === null) {
      shared = above;
      continue;
    }
    const end = shared.findIndex((part, at) => above[at] !== part);
    if (end >= 0) shared = shared.slice(0, end);
  }
  const folder = shared?.join('/') ?? '';
  return folder === '' ? null : folder;
}
