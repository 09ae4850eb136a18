import { constants, linkSync, lstatSync, renameSync, unlinkSync, type Stats } from 'node:fs';
import { link, lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { PART_ENDING } from '../../shared/transfer/local-name.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { sha256 } from '../storage/sha256.ts';
import { PieceWriter } from './piece-writer.ts';
import { dropPieces } from './receive-in-pieces.ts';

export interface Fetch {
  /** Has these bytes of it put at the end of the part, past this process, as far as that goes; true: to its end. Absent: nothing can. */
  readonly receive?: (from: number, bytes: number) => Promise<boolean>;
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
  /** From now on its part only grows, up to its size; where not, `isAsItGrew` says so. */
  readonly onGrowing?: () => void;
}

export interface Fetched {
  /** What lay here of it before: of an earlier version of the file, as far as anybody knows; or what another way had left. */
  readonly resumedBytes: number;
  /** False: something that had come was taken away again, and who read it meanwhile has read other bytes. */
  readonly isAsItGrew: boolean;
}

/** Brings a file into its part, from where an earlier time left off, and onto the disk. It proves nothing yet. */
export async function fetchFile(fetch: Fetch): Promise<Result<Fetched, Problem>> {
  const { receive, read, part, bytes, onBytes, onGrowing } = fetch;
  try {
    const file = await openPart(part);
    try {
      await dropPieces(part);
      let { size: resumedBytes } = await file.stat();
      if (resumedBytes > bytes) {
        await file.truncate(0);
        resumedBytes = 0;
      }
      onBytes(resumedBytes);
      onGrowing?.();
      let isAsItGrew = true;
      let from = resumedBytes;
      if (receive !== undefined && from < bytes) {
        const isWhole = await receive(from, bytes - from);
        const { size } = await file.stat();
        // More than was asked for: where its own bytes are among that, nobody knows.
        if (size <= bytes) from = size;
        else {
          isAsItGrew = false;
          await file.truncate(resumedBytes);
          onBytes(resumedBytes - size);
        }
        if (!isWhole) resumedBytes = from;
      }
      const writer = new PieceWriter(file, from, bytes);
      const came =
        from < bytes
          ? await read(from, bytes - from, async (piece) => {
              onBytes(await writer.take(piece));
            })
          : ok(null);
      // Also of what was cut off: the next time goes on behind it.
      await writer.end();
      await file.sync();
      if (!came.ok) return came;
      if (writer.at === bytes) return ok({ resumedBytes, isAsItGrew });
      const some = `${String(writer.at)} of ${String(bytes)} bytes`;
      return err(problem('results-not-pulled', `Only ${some} came.`));
    } finally {
      await file.close();
    }
  } catch (cause) {
    return err(notWritten(cause, part));
  }
}

/** SECURITY: neither a link that somebody laid in its place is written through, nor is a file that has another name, too. */
async function openPart(part: string): Promise<FileHandle> {
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW;
  const file = await open(part, flags);
  if ((await file.stat()).nlink <= 1) return file;
  await file.close();
  await unlink(part);
  return open(part, flags | constants.O_EXCL);
}

/** Whether whoever was killed between giving a part its name and taking this one away has left that. */
export function hasTwin(place: string, { dev, ino, nlink }: Stats): boolean {
  if (nlink <= 1) return false;
  const twin = lstatSync(partOf(place), { throwIfNoEntry: false });
  return twin?.dev === dev && twin.ino === ino;
}

export function dropTwin(place: string, there: Stats): void {
  if (hasTwin(place, there)) unlinkSync(partOf(place));
}

/** Gives a proven part its name, and takes nobody else's place: false where something has it by now. Its folder is for the caller to flush. */
export async function nameProven(part: string, place: string): Promise<Result<boolean, Problem>> {
  try {
    try {
      await link(part, place);
      await unlink(part);
    } catch (cause) {
      if (errnoOf(cause) === 'EEXIST') return ok(false);
      if (!hasNoLinks(cause)) throw cause;
      if (await isThere(place)) return ok(false);
      await rename(part, place);
    }
    return ok(true);
  } catch (cause) {
    return err(notWritten(cause, place));
  }
}

/** The same without waiting, for a worker that has nothing else to do; false: it could not be had. */
export function nameProvenNow(part: string, place: string): boolean {
  try {
    linkSync(part, place);
    unlinkSync(part);
    return true;
  } catch (cause) {
    if (!hasNoLinks(cause) || lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      return false;
  }
  try {
    renameSync(part, place);
    return true;
  } catch {
    return false;
  }
}

/** A disk without links: FAT, some network disks. */
const hasNoLinks = (cause: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(errnoOf(cause) ?? '');

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return false;
    throw cause;
  }
}

/** Of 255 bytes, which most disks take, the parts and pieces of a file need some for themselves. */
const LONG_NAME_BYTES = 200;

/** The same each time, so that a part is found again. */
export function partOf(place: string): string {
  const name = basename(place);
  return `${place.slice(0, place.length - name.length)}${partNameOf(name)}`;
}

export function partNameOf(name: string): string {
  // No character is more than three bytes of its length here.
  const isShort = name.length * 3 <= LONG_NAME_BYTES || Buffer.byteLength(name) <= LONG_NAME_BYTES;
  return isShort
    ? `${name}${PART_ENDING}`
    : `.leasehold-${sha256(name).slice(0, 32)}${PART_ENDING}`;
}

export function notWritten(cause: unknown, file: string): Problem {
  const failed = 'The results were not brought home';
  return fileProblem(cause, { failed, file, otherwise: 'results-not-pulled' });
}
