import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Problem } from '../../shared/problem.ts';
import { fileProblem } from './file-problem.ts';

export const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/**
 * Makes the folder if it is missing, for its owner only, and answers why nothing can be written into it. A folder that
 * exists keeps its mode: the person may share it on purpose, and every file in it is owner-only anyway.
 */
export function prepareFolder(folder: string, failed: string): Problem | null {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (cause) {
    return fileProblem(cause, { failed, file: folder, otherwise: 'folder-read-only' });
  }
}
