import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { PART_ENDING } from '../../shared/transfer/local-name.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';

export interface Fetch {
  /** Brings these bytes of it, and no more; what takes them is waited for. */
  readonly read: (
    from: number,
    bytes: number,
    take: (piece: Buffer) => Promise<void>,
  ) => Promise<Result<null, Problem>>;
  /** Where its part lies until it is proven. */
  readonly part: string;
  readonly bytes: number;
  readonly onBytes: (bytes: number) => void;
}

/** Brings a file into its part, from where an earlier time left off, and onto the disk. It proves nothing yet. */
export async function fetchFile(fetch: Fetch): Promise<Result<null, Problem>> {
  const { read, part, bytes, onBytes } = fetch;
  try {
    // SECURITY: a link that somebody laid in its place is not written through.
    const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;
    const file = await open(part, flags);
    try {
      let { size: at } = await file.stat();
      if (at > bytes) {
        await file.truncate(0);
        at = 0;
      }
      onBytes(at);
      const take = async (piece: Buffer): Promise<void> => {
        // SECURITY: a box that sends more than was asked for fills no disk.
        const wanted = piece.subarray(0, bytes - at);
        for (let done = 0; done < wanted.length;) {
          const { bytesWritten } = await file.write(wanted, done, wanted.length - done, at + done);
          done += bytesWritten;
        }
        at += wanted.length;
        onBytes(wanted.length);
      };
      const came = at < bytes ? await read(at, bytes - at, take) : ok(null);
      if (!came.ok) return came;
      await file.sync();
      if (at === bytes) return ok(null);
      const some = `${String(at)} of ${String(bytes)} bytes`;
      return err(problem('results-not-pulled', `Only ${some} came: it is shorter now.`));
    } finally {
      await file.close();
    }
  } catch (cause) {
    return err(notWritten(cause, part));
  }
}

/** Gives a proven part its name, and takes nobody else's place: false where something has it by now. */
export async function nameProven(part: string, place: string): Promise<Result<boolean, Problem>> {
  try {
    try {
      await link(part, place);
      await unlink(part);
    } catch (cause) {
      const errno = errnoOf(cause);
      if (errno === 'EEXIST') return ok(false);
      // A disk without links: FAT, some network disks.
      if (errno !== 'EPERM' && errno !== 'ENOTSUP' && errno !== 'EOPNOTSUPP') throw cause;
      if (await isThere(place)) return ok(false);
      await rename(part, place);
    }
    await keepName(dirname(place));
    return ok(true);
  } catch (cause) {
    return err(notWritten(cause, place));
  }
}

/** A name is on the disk when its folder is; Windows has no such thing to wait for. */
async function keepName(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** The folders of a path below one that is there. SECURITY: none of them is a link, which could lead anywhere. */
export async function makeFolders(root: string, path: string): Promise<Result<null, Problem>> {
  let folder = root;
  try {
    await mkdir(root, { recursive: true });
    for (const part of path.split('/').slice(0, -1)) {
      folder = join(folder, part);
      await mkdir(folder).catch((cause: unknown) => {
        if (errnoOf(cause) !== 'EEXIST') throw cause;
      });
      if (!(await lstat(folder)).isDirectory()) {
        return err(problem('results-not-pulled', `${folder} is in the way: it is no folder.`));
      }
    }
    return ok(null);
  } catch (cause) {
    return err(notWritten(cause, folder));
  }
}

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return false;
    throw cause;
  }
}

export const partOf = (place: string): string => `${place}${PART_ENDING}`;

export async function dropPart(part: string): Promise<void> {
  await rm(part, { force: true });
}

export function notWritten(cause: unknown, file: string): Problem {
  const failed = 'The results were not brought home';
  return fileProblem(cause, { failed, file, otherwise: 'results-not-pulled' });
}
