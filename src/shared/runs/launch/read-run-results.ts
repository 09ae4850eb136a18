import { sortInSteps, type Steps } from '../../steps.ts';
import type { OtherResult, ResultFile, ResultList } from './launched-run.ts';

/** A file as the script tells it. What it is, in one letter. More digits are no size, no time and no number of a file. */
export const LISTED_FILE =
  /^([a-zA-Z]) (\d{1,16}) (-?\d{1,12}(?:\.\d{9})?)\d? (-?\d{1,12}(?:\.\d{9})?)\d? (\d{1,20}) ([^]+)$/;

/** Longer than any path with what stands before it. */
const MAX_HEAD_CHARS = 16 * 1024;

const HEAD = /^folder (\d{1,12}) (yes|no) ([^]*)$/;

/** A kernel counts them on in steps of some milliseconds. */
export const FINE_GRAIN_MS = 50;
/** Where a box or its disk tells seconds, or every second one. */
export const COARSE_GRAIN_MS = 2000;
export const IS_FINE = /\.0*[1-9]/;

export interface ListHead {
  /** By the box's clock. */
  readonly nowS: number;
  readonly tellsWrites: boolean;
  readonly folder: string;
}

/** What stands behind the mark in the first line; a word: why there is no list. Null: no such line. */
export function readListHead(line: string): ListHead | string | null {
  const refused = /^refused ([a-z-]{1,40})$/.exec(line)?.[1];
  if (refused !== undefined) return refused;
  const [, nowS, tellsWrites, folder] = HEAD.exec(line) ?? [];
  if (folder === undefined) return null;
  return { nowS: Number(nowS), tellsWrites: tellsWrites === 'yes', folder };
}

/** What the box printed, as text or as bytes: of a hundred thousand files nobody makes one text. */
interface Printed {
  readonly length: number;
  indexOf(text: string, from?: number): number;
  lastIndexOf(text: string): number;
}

export interface ResultsReading {
  /** When the box was asked. */
  readonly atMs: number;
  readonly maxFiles: number;
  /** A part of what was printed as texts, some milliseconds of work each; all but the last end behind a NUL. */
  readonly textsOf: (from: number, to: number) => Iterable<string>;
}

/** What resources/onbox/run-results.sh printed; a word: why it did not. Null: not whole. */
export function* readRunResults(
  stdout: Printed,
  mark: string,
  { atMs, maxFiles, textsOf }: ResultsReading,
): Steps<ResultList | string | null> {
  const begun = stdout.indexOf(`${mark} `);
  const lineEnd = stdout.indexOf('\n', begun);
  if (begun < 0 || lineEnd < 0 || lineEnd - begun > MAX_HEAD_CHARS) return null;
  const head = readListHead([...textsOf(begun + mark.length + 1, lineEnd)].join(''));
  if (head === null || typeof head === 'string') return head;
  const { nowS, tellsWrites, folder } = head;
  // The box's clock may be wrong: what counts is how long ago it says that a file was written.
  const ownTime = (boxS: number): number => atMs - (nowS - boxS) * 1000;
  const wholeAt = stdout.lastIndexOf(`\n${mark} whole`);
  if (wholeAt < lineEnd) return null;
  yield;
  const files: ResultFile[] = [];
  const others: OtherResult[] = [];
  let grainMs = FINE_GRAIN_MS;
  let isUnread = false;
  const take = (record: string): void => {
    const [, kind, bytes, writtenS = '', changedS = '', no = '', path] =
      LISTED_FILE.exec(record) ?? [];
    if (path === undefined) {
      isUnread = true;
      return;
    }
    if (!IS_FINE.test(changedS)) grainMs = COARSE_GRAIN_MS;
    const modifiedAtMs = ownTime(Math.floor(Number(writtenS)));
    const stamp = `${writtenS} ${changedS} ${no}`;
    const file = { path, bytes: Number(bytes), modifiedAtMs, stamp };
    if (kind === 'f') files.push(file);
    else others.push({ ...file, kind: OTHERS[kind ?? ''] ?? 'special' });
  };
  let records = 0;
  // What stands behind the last NUL is nothing, half a name, or that it took too long.
  let rest = '';
  for (const text of textsOf(lineEnd + 1, wholeAt)) {
    const parts = text.split('\0', maxFiles - records + 1);
    rest = parts.pop() ?? '';
    for (const part of parts) take(part);
    records += parts.length;
    if (rest !== '') break;
    yield;
  }
  if (rest === `\n${mark} partly\n`) return 'partly';
  return {
    atMs,
    folder,
    files: yield* sortInSteps(files, byPath),
    others: yield* sortInSteps(others, byPath),
    // Of a file that is not told in our words nobody knows that it is not there.
    isCut: rest !== '' || isUnread,
    grainMs,
    tellsWrites,
  };
}

const OTHERS: Readonly<Record<string, OtherResult['kind']>> = { l: 'link', d: 'closed' };

const byPath = (a: ResultFile, b: ResultFile): number => (a.path < b.path ? -1 : 1);
