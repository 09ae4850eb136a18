import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { flushFolders } from '../storage/atomic-file.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { notWritten } from './fetch-file.ts';

/** Of many files that come together: folders that are known to be there, and those with new names in them, which are for the caller to flush. */
export interface MadeFolders {
  readonly known: Set<string>;
  readonly changed: Set<string>;
}

/** A folder that files are brought into, and what is missing above it. A name is on the disk when the folder is that it stands in. */
export async function makeRoot(root: string): Promise<Result<null, Problem>> {
  try {
    const first = await mkdir(root, { recursive: true });
    if (first === undefined) return ok(null);
    const changed = [dirname(first)];
    for (let made = resolve(root); made.length > first.length; made = dirname(made)) {
      changed.push(dirname(made));
    }
    await flushFolders(changed);
    return ok(null);
  } catch (cause) {
    return err(notWritten(cause, root));
  }
}

/**
 * The folders of a path below one that is there: where it went away, with its disk say, it is not made anew. SECURITY: none of them is a link,
 * which could lead anywhere. `made` absent: their names are on the disk at once.
 */
export async function makeFolders(
  root: string,
  path: string,
  made?: MadeFolders,
): Promise<Result<null, Problem>> {
  const { known, changed } = made ?? { known: new Set<string>(), changed: new Set<string>() };
  let folder = root;
  try {
    for (const part of path.split('/').slice(0, -1)) {
      const above = folder;
      folder = join(folder, part);
      if (known.has(folder)) continue;
      if (await isNew(folder)) changed.add(above);
      if (!(await lstat(folder)).isDirectory()) {
        return err(problem('results-not-pulled', `${folder} is in the way: it is no folder.`));
      }
      known.add(folder);
    }
    if (made === undefined) await flushFolders(changed);
    return ok(null);
  } catch (cause) {
    return err(notWritten(cause, folder));
  }
}

async function isNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
    return false;
  }
}
