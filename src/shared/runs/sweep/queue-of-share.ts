import { boxWord } from '../launch/job-script.ts';
import type { PushRequest, RunRequest } from '../launch/run-request.ts';
import { inFolder } from '../queue/cell-results.ts';
import type { QueueCell } from '../queue/queue-cell.ts';
import { folderAbove } from './cell-folders.ts';
import type { RosterCell, SweepBase } from './sweep-roster.ts';

/** Where there is nothing to run: the cell has run, and its results alone are to be copied. */
const NOTHING = ':';

/**
 * Cells of the roster for the queue of a box: the folder of each is there before its command begins. `hasCopy`: its results are copied.
 * `ran`: those whose program has succeeded there.
 */
export function queueCellsOf(
  cells: readonly RosterCell[],
  hasCopy = false,
  ran: ReadonlySet<RosterCell> = new Set(),
): readonly QueueCell[] {
  return cells.map((cell) => {
    const { name, command, results } = cell;
    return {
      name,
      command: ran.has(cell) ? NOTHING : `mkdir -p -- ${boxWord(results)} || exit 1\n${command}`,
      isCommented: false,
      ...(hasCopy ? { results: inFolder(results) } : {}),
    };
  });
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
    // A folder of their own is asked for now, and was not of sweeps that an older Leasehold launched.
    results: folderAbove(cells) ?? (base.copy === undefined ? null : '.'),
    successLine: null,
  };
}
