import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errnoOf } from '../storage/file-problem.ts';
import { OWNER_ONLY_FOLDER, prepareFolder } from '../storage/folder.ts';

export interface ChromiumFolder {
  readonly path: string;
  /** It ends with the app that it was made for. */
  readonly isTemporary: boolean;
}

/**
 * Where Chromium keeps its own files, the single-instance lock among them. It does not start without such a folder, so
 * where ours may not be written it gets one that ends with the app: the window opens, and can say what is wrong. Every start over
 * the same data gets the same one: two of them over one database would fight.
 */
export function chromiumFolder(dataFolder: string, temporaries = tmpdir()): ChromiumFolder {
  const path = join(dataFolder, 'session');
  if (prepareFolder(path, 'The window has no folder of its own') === null) {
    return { path, isTemporary: false };
  }
  const data = createHash('sha256').update(realPath(dataFolder)).digest('hex').slice(0, 16);
  const shared = join(temporaries, `leasehold-session-${String(process.getuid?.() ?? 0)}-${data}`);
  // SECURITY: everybody may make a folder there, and a link, under a name that can be guessed.
  if (isOurs(shared)) return { path: shared, isTemporary: true };
  return { path: mkdtempSync(join(temporaries, 'leasehold-session-')), isTemporary: true };
}

/** One folder has one, whatever links lead to it. */
function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (cause) {
    // Not there, or not to be looked at: no data that two starts could share.
    if (errnoOf(cause) === null) throw cause;
    return resolve(folder);
  }
}

/** Made now for its owner only, or found as that. */
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
    return true;
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
  }
  const found = lstatSync(folder);
  if (process.getuid === undefined) return found.isDirectory(); // Windows: a person's own temporary folder
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0;
}
