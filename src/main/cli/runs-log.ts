import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { plainLogText } from '../../shared/runs/launch/log-text.ts';
import { redactText } from '../../shared/secrets/redact-text.ts';
import { newMark } from '../onbox/onbox-scripts.ts';
import { LOG_ENDS, logValues, readLogBytes, type LogName } from '../runs/log-bytes.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { Command } from './command.ts';
import {
  overItsLink,
  REACHES_A_BOX,
  tellUnreached,
  withNamedBox,
  type NamedBox,
} from './named-box.ts';
import { findRun, notChosen, type FoundRun } from './known-runs.ts';
import type { Writer } from './writer.ts';

const LAST_BYTES = 128 * 1024;
/** A line without an end is told in pieces of this. */
const MAX_LINE_CHARS = 64 * 1024;

export const runsLog: Command = {
  name: 'runs log',
  summary: 'prints the log of a launched run; with --follow also what is written from now on',
  operands: ['<box>', '<run>'],
  flags: {
    follow: { value: null, help: 'goes on until the run is over' },
    all: { value: null, help: 'the whole log, not only its last 128 KiB' },
    cell: { value: 'no', help: 'of a queue: the log of the cell with this number' },
  },
  details: [
    'The run is given by its id, or by its name where only one has it. With --json each line is a JSON text of its own.',
    'A progress bar that rewrites its line is printed as it stood last. Escape sequences are left out, and so is what looks like a',
    'secret.',
    ...REACHES_A_BOX,
    'Exit code 1: the box did not answer, has no such run, or the log could not be read to its end.',
  ],
  run: async ({ operands: [name = '', wanted = ''], flags, isJson }, context) => {
    const index = flags.get('cell');
    if (index !== undefined && !/^[1-9]\d{0,6}$/.test(index)) {
      return { refused: '--cell takes the number of a cell, from 1 on.' };
    }
    return withNamedBox(name, context, async (known) => {
      const { out, err: errors } = context;
      const lines = new LogPrinter(out, isJson);
      const read = await overItsLink<FoundRun>(known, async (connection) => {
        const found = await findRun(connection, known, wanted);
        if (!found.ok || found.value.kind !== 'found') return found;
        const { id: runId, queue } = found.value.run;
        if (index !== undefined && queue === undefined) {
          return err(problem('queue-not-read', 'This run has no cells: it is no queue.'));
        }
        const cell =
          queue === undefined || index === undefined
            ? {}
            : { cell: { queueId: queue.id, index: Number(index) } };
        const from = flags.has('all') ? 0 : { last: LAST_BYTES };
        const what = { log: { runId, ...cell }, from, lines };
        const whole = await printLog(connection, known, what, flags.has('follow'));
        return whole.ok ? found : whole;
      });
      await lines.end();
      if (!read.ok) return tellUnreached(known, read.error, 'runs', isJson);
      if (read.value.kind === 'found') return 0;
      await errors.line(notChosen(read.value, wanted));
      return 1;
    });
  },
};

interface Printed {
  readonly log: LogName;
  readonly from: number | { readonly last: number };
  readonly lines: LogPrinter;
}

async function printLog(
  connection: SshConnection,
  known: NamedBox,
  { from, ...printed }: Printed,
  isFollowed: boolean,
): Promise<Result<null, Problem>> {
  for (let begin = from; ;) {
    const read = await printFrom(connection, known, { ...printed, from: begin }, isFollowed);
    if (!read.ok) return read;
    if (read.value === null) return ok(null);
    begin = read.value;
  }
}

/** The byte to read on from, of a log that was renamed; null: all was read. */
async function printFrom(
  connection: SshConnection,
  { scripts }: NamedBox,
  { log, from, lines }: Printed,
  isFollowed: boolean,
): Promise<Result<number | null, Problem>> {
  const mark = newMark();
  const stopper = new AbortController();
  let left = Infinity;
  let readTo = 0;
  const stopWhenRead = (): void => {
    if (!isFollowed && left <= 0) stopper.abort();
  };
  const ran = await scripts.follow(
    connection,
    'run-log.sh',
    logValues(mark, log, { from, until: null }),
    {
      signal: stopper.signal,
      read: (stdout) =>
        readLogBytes(stdout, mark, {
          begin: ({ from: at, size }) => {
            readTo = at;
            left = size - at;
            stopWhenRead();
          },
          take: async (piece) => {
            readTo += piece.length;
            left -= piece.length;
            await lines.take(piece);
            stopWhenRead();
          },
        }),
    },
  );
  const isStopped = stopper.signal.aborted;
  stopper.abort();
  if (isStopped) return ok(null);
  if (!ran.ok) return ran;
  const { end } = ran.value;
  if (end.kind === 'exited' && end.code === 0) return ok(null);
  if (end.kind === 'exited' && end.code === LOG_ENDS.renamed) return ok(readTo);
  if (end.kind === 'exited' && end.code === LOG_ENDS.rotated) return ok(0);
  return err(problem('runs-not-read', 'The log could not be read to its end.'));
}

/** Bytes of a log as lines that are safe on a terminal. */
class LogPrinter {
  readonly #out: Writer;
  readonly #isJson: boolean;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #open = '';

  constructor(out: Writer, isJson: boolean) {
    this.#out = out;
    this.#isJson = isJson;
  }

  /** Done once the reader has taken all of it, so that nothing piles up. */
  async take(piece: Uint8Array): Promise<void> {
    const lines = (this.#open + this.#decoder.decode(piece, { stream: true })).split('\n');
    this.#open = lines.pop() ?? '';
    for (const line of lines) await this.#print(line);
    if (this.#open.length <= MAX_LINE_CHARS) return;
    await this.#print(this.#open);
    this.#open = '';
  }

  async end(): Promise<void> {
    if (this.#open !== '') await this.#print(this.#open);
  }

  #print(line: string): Promise<void> {
    const shown = redactText(plainLogText(asItStood(line)));
    return this.#isJson ? this.#out.jsonLine(shown) : this.#out.line(shown);
  }
}

/** A progress bar writes its line again and again, after a carriage return. */
function asItStood(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}
