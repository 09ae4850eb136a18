import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { patrolMemory, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { removeBoxFile, removeFilesOfOthers } from '../storage/box-files.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../storage/folder.ts';

const FOLDER = 'patrol';
const fileOf = (dataFolder: string, boxId: string): string =>
  join(dataFolder, FOLDER, `${boxId}.json`);

/** Reading and replacing a small file takes some milliseconds; who holds the lock for longer was killed with it. */
const LOCK_STALE_MS = 10_000;
const LOCK_PAUSE_MS = 20;
const LOCK_TRIES = 1000;

export interface Remembered {
  /** Null: there was no patrol before. */
  readonly memory: PatrolMemory | null;
  /** Why a file that is there cannot be read: a run that it held is forgotten. */
  readonly fault: string | null;
}

export async function readMemory(dataFolder: string, boxId: string): Promise<Remembered> {
  const file = fileOf(dataFolder, boxId);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    // What is not a folder holds no file.
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return { memory: null, fault: null };
    return { memory: null, fault: `${file} cannot be read: ${errno}` };
  }
  try {
    return { memory: patrolMemory.parse(JSON.parse(text)), fault: null };
  } catch {
    return { memory: null, fault: `${file} is not a patrol's memory` };
  }
}

/**
 * Changes what is remembered of a box, from what the file holds at that moment: the window and the command line may both look
 * at the same box, and neither may undo what the other has seen.
 */
export async function changeMemory<M extends PatrolMemory | null>(
  dataFolder: string,
  boxId: string,
  change: (current: PatrolMemory | null) => M,
): Promise<Result<M, Problem>> {
  const file = fileOf(dataFolder, boxId);
  try {
    await mkdir(join(dataFolder, FOLDER), { recursive: true, mode: OWNER_ONLY_FOLDER });
    return await locked(file, async () => {
      const { memory } = await readMemory(dataFolder, boxId);
      const changed = change(memory);
      if (changed !== null && changed !== memory) await replaceFile(file, JSON.stringify(changed));
      return ok(changed);
    });
  } catch (cause) {
    const failed = 'What was seen was not kept for the next look';
    return err(fileProblem(cause, { failed, file, otherwise: 'folder-read-only' }));
  }
}

/** What is remembered of boxes that are not in the list any more goes; a session that was killed could not do it. */
export function forgetOthers(
  dataFolder: string,
  boxIds: readonly string[],
): Promise<Result<null, Problem>> {
  const failed = 'What the patrols remember of forgotten boxes was not removed';
  return removeFilesOfOthers(join(dataFolder, FOLDER), boxIds, failed);
}

/** The box is another machine from now on, or none of ours. */
export function forgetMemory(dataFolder: string, boxId: string): Promise<Result<null, Problem>> {
  const failed = 'What the patrols remember of the box was not removed';
  return removeBoxFile(fileOf(dataFolder, boxId), failed);
}

async function locked<T>(file: string, act: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  for (let tries = 1; ; tries += 1) {
    try {
      await (await open(lock, 'wx', OWNER_ONLY_FILE)).close();
      break;
    } catch (cause) {
      if (errnoOf(cause) !== 'EEXIST' || tries >= LOCK_TRIES) throw cause;
      if (await isStale(lock)) await rm(lock, { force: true });
      else await delay(LOCK_PAUSE_MS);
    }
  }
  try {
    return await act();
  } finally {
    await rm(lock, { force: true });
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Math.abs(Date.now() - (await stat(lock)).mtimeMs) > LOCK_STALE_MS;
  } catch (cause) {
    if (errnoOf(cause) === null) throw cause;
    return false; // whoever held it has just let go
  }
}
