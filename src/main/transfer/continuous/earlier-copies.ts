import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EarlierCopies } from '../../../shared/transfer/continuous/continuous-pull.ts';
import { EARLIER_FOLDER } from '../../../shared/transfer/local-name.ts';
import { errnoOf } from '../../storage/file-problem.ts';

/** More are told as "at least". */
const MOST = 10_000;

/** What the earlier versions below a folder take; null: this computer does not let anybody see. */
export async function countEarlier(to: string): Promise<EarlierCopies | null> {
  let [files, bytes] = [0, 0];
  const folders = [join(to, EARLIER_FOLDER)];
  try {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else {
          if (files >= MOST) return { files, bytes, isCut: true };
          files += 1;
          bytes += (await lstat(path)).size;
        }
      }
    }
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    // Nothing was ever written anew.
    if (errno === 'ENOENT' && files === 0) return { files: 0, bytes: 0, isCut: false };
    return null;
  }
  return { files, bytes, isCut: false };
}
