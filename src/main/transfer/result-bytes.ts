import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { newMark, noInput, type OnboxScripts, type OnboxValues } from '../onbox/onbox-scripts.ts';
import { atMost, readLogBytes } from '../runs/log-bytes.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { PullCarrier } from './pull-carrier.ts';

export interface ResultBytes {
  /** On the box: the folder, and the file from there on. */
  readonly folder: string;
  readonly path: string;
  readonly from: number;
  readonly most: number;
  readonly signal: AbortSignal;
  readonly inFlightBytes: number | undefined;
  readonly take: (piece: Buffer) => Promise<void>;
}

/** The same for a carrier, which puts them at the end of a file here. */
export interface BytesInto extends Omit<ResultBytes, 'take' | 'inFlightBytes'> {
  readonly into: string;
  readonly onBytes: (bytes: number) => void;
}

/** With this the scripts say that there is no such thing, or not any more. */
const NOT_THERE = 3;

const NOT_BEGUN = problem('results-not-pulled', 'The box did not begin to send the file.');

/** Some bytes of a file, over a command: a box without SFTP has it too, and one stream is not bound by round trips. */
export async function readResultBytes(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { take, inFlightBytes, ...asked }: ResultBytes,
): Promise<Result<null, Problem>> {
  const { most, signal } = asked;
  const mark = newMark();
  const ran = await scripts.stream(connection, 'result-file.sh', valuesOf(mark, asked), noInput(), {
    ...{
      signal,
      timeoutMs: null,
      ...(inFlightBytes !== undefined && { inFlightBytes }),
    },
    read: (stdout) => readBytes(stdout, mark, most, take),
  });
  if (!ran.ok) return ran;
  const { end } = ran.value;
  if (end.kind === 'exited' && end.code === NOT_THERE) {
    const said = 'It is gone, shorter than it was, or no longer a regular file.';
    return err(problem('results-not-pulled', said));
  }
  return ok(null);
}

/** Longer than any hashing tool prints of stdin. */
const MAX_HASH_BYTES = 200;

/** The SHA-256 of the first bytes of a file, as the box reads them now; null: it does not tell. */
export async function hashOfBeginning(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  asked: Pick<ResultBytes, 'folder' | 'path' | 'most' | 'signal'>,
): Promise<Result<string | null, Problem>> {
  const mark = newMark();
  let said = '';
  const values = {
    ...valuesOf(mark, { ...asked, from: 0 }),
    LEASEHOLD_HASH: 'yes',
  };
  const ran = await scripts.stream(connection, 'result-file.sh', values, noInput(), {
    ...{ signal: asked.signal, timeoutMs: null },
    read: (stdout) =>
      readBytes(stdout, mark, MAX_HASH_BYTES, (piece) => {
        said += piece.toString('latin1');
        return Promise.resolve();
      }),
  });
  if (!ran.ok) return ran;
  return ok(/^[0-9a-f]{64}(?=\s)/.exec(said)?.[0] ?? null);
}

/** What it does not bring is for `readResultBytes`, which says why. */
export function receiveResultBytes(
  carrier: PullCarrier,
  scripts: OnboxScripts,
  { into, onBytes, ...asked }: BytesInto,
): Promise<boolean> {
  const { most, signal } = asked;
  const file = { path: into, rest: '', mostBytes: most, onBytes, signal };
  return carrier.receive(scripts, 'result-file.sh', valuesOf(newMark(), asked), file);
}

const valuesOf = (
  mark: string,
  { folder, path, from, most }: Pick<ResultBytes, 'folder' | 'path' | 'from' | 'most'>,
): OnboxValues => ({
  LEASEHOLD_MARK: mark,
  LEASEHOLD_FOLDER: folder,
  LEASEHOLD_RESULTS: folder,
  LEASEHOLD_FILE: path,
  LEASEHOLD_FROM: String(from),
  LEASEHOLD_MOST: String(most),
});

export interface ManyResults {
  readonly folder: string;
  /** None has a backslash or a line break in it. */
  readonly paths: readonly string[];
  /** Compressed, where the box can. */
  readonly isPacked: boolean;
  /** Of the stream. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly inFlightBytes: number | undefined;
  readonly take: (piece: Buffer) => Promise<void>;
}

export interface ManyInto extends Omit<ManyResults, 'take' | 'inFlightBytes'> {
  readonly into: string;
  readonly onBytes: (bytes: number) => void;
}

/** Many files in one tar stream. What is not in it went away, or the box has no tar: that is not told here. */
export async function readManyResults(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  { take, inFlightBytes, ...asked }: ManyResults,
): Promise<Result<null, Problem>> {
  const mark = newMark();
  const { paths, most, signal } = asked;
  const ran = await scripts.stream(
    connection,
    'result-files.sh',
    valuesOfMany(mark, asked),
    bytesOf(linesOf(paths)),
    {
      ...{
        signal,
        timeoutMs: null,
        ...(inFlightBytes !== undefined && { inFlightBytes }),
      },
      read: (stdout) => readBytes(stdout, mark, most, take),
    },
  );
  return ran.ok ? ok(null) : ran;
}

/** The same for a carrier. */
export function receiveManyResults(
  carrier: PullCarrier,
  scripts: OnboxScripts,
  { into, onBytes, ...asked }: ManyInto,
): Promise<boolean> {
  const { paths, most, signal } = asked;
  const file = {
    path: into,
    rest: linesOf(paths),
    mostBytes: most,
    onBytes,
    signal,
  };
  return carrier.receive(scripts, 'result-files.sh', valuesOfMany(newMark(), asked), file);
}

const valuesOfMany = (
  mark: string,
  { folder, isPacked }: Pick<ManyResults, 'folder' | 'isPacked'>,
): OnboxValues => ({
  LEASEHOLD_MARK: mark,
  LEASEHOLD_FOLDER: folder,
  LEASEHOLD_RESULTS: folder,
  LEASEHOLD_PACK: isPacked ? 'yes' : '',
});

function readBytes(
  stdout: AsyncIterable<Buffer>,
  mark: string,
  most: number,
  take: (piece: Buffer) => Promise<void>,
): Promise<Result<null, Problem>> {
  const taking = { begin: () => undefined, take };
  return readLogBytes(atMost(stdout, most), mark, taking, NOT_BEGUN);
}

const linesOf = (paths: readonly string[]): string => paths.map((path) => `./${path}\n`).join('');

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve();
  yield Buffer.from(text, 'utf8');
}
