import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isLeftover, sweepTemporaries } from './atomic-file.ts';
import { errnoOf, fileProblem, type FileTask } from './file-problem.ts';

/**
 * In a folder with a file for each box, named by its id: removes those of all others, and what was left half-written of any. A session
 * that was killed could not do it.
 */
export async function removeFilesOfOthers(
  folder: string,
  boxIds: readonly string[],
  task: Pick<FileTask, 'failed' | 'otherwise'>,
): Promise<Result<null, Problem>> {
  const listed = new Set(boxIds);
  try {
    for (const name of await readdir(folder)) {
      const boxId = /^([0-9a-f-]{36})\./.exec(name)?.[1];
      if (boxId === undefined) continue;
      if (!listed.has(boxId) || isLeftover(name)) await rm(join(folder, name), { force: true });
    }
    return ok(null);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return ok(null);
    return err(fileProblem(cause, { ...task, file: folder }));
  }
}

/** Removes a box's file, with what a killed session left half-written beside it. */
export async function removeBoxFile(file: string, failed: string): Promise<Result<null, Problem>> {
  try {
    await rm(file, { force: true });
    await sweepTemporaries(file);
    return ok(null);
  } catch (cause) {
    return err(fileProblem(cause, { failed, file, otherwise: 'folder-read-only' }));
  }
}
