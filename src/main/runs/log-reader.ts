import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { ERROR_HINT, isErrorText } from '../../shared/runs/launch/log-lines.ts';
import {
  MAX_FINDS,
  MAX_PART_BYTES,
  type LogFinds,
  type LogPart,
  type LogWanted,
} from '../../shared/runs/launch/log-part.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import {
  atMost,
  LOG_ENDS,
  logValues,
  nameValues,
  readLogBytes,
  type LogBegin,
  type LogName,
} from './log-bytes.ts';
import { readLogFinds } from './log-finds.ts';

export interface LogReaderOptions {
  readonly roster: Connections;
  readonly scripts: OnboxScripts;
  /** SECURITY: takes secrets out of what the box wrote. */
  readonly redact: (text: string) => string;
}

/** Of lines that may tell of an error, before one does: more than that and nobody knows. */
const MAX_CANDIDATES = 200_000;
const CANDIDATE_BYTES = 400;

/** Reads and searches whole logs, which a window cannot hold: a part at a time, on the box where they lie. */
export class LogReader {
  readonly #options: LogReaderOptions;
  /** One search a box: who asks again has another question. */
  readonly #searches = new Map<string, AbortController>();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /** What lies between these bytes, from the beginning of a line to the end of one. */
  async read(
    boxId: string,
    log: LogName,
    { from, until }: { readonly from: number; readonly until: number },
  ): Promise<Result<LogPart, Problem>> {
    const { roster, scripts, redact } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    const mark = newMark();
    const stopper = new AbortController();
    const pieces: Buffer[] = [];
    let began: LogBegin | null = null;
    // With the byte before it, which says whether a line begins there.
    const first = Math.max(0, from - 1);
    const end = Math.min(until, from + MAX_PART_BYTES);
    const ran = await scripts.follow(
      connection,
      'run-log.sh',
      logValues(mark, log, { from: first, until: end }),
      {
        read: (stdout) =>
          readLogBytes(atMost(stdout, end - first), mark, {
            begin: (at) => {
              began = at;
            },
            take: (piece) => void pieces.push(piece),
          }),
        signal: stopper.signal,
      },
    );
    stopper.abort();
    if (!ran.ok) return ran;
    const { end: how } = ran.value;
    if (how.kind === 'exited' && how.code === LOG_ENDS.shrunk) {
      return err(
        problem(
          'runs-not-read',
          'The log is shorter than it was: it was emptied, or another one took its place.',
        ),
      );
    }
    if (how.kind !== 'exited' || how.code !== 0 || began === null) {
      return err(problem('runs-not-read', 'This part of the log could not be read.'));
    }
    const part = partOf(Buffer.concat(pieces), first, from, (began as LogBegin).size);
    return ok({ ...part, text: redact(part.text) });
  }

  /** Every line of the log that has this; ends a search of this box that is under way. */
  async find(boxId: string, log: LogName, wanted: LogWanted): Promise<Result<LogFinds, Problem>> {
    const { roster, scripts } = this.#options;
    const connection = roster.connectionOf(boxId);
    if (connection === null) return err(problem('not-connected', 'The box is not connected.'));
    this.stop(boxId);
    const stopper = new AbortController();
    this.#searches.set(boxId, stopper);
    const mark = newMark();
    const isText = wanted.kind === 'text';
    const found = await scripts.follow(
      connection,
      'log-find.sh',
      {
        ...nameValues(mark, log),
        LEASEHOLD_KIND: isText ? 'text' : 'pattern',
        LEASEHOLD_WANTED: isText ? wanted.text : ERROR_HINT,
        LEASEHOLD_MOST: String(isText ? MAX_FINDS : MAX_CANDIDATES),
        LEASEHOLD_SHOWN: isText ? '0' : String(CANDIDATE_BYTES),
      },
      {
        read: (stdout) => readLogFinds(stdout, mark, isText ? null : (line) => isErrorText(line)),
        signal: stopper.signal,
      },
    );
    const isStopped = stopper.signal.aborted;
    stopper.abort();
    if (this.#searches.get(boxId) === stopper) this.#searches.delete(boxId);
    if (isStopped) return err(problem('aborted', 'The search was stopped.'));
    if (!found.ok) return found;
    return ok(found.value.value);
  }

  stop(boxId: string): void {
    this.#searches.get(boxId)?.abort();
  }

  close(): void {
    for (const search of this.#searches.values()) search.abort();
  }
}

const LINE_END = 10;

/** Cut at line ends, where there are any: a line that is longer than a part stays in pieces. */
function partOf(bytes: Buffer, first: number, from: number, size: number): LogPart {
  const skipped = first === from ? 0 : bytes.indexOf(LINE_END) + 1 || from - first;
  const isToEnd = first + bytes.length >= size;
  const end = isToEnd ? bytes.length : bytes.lastIndexOf(LINE_END) + 1;
  const cut = end > skipped ? end : bytes.length;
  return {
    from: first + skipped,
    to: first + cut,
    size,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(skipped, cut)),
  };
}
