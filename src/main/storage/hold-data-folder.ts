import { join } from 'node:path';
import type { Log } from '../log/log.ts';
import { isSqliteError } from './connection.ts';
import { errnoOf } from './file-problem.ts';
import { prepareFolder } from './folder.ts';
import { holdFile } from './hold-file.ts';

const LOCK_FILE = 'leasehold.lock';

/** For one that is just ending: its window is gone, and the last of its files is being closed. */
const WAIT_MS = 2000;

/**
 * Keeps a data folder for this process; answers how to let go of it, or null where another one has it. Chromium's lock lies in the folder
 * of the window's session, which is another one where the usual one cannot be used: two apps over one database would go unseen.
 */
export function holdDataFolder(folder: string, log: Log, waitMs = WAIT_MS): (() => void) | null {
  // A folder that nothing can be written into holds no database that two could fight over.
  if (prepareFolder(folder, 'The data folder is not held') !== null) return () => undefined;
  try {
    return holdFile(join(folder, LOCK_FILE), waitMs);
  } catch (cause) {
    if (!isSqliteError(cause) && errnoOf(cause) === null) throw cause;
    // A disk without locks: the database on it says for itself what it cannot do.
    log.warn('the data folder cannot be held', { cause });
    return () => undefined;
  }
}
