import { MAX_PAYLOAD_BYTES, payloadBytes } from '../../../../../shared/ipc/payload-size.ts';
import { cellListText, readCellList } from '../../../../../shared/runs/queue/cell-list.ts';
import {
  activeCells,
  startError,
  type QueueCell,
  type QueueRequest,
} from '../../../../../shared/runs/queue/queue-cell.ts';
import type {
  RequestErrors,
  RequestTexts,
} from '../../../../../shared/runs/launch/request-form.ts';
import {
  isPerCell,
  NEEDS_CELL,
  resultsError,
} from '../../../../../shared/runs/queue/cell-results.ts';
import { formatCount } from '../../../../ui/format.ts';

/** What stands in the fields of a queue. */
export interface QueueForm {
  readonly isOn: boolean;
  readonly text: string;
  readonly stopsAtFailure: boolean;
  readonly startsAgain: boolean;
  /** Empty: the first. */
  readonly startIndex: string;
}

export const NO_QUEUE_FORM: QueueForm = {
  isOn: false,
  text: '',
  stopsAtFailure: false,
  startsAgain: false,
  startIndex: '',
};

/** Null: it cannot be used as it is. */
export function readQueueForm(form: QueueForm): QueueRequest | null {
  const { text, stopsAtFailure, startsAgain } = form;
  const { cells, faults } = readCellList(text);
  if (faults.length > 0 || activeCells(cells).length === 0 || tooLong(cells) !== null) return null;
  const start = form.startIndex.trim();
  const queue = { cells, stopsAtFailure, startsAgain };
  if (start === '') return queue;
  return startErrorIn(form) === null ? { ...queue, startIndex: Number(start) } : null;
}

/** Null: it can begin at that cell, or nobody said at which. */
export function startErrorIn({ text, startIndex }: QueueForm): string | null {
  const start = startIndex.trim();
  if (start === '') return null;
  if (!/^[1-9]\d{0,4}$/.test(start)) return 'Enter the number of a cell, such as 4.';
  const { cells } = readCellList(text);
  const queue = { cells, stopsAtFailure: false, startsAgain: false };
  return cells.length === 0 ? null : startError({ ...queue, startIndex: Number(start) });
}

/** What of the request is wrong because cells share it: each copies what it alone has saved. */
export function cellErrors(
  { results, copyTo }: Pick<RequestTexts, 'results' | 'copyTo'>,
  { text }: QueueForm,
): RequestErrors {
  if (!isPerCell(results)) return copyTo.trim() === '' ? {} : { results: NEEDS_CELL };
  const wrong = resultsError(readCellList(text).cells, results.trim());
  return wrong === null ? {} : { results: wrong };
}

/** The other way round. */
export const queueFormOf = ({
  cells,
  stopsAtFailure,
  startsAgain,
  startIndex,
}: QueueRequest): QueueForm => ({
  isOn: true,
  text: cellListText(cells),
  stopsAtFailure,
  startsAgain,
  startIndex: startIndex === undefined ? '' : String(startIndex),
});

/** What a message has room for beside its cells: the rest of a request. */
const REST_BYTES = 128 * 1024;

/** Why main would refuse so many cells in one message, and how many it would take; null: it takes them. */
export function tooLong(cells: readonly QueueCell[]): string | null {
  let left = MAX_PAYLOAD_BYTES - REST_BYTES;
  const fit = cells.findIndex((cell, at) => {
    left -= payloadBytes(cell, MAX_PAYLOAD_BYTES) + 2 * String(at).length;
    return left < 0;
  });
  if (fit === -1) return null;
  const words = (some: readonly QueueCell[]): string =>
    `${formatCount(some.length, 'cell')} with ${formatCount(charsOf(some), 'character')}`;
  return [
    `${words(cells)} are too much at once: the first ${words(cells.slice(0, fit))} fit.`,
    'Add the others once these are in the queue.',
  ].join(' ');
}

const charsOf = (cells: readonly QueueCell[]): number =>
  cells.reduce((sum, { name, command }) => sum + name.length + command.length, 0);
