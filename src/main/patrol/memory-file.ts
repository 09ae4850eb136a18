import { mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { patrolMemory, type PatrolMemory } from '../../shared/patrol/patrol-memory.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { salvageText } from '../../shared/salvage.ts';
import { replaceFile } from '../storage/atomic-file.ts';
import { removeBoxFile, removeFilesOfOthers } from '../storage/box-files.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from '../storage/folder.ts';
import { copyAside, moveAside } from '../storage/keep-aside.ts';
import { readOwnText } from '../storage/own-text.ts';

const FOLDER = 'patrol';
const fileOf = (dataFolder: string, boxId: string): string =>
  join(dataFolder, FOLDER, `${boxId}.json`);

/** Reading and replacing a small file takes some milliseconds; who holds the lock for longer was killed with it. */
const LOCK_STALE_MS = 10_000;
const LOCK_PAUSE_MS = 20;
const LOCK_TRIES = 1000;

export interface Remembered<M extends PatrolMemory | null = PatrolMemory | null> {
  /** Null: there was no patrol before, or nothing of the file can be read. */
  readonly memory: M;
  /** What of a file that is there cannot be read. */
  readonly fault: Problem | null;
}

/** What can be read of what is remembered of a box. Nothing is changed, so a fault is still there for whoever comes next. */
export async function readMemory(dataFolder: string, boxId: string): Promise<Remembered> {
  const file = fileOf(dataFolder, boxId);
  const { memory, lost } = await readFrom(file);
  return { memory, fault: lost === null ? null : faultOf(lost, leftIn(file)) };
}

/**
 * Changes what is remembered of a box, from what the file holds at that moment: the window and the command line may both look
 * at the same box, and neither may undo what the other has seen. A file of which something cannot be read is kept as it is
 * before anything is written in its place, and the fault says where: a newer Leasehold may have written it.
 */
export async function changeMemory<M extends PatrolMemory | null>(
  dataFolder: string,
  boxId: string,
  change: (current: PatrolMemory | null) => M,
): Promise<Result<Remembered<M>, Problem>> {
  const file = fileOf(dataFolder, boxId);
  let failed = 'What was seen was not kept for the next check';
  try {
    await mkdir(join(dataFolder, FOLDER), { recursive: true, mode: OWNER_ONLY_FOLDER });
    return await locked(file, async () => {
      const { memory, lost } = await readFrom(file);
      const changed = change(memory);
      let fault: Problem | null = null;
      if (lost !== null) {
        failed = `${failed}: the file there cannot be read, and was not put aside`;
        if (!lost.mayGiveWay) return err(faultOf(lost, leftIn(file)));
        fault = faultOf(lost, `The file as it was is now ${setAside(file, memory === null)}.`);
      }
      if (changed !== null && (changed !== memory || fault !== null)) {
        await replaceFile(file, JSON.stringify(changed));
      }
      return ok({ memory: changed, fault });
    });
  } catch (cause) {
    return err(fileProblem(cause, { failed, file, otherwise: 'folder-read-only' }));
  }
}

interface Lost {
  /** The parts that cannot be read; empty: none can. */
  readonly parts: readonly string[];
  readonly because: string;
  /** Whether another file may take its place, once it is put aside. */
  readonly mayGiveWay: boolean;
}

async function readFrom(
  file: string,
): Promise<{ readonly memory: PatrolMemory | null; readonly lost: Lost | null }> {
  let text: string;
  try {
    text = await readOwnText(file);
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    // What is not a folder holds no file.
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return { memory: null, lost: null };
    // Whatever else keeps it from being read may pass.
    const mayGiveWay = errno === 'EACCES' || errno === 'EPERM';
    const because = `this machine answered ${errno}`;
    return { memory: null, lost: { parts: [], because, mayGiveWay } };
  }
  const read = salvageText(patrolMemory, text);
  const lost = { parts: read?.dropped ?? [], because: 'not as expected', mayGiveWay: true };
  return { memory: read?.value ?? null, lost: read?.dropped.length === 0 ? null : lost };
}

const leftIn = (file: string): string => `The file is ${file}; it is left as it is.`;

function faultOf({ parts, because }: Lost, where: string): Problem {
  const message =
    parts.length === 0
      ? 'What the last checks saw cannot be read, so a run that ended since then goes unnoticed.'
      : 'Part of what the last checks saw cannot be read. The rest is in use.';
  const detail = [because, ...parts.slice(0, 20)].join(', ');
  return problem('patrol-memory-unreadable', `${message} ${where}`, { detail });
}

function setAside(file: string, isWhole: boolean): string {
  const name = { stem: `${basename(file)}.unreadable`, ending: '', atMs: Date.now() };
  return isWhole ? moveAside(file, name) : copyAside(file, name);
}

/** What is remembered of boxes that are not in the list any more goes; a session that was killed could not do it. */
export function forgetOthers(
  dataFolder: string,
  boxIds: readonly string[],
): Promise<Result<null, Problem>> {
  const failed = 'What checks saw of removed boxes was not deleted';
  return removeFilesOfOthers(join(dataFolder, FOLDER), boxIds, {
    failed,
    otherwise: 'folder-read-only',
  });
}

/** The box is another machine from now on, or none of ours. */
export function forgetMemory(dataFolder: string, boxId: string): Promise<Result<null, Problem>> {
  const failed = 'What checks saw of the box was not deleted';
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
