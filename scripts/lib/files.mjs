import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const isMissing = (/** @type {unknown} */ error) =>
  ['ENOENT', 'ENOTDIR'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');

/** The content of a file; null where there is none. */
export async function readTextOrNull(/** @type {string} */ path) {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * A JSON file of ours; null where it is missing or cut short, which for a record of ours means: do it again.
 * @returns {Promise<unknown>}
 */
export async function readJsonOrNull(/** @type {string} */ path) {
  const text = await readTextOrNull(path);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether there is something at that path. */
export async function exists(/** @type {string} */ path) {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * The files below some folders, sorted; a folder that is not there has none.
 * @param {readonly string[]} folders
 * @returns {Promise<string[]>}
 */
export async function listFiles(folders) {
  const found = [];
  for (const folder of folders) {
    if (!(await exists(folder))) continue;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (entry.isFile()) found.push(join(entry.parentPath, entry.name));
    }
  }
  return found.sort();
}
