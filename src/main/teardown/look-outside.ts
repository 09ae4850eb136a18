import { Readable } from 'node:stream';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readOutside, type OutsideLook } from '../../shared/teardown/read-outside.ts';
import type { WalkOptions } from '../files/run-roots.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { countFiles } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { Slices } from '../streams/in-slices.ts';

/** A folder that takes longer has too many files to be looked through while a person waits. */
const LIMIT_S = 20;
/** One byte for each small file, and what is told of the others. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What is told of the others, which is read in one go. */
const RECORD_BYTES = 500_000;
/** Holds what stands behind the list, and a path before it. */
const TAIL_BYTES = 8192;
/** What start-up files print, and the lines around the list. */
const HEAD_BYTES = 100_000;
/** Start-up files, and a slow link. */
const SLACK_MS = 30_000;

/** Looks through these folders for what an end of the box would take besides the results (files-outside.sh). Changes nothing. */
export async function lookOutside(
  connection: Pick<SshConnection, 'run' | 'runBytes'>,
  scripts: OnboxScripts,
  { look, skip }: { readonly look: readonly string[]; readonly skip: readonly string[] },
  { onFiles = () => undefined, signal }: WalkOptions = {},
): Promise<Result<OutsideLook, Problem>> {
  const mark = newMark();
  const lines = [
    ...look.filter(isOneLine).map((folder) => `look ${folder}\n`),
    ...skip.filter(isOneLine).map((folder) => `skip ${folder}\n`),
  ];
  const values = (most: number) => ({
    LEASEHOLD_MARK: mark,
    LEASEHOLD_MOST: String(most),
    LEASEHOLD_LIMIT_S: String(LIMIT_S),
  });
  const timeoutMs = look.length * LIMIT_S * 1000 + SLACK_MS;
  const ran = await scripts.stream<OutsideBytes>(
    connection,
    'files-outside.sh',
    values(MAX_BYTES),
    Readable.from([Buffer.from(lines.join(''))]),
    {
      ...{ read: (stdout) => outsideBytes(stdout, countFiles(onFiles)), timeoutMs },
      ...(signal !== undefined && { signal }),
    },
  );
  if (ran.ok) return told(ran.value.value.text, ran.value.value.isCut, mark, skip);
  if (ran.error.code !== 'terminal-in-between') return ran;
  // Nothing was begun there. A text comes through a terminal, with other line ends.
  const options = {
    ...{ maxChars: 2 * RECORD_BYTES + HEAD_BYTES, timeoutMs },
    ...(signal !== undefined && { signal }),
  };
  const asText = await scripts.runWithInput(
    connection,
    ...(['files-outside.sh', values(RECORD_BYTES), lines.join(''), options] as const),
  );
  if (!asText.ok) return asText;
  return told(asText.value.stdout.replaceAll('\r\n', '\n'), false, mark, skip);
}

function told(
  text: string,
  isCut: boolean,
  mark: string,
  skip: readonly string[],
): Result<OutsideLook, Problem> {
  const read = readOutside(text, mark, skip);
  return read === null
    ? err(problem('results-unknown', 'The box did not tell all of what lies outside the results.'))
    : ok({ ...read, isCut: read.isCut || isCut });
}

interface OutsideBytes {
  readonly text: string;
  readonly isCut: boolean;
}

/** Without the ends of the small files, which are counted as they come; of too long a list its beginning, and what stands behind it. */
export async function outsideBytes(
  stdout: AsyncIterable<Buffer>,
  onPiece: (piece: Buffer) => void = () => undefined,
): Promise<Result<OutsideBytes, Problem>> {
  const pieces: Buffer[] = [];
  const slices = new Slices();
  let tail: Buffer = Buffer.alloc(0);
  let [all, kept, isInside, isCut] = [0, 0, true, false];
  for await (const piece of stdout) {
    all += piece.length;
    if (all > MAX_BYTES + HEAD_BYTES) {
      return err(
        problem('output-too-large', 'The box told more of its files than it was asked for.'),
      );
    }
    onPiece(piece);
    const records = withoutRuns(piece, isInside);
    if (piece.length > 0) isInside = piece.at(-1) !== 0;
    isCut ||= kept + records.length > RECORD_BYTES + HEAD_BYTES;
    if (isCut) tail = Buffer.concat([tail, records]).subarray(-TAIL_BYTES);
    else pieces.push(records);
    kept += records.length;
    const others = slices.next();
    if (others !== null) await others;
  }
  const head = Buffer.concat(pieces);
  if (!isCut) return ok({ text: head.toString('utf8'), isCut });
  // Both without the record that they have a part of.
  const ends = [head.subarray(0, head.lastIndexOf(0) + 1), tail.subarray(tail.indexOf(0) + 1)];
  return ok({ text: Buffer.concat(ends).toString('utf8'), isCut });
}

/** Of NULs that follow each other the first. `isInside`: there was none right before. */
function withoutRuns(piece: Buffer, isInside: boolean): Buffer {
  const records = Buffer.allocUnsafe(piece.length);
  let [length, isAfter] = [0, !isInside];
  for (const byte of piece) {
    if (byte !== 0 || !isAfter) records[length++] = byte;
    isAfter = byte === 0;
  }
  return records.subarray(0, length);
}

const isOneLine = (folder: string): boolean => !/[\n\r]/.test(folder);
