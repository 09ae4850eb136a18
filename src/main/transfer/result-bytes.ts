import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { newMark, noInput, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { readLogBytes } from '../runs/log-bytes.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

export interface ResultBytes {
  /** On the box: the folder, and the file from there on. */
  readonly folder: string;
  readonly path: string;
  readonly from: number;
  readonly most: number;
  readonly signal: AbortSignal;
  readonly take: (piece: Buffer) => Promise<void>;
}

/** With this the scripts say that there is no such thing, or not any more. */
const NOT_THERE = 3;

const NOT_BEGUN = problem('results-not-pulled', 'The box did not begin to send the file.');
/** What stands before the bytes is shorter. */
const MAX_HEAD_BYTES = 1000;

/** Some bytes of a file, over a command: a box without SFTP has it too, and one stream is not bound by round trips. */
export async function readResultBytes(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { folder, path, from, most, signal, take }: ResultBytes,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const ran = await scripts.stream(
    connection,
    'result-file.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_FOLDER: folder,
      LEASEHOLD_RESULTS: folder,
      LEASEHOLD_FILE: path,
      LEASEHOLD_FROM: String(from),
      LEASEHOLD_MOST: String(most),
    },
    noInput(),
    { read: (stdout) => readBytes(stdout, mark, most, take), signal, timeoutMs: null },
  );
  if (!ran.ok) return ran;
  const { end } = ran.value;
  if (end.kind === 'exited' && end.code === NOT_THERE) {
    const said = 'It is gone, shorter than it was, or no plain file any more.';
    return err(problem('results-not-pulled', said));
  }
  return ok(null);
}

export interface ManyResults {
  readonly folder: string;
  /** None has a backslash or a line break in it. */
  readonly paths: readonly string[];
  /** Of the stream. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly take: (piece: Buffer) => Promise<void>;
}

/** Many files in one tar stream. What is not in it went away, or the box has no tar: that is not told here. */
export async function readManyResults(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { folder, paths, most, signal, take }: ManyResults,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const ran = await scripts.stream(
    connection,
    'result-files.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_FOLDER: folder, LEASEHOLD_RESULTS: folder },
    linesOf(paths),
    { read: (stdout) => readBytes(stdout, mark, most, take), signal, timeoutMs: null },
  );
  return ran.ok ? ok(null) : ran;
}

function readBytes(
  stdout: AsyncIterable<Buffer>,
  mark: string,
  most: number,
  take: (piece: Buffer) => Promise<void>,
): Promise<Result<null, Problem>> {
  const taking = { begin: () => undefined, take };
  return readLogBytes(atMost(stdout, most + MAX_HEAD_BYTES), mark, taking, NOT_BEGUN);
}

/** SECURITY: a box that goes on sending is not listened to for ever; leaving its output ends the command. */
async function* atMost(
  stdout: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const piece of stdout) {
    bytes += piece.length;
    yield piece;
    if (bytes > mostBytes) return;
  }
}

async function* linesOf(paths: readonly string[]): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve();
  yield Buffer.from(paths.map((path) => `./${path}\n`).join(''), 'utf8');
}
