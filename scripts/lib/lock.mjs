import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onCleanup } from './cleanups.mjs';
import { say } from './say.mjs';

const POLL_MS = 200;

/**
 * Does something that two scripts must not do at once. The file holds our process id; one whose process is gone is
 * taken over, so a killed script blocks nobody.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(path, action) {
  await mkdir(dirname(path), { recursive: true });
  let hasSaidWho = false;
  while (!(await tryCreate(path))) {
    const holder = await readHolder(path);
    if (holder === 'gone') continue; // given back: removing it now could take it from the next one
    if (holder === null || !isAlive(holder)) {
      // Two that find the same dead holder in the same instant could both go on: rare enough for two set-ups at once.
      await rm(path, { force: true });
      continue;
    }
    if (!hasSaidWho) {
      say(
        `Waiting for process ${String(holder)}, which is at work on the same (if it is not one of ours, delete ${path}).`,
      );
      hasSaidWho = true;
    }
    await wait(POLL_MS);
  }
  const release = onCleanup(() => rm(path, { force: true }));
  try {
    return await action();
  } finally {
    await release();
  }
}

/** Answers whether the lock is ours now. A link appears with its content, so nobody ever reads a lock without a holder. */
async function tryCreate(/** @type {string} */ path) {
  const draft = `${path}.${randomUUID()}`; // one process may ask twice
  await writeFile(draft, String(process.pid));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The process that holds the lock; null: it holds no number. */
async function readHolder(/** @type {string} */ path) {
  try {
    const pid = Number(await readFile(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return 'gone';
    throw error;
  }
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
