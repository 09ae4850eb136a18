import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
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

/** Of boxes that are in the list no more. A session that was killed could not do it when they went. */
export async function removeHandbooksBut(
  dataFolder: string,
  boxIds: readonly string[],
): Promise<Result<null, Problem>> {
  const folder = join(dataFolder, FOLDER);
  const kept = new Set(boxIds);
  try {
    for (const name of await readdir(folder)) {
      const boxId = /^([0-9a-f-]{36})\.md/.exec(name)?.[1];
      if (boxId !== undefined && !kept.has(boxId)) await rm(join(folder, name), { force: true });
    }
    return ok(null);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return ok(null);
    const failed = 'The recovery handbook of a forgotten box was not removed';
    return err(fileProblem(cause, { failed, file: folder, otherwise: 'handbook-not-written' }));
  }
}
