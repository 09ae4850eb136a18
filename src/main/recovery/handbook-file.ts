import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { removeFilesOfOthers } from '../storage/box-files.ts';
import { fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER } from '../storage/folder.ts';

const FOLDER = 'recovery';

/** Where the handbook of a box lies on this machine. */
export const handbookFile = (dataFolder: string, boxId: string): string =>
  join(dataFolder, FOLDER, `${boxId}.md`);

/** The whole new handbook, or the old one as it was; for its owner only. */
export async function writeHandbookFile(
  dataFolder: string,
  boxId: string,
  markdown: string,
): Promise<Result<null, Problem>> {
  const file = handbookFile(dataFolder, boxId);
  try {
    await mkdir(join(dataFolder, FOLDER), { recursive: true, mode: OWNER_ONLY_FOLDER });
    await replaceFile(file, markdown);
    return ok(null);
  } catch (cause) {
    const failed = 'The recovery handbook of a box is not current';
    return err(fileProblem(cause, { failed, file, otherwise: 'handbook-not-written' }));
  }
}

/** Of boxes that are in the list no more. */
export function removeHandbooksBut(
  dataFolder: string,
  boxIds: readonly string[],
): Promise<Result<null, Problem>> {
  const failed = 'The recovery handbook of a forgotten box was not removed';
  return removeFilesOfOthers(join(dataFolder, FOLDER), boxIds, {
    failed,
    otherwise: 'handbook-not-written',
  });
}
