import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { salvageText } from '../../shared/salvage.ts';
import { EMPTY_BOOK, type SentinelBook } from '../../shared/sentinels/sentinel-book.ts';
import { sentinelBook } from '../../shared/sentinels/sentinel-schema.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { removeBoxFile, removeFilesOfOthers } from '../storage/box-files.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import { copyAside, moveAside } from '../storage/keep-aside.ts';
import { readOwnText } from '../storage/own-text.ts';

const FOLDER = 'sentinels';
const fileOf = (dataFolder: string, boxId: string): string =>
  join(dataFolder, FOLDER, `${boxId}.json`);

export interface ReadBook {
  readonly book: SentinelBook;
  /** Why what was kept is lost; null: it is not, or there was none. */
  readonly fault: Problem | null;
  /** Whether a new file may take the place of what is there. */
  readonly isReplaceable: boolean;
}

export async function readBook(dataFolder: string, boxId: string): Promise<ReadBook> {
  const file = fileOf(dataFolder, boxId);
  let text: string;
  try {
    text = await readOwnText(file);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) {
      return { book: EMPTY_BOOK, fault: null, isReplaceable: true };
    }
    const failed = 'The watches of a box are not known';
    const fault = fileProblem(cause, { failed, file, otherwise: 'sentinels-unreadable' });
    return { book: EMPTY_BOOK, fault, isReplaceable: false };
  }
  const read = salvageText(sentinelBook, text);
  if (read?.dropped.length === 0) return { book: read.value, fault: null, isReplaceable: true };
  return { book: read?.value ?? EMPTY_BOOK, ...putAside(file, boxId, read?.dropped) };
}

/** Kept as it is, before the next write would replace it. */
function putAside(
  file: string,
  boxId: string,
  dropped: readonly string[] | undefined,
): Omit<ReadBook, 'book'> {
  const words =
    dropped === undefined
      ? 'The watches of a box cannot be read any more, so nothing is watched there.'
      : 'Part of what you wait for on a box cannot be read any more. The rest goes on.';
  try {
    const name = { stem: `${boxId}.json.unreadable`, ending: '', atMs: Date.now() };
    const kept = dropped === undefined ? moveAside(file, name) : copyAside(file, name);
    const detail = [`the file as it was is now ${kept}`, ...(dropped ?? []).slice(0, 20)].join(
      ', ',
    );
    const fault = problem('sentinels-unreadable', words, { detail });
    return { fault, isReplaceable: true };
  } catch (cause) {
    const failed = 'The watches of a box cannot be read and were not put aside';
    const fault = fileProblem(cause, { failed, file, otherwise: 'sentinels-unreadable' });
    return { fault, isReplaceable: false };
  }
}

export async function keepBook(
  dataFolder: string,
  boxId: string,
  book: SentinelBook,
): Promise<Result<null, Problem>> {
  const file = fileOf(dataFolder, boxId);
  try {
    await mkdir(join(dataFolder, FOLDER), { recursive: true, mode: OWNER_ONLY_FOLDER });
    await replaceFile(file, JSON.stringify(book));
    return ok(null);
  } catch (cause) {
    const failed = 'The watches of a box were not kept';
    return err(fileProblem(cause, { failed, file, otherwise: 'folder-read-only' }));
  }
}

/** Of boxes that are not in the list any more. */
export function forgetOtherBooks(
  dataFolder: string,
  boxIds: readonly string[],
): Promise<Result<null, Problem>> {
  const failed = 'What you waited for on forgotten boxes was not removed';
  return removeFilesOfOthers(join(dataFolder, FOLDER), boxIds, {
    failed,
    otherwise: 'folder-read-only',
  });
}

export function forgetBook(dataFolder: string, boxId: string): Promise<Result<null, Problem>> {
  const failed = 'What you waited for on the box was not removed';
  return removeBoxFile(fileOf(dataFolder, boxId), failed);
}
