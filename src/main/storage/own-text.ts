import { existsSync, lstatSync, readFileSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errnoOf } from './file-problem.ts';

/** Far above any file of ours. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * A small file of ours. What is larger than any of them is not read: it comes as '', which none of our readers takes for
 * anything. Throws for what is no file, since a FIFO would hold us for ever, and for a link to a disk that is away.
 */
export async function readOwnText(file: string, maxBytes = MAX_BYTES): Promise<string> {
  try {
    return isSmall(file, await stat(file), maxBytes) ? await readFile(file, 'utf8') : '';
  } catch (cause) {
    throwIfAway(file, cause);
    throw cause;
  }
}

/** The same, where the window waits for it. */
export function readOwnTextNow(file: string, maxBytes = MAX_BYTES): string {
  try {
    return isSmall(file, statSync(file), maxBytes) ? readFileSync(file, 'utf8') : '';
  } catch (cause) {
    throwIfAway(file, cause);
    throw cause;
  }
}

function isSmall(file: string, found: Stats, maxBytes: number): boolean {
  if (isSpecial(found)) throw new NotAFile(`${file} is no ordinary file`);
  return found.size <= maxBytes;
}

/** A device, a FIFO or a socket. Of a folder the system itself says that it is none of ours. */
export function isSpecial(found: Stats): boolean {
  return !found.isFile() && !found.isDirectory();
}

export class NotAFile extends Error {
  readonly code = 'EINVAL';
  readonly syscall = 'open';
}

/** A link to a file whose very folder is not there: nothing may take the place of what lies on that disk. */
class DiskAway extends Error {
  readonly code = 'ENOLINK';
  readonly syscall = 'open';
}

/** For who was told that there is no such file. */
export function throwIfAway(file: string, cause: unknown): void {
  const to = errnoOf(cause) === 'ENOENT' ? awayTarget(file) : null;
  if (to !== null) throw new DiskAway(`${file} leads to ${to}`);
}

/** Where on a disk that is away this link leads; null: it does not. */
export function awayTarget(file: string): string | null {
  const to = targetOf(file);
  return to === null || existsSync(dirname(to)) ? null : to;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Where a link leads; null: it is none, or goes round in a circle. */
export function targetOf(file: string): string | null {
  let to = file;
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    if (lstatSync(to, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      return links === 0 ? null : to;
    }
    to = resolve(dirname(to), readlinkSync(to));
  }
  return null;
}
