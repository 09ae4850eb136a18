import { statSync } from 'node:fs';
import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Log } from '../log/log.ts';
import { DATABASE_FILE } from './database-file.ts';
import { errnoOf } from './file-problem.ts';
import { watchFiles } from './watch-files.ts';

/** The system tells nothing of a folder further up that is moved, nor of some network disks. */
const LOOK_EVERY_MS = 60_000;

/**
 * Tells once where the database's file is removed, or another one put in its place, while it is open: SQLite writes on into what has no
 * name any more, without an error, and all of that ends with this process. Tells once, too, where it cannot be looked at. Returns how to stop.
 */
export function watchDatabase(
  folder: string,
  log: Log,
  tell: (found: Problem) => void,
  lookEveryMs = LOOK_EVERY_MS,
): () => void {
  const file = join(folder, DATABASE_FILE);
  let own: string | null = null;
  let isUnseenTold = false;
  const look = (): void => {
    let now: string | null;
    try {
      now = identityOf(file);
    } catch (cause) {
      const errno = errnoOf(cause);
      if (errno === null) throw cause;
      if (!isUnseenTold) tell(unseen(errno, file));
      isUnseenTold = true;
      return;
    }
    own ??= now;
    if (now !== null && now === own) return;
    stop();
    tell(gone(file));
  };
  const watching = watchFiles(look, log);
  const timer = setInterval(look, lookEveryMs).unref();
  const stop = (): void => {
    clearInterval(timer);
    watching.close();
  };
  watching.follow([file]);
  look();
  return stop;
}

function gone(file: string): Problem {
  return problem(
    'database-unavailable',
    `The database was removed or replaced while Leasehold had it open (${file}). What is noted from now on is lost when Leasehold quits.`,
    {
      nextStep:
        'Quit Leasehold, put the file back if there is a copy of it, then start Leasehold again.',
    },
  );
}

function unseen(errno: string, file: string): Problem {
  return problem(
    'database-unavailable',
    `Leasehold cannot see whether its database is still in its place: this machine answered ${errno} (${file}). If it is not, what is noted from now on is lost when Leasehold quits.`,
    { detail: `${errno}: ${file}` },
  );
}

/** What no other file has at the same time; null: there is none. */
function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${String(found.dev)}:${String(found.ino)}`;
}
