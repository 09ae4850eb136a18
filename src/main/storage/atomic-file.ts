import { closeSync, fsync, lstatSync, open as openByNumber } from 'node:fs';
import { open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errnoOf } from './file-problem.ts';
import { isSpecial, NotAFile, targetOf, throwIfAway } from './own-text.ts';
import { OWNER_ONLY_FILE } from './folder.ts';

// Why not `atomically` (which electron-store uses too): its 2.1.1 writes with one fs.write and ignores how much of it
// was taken. On a nearly full disk that is a part, without an error, and the part is then renamed over the good file.
// Here everything is written, flushed and measured before the rename, and read back after it.

/** Virus scanners on Windows hold a fresh file for a moment, and the rename is refused meanwhile. */
const RENAME_TRIES = process.platform === 'win32' ? 20 : 1;
const RENAME_PAUSE_MS = 50;
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);

const openFile = promisify(openByNumber);
const flush = promisify(fsync);

let writesSoFar = 0;

/**
 * Replaces the whole file or leaves the old one as it was, whatever happens in between. Resolves only after reading
 * the new content back. Rejects with the operating system's error.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const target = await followLinks(file);
  // As root, a rename would put a file in the place of a device or a FIFO that somebody's link leads to.
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there !== undefined && isSpecial(there)) throw new NotAFile(`${target} is no ordinary file`);
  writesSoFar += 1;
  const temporary = `${target}.tmp-${process.pid}-${writesSoFar}`;
  const bytes = Buffer.from(text, 'utf8');
  try {
    await writeFlushed(temporary, bytes);
    await renameOver(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
  await flushFolder(dirname(target));
  const readBack = await readFile(target);
  if (!readBack.equals(bytes)) throw new NotKept(target);
}

/** Removes what a killed process left half-written beside `file`; what a living one is writing stays. */
export async function sweepTemporaries(file: string): Promise<void> {
  const folder = dirname(file);
  const prefix = `${basename(file)}.tmp-`;
  try {
    for (const name of await readdir(folder)) {
      if (name.startsWith(prefix) && isLeftover(name))
        await rm(join(folder, name), { force: true });
    }
  } catch (cause) {
    // Leftovers are never read again. A folder that is missing or closed to us is told by whoever needs it.
    if (errnoOf(cause) === null) throw cause;
  }
}

/** By its name in the folder: half-written, and by no living process. */
export function isLeftover(name: string): boolean {
  const [, pid] = /\.tmp-(\d+)(?:-\d+)?$/.exec(name) ?? [];
  return pid !== undefined && !isRunning(Number(pid));
}

/** The operating system reported no error, and yet what lies on the disk is not what it was given. */
class NotKept extends Error {
  readonly code = 'EIO';
  readonly syscall = 'write';
  constructor(file: string) {
    super(`${file} does not hold what was written to it`);
  }
}

async function writeFlushed(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', OWNER_ONLY_FILE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    if ((await handle.stat()).size !== bytes.length) throw new NotKept(file);
  } finally {
    await handle.close();
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (cause) {
      if (attempt >= RENAME_TRIES || !HELD.has(errnoOf(cause) ?? '')) throw cause;
      await delay(RENAME_PAUSE_MS);
    }
  }
}

/** What is answered where a folder cannot be opened at all: always on Windows; elsewhere of one that may be written to and not read. */
const isNotOpened = (cause: unknown): boolean =>
  process.platform === 'win32'
    ? errnoOf(cause) !== null
    : ['EACCES', 'EPERM'].includes(errnoOf(cause) ?? '');
/** Some network disks have no such thing as flushing a folder. */
const NOT_FLUSHED = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF', 'EISDIR']);

/** Makes new names in a folder survive a power cut, where its disk has a way to. Rejects where that fails: they are on no disk then. */
export async function flushFolder(folder: string): Promise<void> {
  // No file handle, since workers call this too: see `workers/prove-file.ts`.
  let fd: number;
  try {
    fd = await openFile(folder, 'r');
  } catch (cause) {
    if (isNotOpened(cause)) return;
    throw cause;
  }
  try {
    await flush(fd);
  } catch (cause) {
    if (!NOT_FLUSHED.has(errnoOf(cause) ?? '')) throw cause;
  } finally {
    closeSync(fd);
  }
}

/** A disk flushes some together in little longer than one. */
const FLUSHED_AT_ONCE = 16;

/** The same of many. */
export async function flushFolders(folders: Iterable<string>): Promise<void> {
  const rest = [...folders];
  while (rest.length > 0) await Promise.all(rest.splice(0, FLUSHED_AT_ONCE).map(flushFolder));
}

/** People link their settings into a folder of dotfiles: the file behind the link is replaced, not the link. */
export async function followLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw cause;
    throwIfAway(file, cause);
    return targetOf(file) ?? file;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errnoOf(cause) !== 'ESRCH';
  }
}
