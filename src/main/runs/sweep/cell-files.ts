import { Readable } from 'node:stream';
import type { Problem } from '../../../shared/problem.ts';
import { problem } from '../../../shared/problem.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { CellFigures } from '../../../shared/runs/sweep/cell-figures.ts';
import {
  fileOfCell,
  figuresInParts,
  FIRST_BYTES,
  LAST_BYTES,
  readCellFiles,
  type CellFile,
  type FilePart,
} from '../../../shared/runs/sweep/cell-files.ts';
import { newMark, type OnboxScripts } from '../../onbox/onbox-scripts.ts';
import { bytesWithin } from '../../onbox/text-of.ts';
import type { SshConnection } from '../../ssh/ssh-connection.ts';

/** What a folder tells of its files: of more a person had named one. */
const MAX_LIST_BYTES = 30_000;
const LIMIT_S = 5;
const TIMEOUT_MS = 120_000;
const SLACK_BYTES = 200_000;

/** While a cell runs, its folder is walked this often at most: a new file in it is rare, and the values come from a known one. */
const LIST_EVERY_MS = 60_000;

/** A cell whose log tells no figures. */
export interface SilentCell {
  /** In the roster. */
  readonly place: number;
  readonly results: string;
  readonly isRunning: boolean;
}

/** Of cells by their place in the roster: the file that was found to tell figures, or that none was, and when. */
export type KnownFiles = Map<number, { readonly file: CellFile | null; readonly atMs: number }>;

interface FilesOptions {
  readonly scripts: OnboxScripts;
  readonly redact: (text: string) => string;
  /** What the folders are relative to. */
  readonly folder: string;
  readonly known: KnownFiles;
  readonly nowMs: number;
}

/** The newest figures in the files of these cells, by their place in the roster; one whose folder or file was not read is missing. */
export async function readFileFigures(
  connection: Pick<SshConnection, 'runBytes'>,
  cells: readonly SilentCell[],
  { scripts, redact, folder, known, nowMs }: FilesOptions,
): Promise<Result<ReadonlyMap<number, CellFigures>, Problem>> {
  const ask = { connection, scripts, folder };
  const listed = await listFiles(ask, cells, { redact, known, nowMs });
  if (!listed.ok) return listed;
  const found = new Map<number, CellFigures>();
  const wanted = cells.flatMap(({ place, results }) => {
    const file = known.get(place)?.file;
    if (file === null) found.set(place, {});
    return file === undefined || file === null ? [] : [{ place, results, file }];
  });
  if (wanted.length === 0) return ok(found);
  const lines = wanted.flatMap(({ results, file }) => [results, file.path]);
  const parts = await asked(ask, 'cell-parts.sh', lines, {
    values: { LEASEHOLD_FIRST: String(FIRST_BYTES), LEASEHOLD_LAST: String(LAST_BYTES) },
    most: wanted.length * (FIRST_BYTES + LAST_BYTES + 200) + SLACK_BYTES,
    read: readCellParts,
  });
  if (!parts.ok) return parts;
  for (const [at, each] of parts.value) {
    const of = wanted[at];
    if (of === undefined) continue;
    const figures = figuresInParts(of.file, each, {
      redact,
      decode: (bytes) => new TextDecoder('utf-8').decode(bytes),
    });
    found.set(of.place, figures);
  }
  return ok(found);
}

/** Notes the files of those cells whose folders were not walked for a while, or that are over. */
async function listFiles(
  ask: Asked,
  cells: readonly SilentCell[],
  { redact, known, nowMs }: Pick<FilesOptions, 'redact' | 'known' | 'nowMs'>,
): Promise<Result<null, Problem>> {
  const due = cells.filter(({ place, isRunning }) => {
    const before = known.get(place);
    return !isRunning || before === undefined || nowMs - before.atMs >= LIST_EVERY_MS;
  });
  if (due.length === 0) return ok(null);
  const folders = due.map(({ results }) => results);
  const listed = await asked(ask, 'cell-files.sh', folders, {
    values: { LEASEHOLD_MOST: String(MAX_LIST_BYTES), LEASEHOLD_LIMIT_S: String(LIMIT_S) },
    most: due.length * (MAX_LIST_BYTES + 100) + SLACK_BYTES,
    read: (bytes, mark) => readCellFiles(bytes.toString('utf8'), mark),
  });
  if (!listed.ok) return listed;
  for (const [at, { place }] of due.entries()) {
    const files = listed.value.get(at);
    // It was made before the cell began: that it is not there, or cannot be entered, says nothing of what it holds.
    if (files === undefined) known.delete(place);
    if (files === undefined) continue;
    const file = fileOfCell(files);
    // SECURITY: a path in which a secret stands is no place that is told of.
    const isTold = file !== null && redact(file.path) === file.path;
    known.set(place, { file: isTold ? file : null, atMs: nowMs });
  }
  return ok(null);
}

interface Asked {
  readonly connection: Pick<SshConnection, 'runBytes'>;
  readonly scripts: OnboxScripts;
  readonly folder: string;
}

interface Asking<T> {
  readonly values: Readonly<Record<`LEASEHOLD_${string}`, string>>;
  /** So many bytes at most. */
  readonly most: number;
  /** Null: it is not whole. */
  readonly read: (bytes: Buffer, mark: string) => T | null;
}

async function asked<T>(
  { connection, scripts, folder }: Asked,
  script: 'cell-files.sh' | 'cell-parts.sh',
  lines: readonly string[],
  { values, most, read }: Asking<T>,
): Promise<Result<T, Problem>> {
  const mark = newMark();
  const ran = await scripts.stream(
    connection,
    script,
    { ...values, LEASEHOLD_MARK: mark, LEASEHOLD_FOLDER: folder },
    Readable.from([Buffer.from([...lines, '+end', ''].join('\n'))]),
    { read: (stdout) => bytesWithin(stdout, most), timeoutMs: TIMEOUT_MS },
  );
  if (!ran.ok) return ran;
  const told = read(ran.value.value, mark);
  if (told !== null) return ok(told);
  return err(problem('runs-not-read', 'The box did not read the files of all these cells.'));
}

/** What cell-parts.sh printed, by the place of the file in the list that it was given. Null: not whole. */
export function readCellParts(
  stdout: Buffer,
  mark: string,
): ReadonlyMap<number, FilePart[]> | null {
  const found = new Map<number, FilePart[]>();
  for (let at = stdout.indexOf(`${mark} `); at >= 0;) {
    const end = stdout.indexOf('\n', at);
    const line = stdout.toString('latin1', at, Math.max(at, end));
    if (line === `${mark} whole`) return found;
    const [, file, from, count] = / part (\d{1,7}) (\d{1,16}) (\d{1,9}) \d{1,16}$/.exec(line) ?? [];
    if (file === undefined || !line.startsWith(`${mark} part `)) return null;
    const bytes = stdout.subarray(end + 1, end + 1 + Number(count));
    const place = Number(file) - 1;
    const part = { from: Number(from), bytes };
    const before = found.get(place);
    if (before === undefined) found.set(place, [part]);
    else before.push(part);
    // Where a file became shorter meanwhile, no mark stands there: the answer is not whole.
    at = end + 1 + Number(count) + 1;
  }
  return null;
}
