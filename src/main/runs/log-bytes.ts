import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OnboxValues } from '../onbox/onbox-scripts.ts';

/** The log of a run, or of one cell of the queue that it goes through. */
export interface LogName {
  readonly runId: string;
  readonly cell?: {
    /** The run whose folder holds the queue. */
    readonly queueId: string;
    readonly index: number;
  };
}

/** Which part of it: from a byte on, or so many last ones; up to a byte, or followed. */
export interface LogRange {
  readonly from: number | { readonly last: number };
  readonly until: number | null;
}

/** What parts/run-log-place.sh asks for. */
export function nameValues(mark: string, { runId, cell }: LogName): OnboxValues {
  return {
    LEASEHOLD_MARK: mark,
    LEASEHOLD_ID: runId,
    LEASEHOLD_QUEUE: cell?.queueId ?? '',
    LEASEHOLD_CELL: cell === undefined ? '' : String(cell.index),
  };
}

/** What run-log.sh asks for. */
export function logValues(mark: string, log: LogName, { from, until }: LogRange): OnboxValues {
  const isByte = typeof from === 'number';
  return {
    ...nameValues(mark, log),
    LEASEHOLD_FROM: isByte ? String(from) : '',
    LEASEHOLD_LAST: isByte ? '' : String(from.last),
    LEASEHOLD_UNTIL: until === null ? '' : String(until),
  };
}

/** How run-log.sh ends where the file is no longer the one that it was. */
export const LOG_ENDS = {
  /** It became shorter, or another one is in its place. */
  shrunk: 3,
  /** It was renamed and read to its end, and another one has begun under its name. */
  rotated: 4,
  /** It was renamed, and is still written to. */
  renamed: 5,
} as const;

/** By which the streams of a window name it, on its box. */
export function logKey(boxId: string, { runId, cell }: LogName): string {
  return [boxId, runId, ...(cell === undefined ? [] : [cell.index])].join(' ');
}

/** Where run-log.sh began to read. */
export interface LogBegin {
  readonly from: number;
  /** Of the file at that moment: what comes beyond was written while somebody followed. */
  readonly size: number;
  /** Which file that is, and whether another one has begun under its name; absent: not asked. */
  readonly which?: string;
  readonly isRenamed?: boolean;
}

interface LogTakers {
  readonly begin: (at: LogBegin) => void;
  /** The box is not read on before this is done. */
  readonly take: (piece: Buffer) => void | Promise<void>;
}

/** Longer than any first line of run-log.sh. */
const MAX_HEAD_BYTES = 1000;

const NOT_BEGUN = problem('runs-not-read', 'The box did not begin to read the log.');

/** What run-log.sh prints, and others that tell bytes: where it begins, and then the bytes themselves. */
export async function readLogBytes(
  stdout: AsyncIterable<Buffer>,
  mark: string,
  { begin, take }: LogTakers,
  notBegun: Problem = NOT_BEGUN,
): Promise<Result<null, Problem>> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const piece of stdout) {
    if (head === null) {
      await take(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    const at = head.indexOf('\n');
    if (at < 0 && head.length < MAX_HEAD_BYTES) continue;
    const found = beginOf(head.subarray(0, at).toString('latin1'), mark);
    if (found === null) {
      return err(notBegun);
    }
    begin(found);
    const rest = head.subarray(at + 1);
    head = null;
    if (rest.length > 0) await take(rest);
  }
  return ok(null);
}

/** A run that has no log yet begins at its beginning. */
function beginOf(line: string, mark: string): LogBegin | null {
  if (line === `${mark} none`) return { from: 0, size: 0 };
  const [, from, size, tail = '', which, renamed] =
    / from (\d{1,15}) of (\d{1,15})( in (\d{1,20})( renamed)?)?$/.exec(line) ?? [];
  if (from === undefined || size === undefined) return null;
  if (line !== `${mark} from ${from} of ${size}${tail}`) return null;
  const file = which === undefined ? {} : { which, isRenamed: renamed !== undefined };
  return { from: Number(from), size: Number(size), ...file };
}

/**
 * What was asked for is so long at most. SECURITY: a box that goes on sending is not listened to for ever; leaving its output ends the
 * command.
 */
export async function* atMost(
  stdout: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const piece of stdout) {
    bytes += piece.length;
    yield piece;
    if (bytes > mostBytes + MAX_HEAD_BYTES) return;
  }
}
