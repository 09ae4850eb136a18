import { isoUtc } from '../../shared/iso-time.ts';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileVersion } from '../../shared/transfer/file-version.ts';
import { EARLIER_FOLDER } from '../../shared/transfer/local-name.ts';
import { flushFolder } from '../storage/atomic-file.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { isThere, notWritten, partOf } from './fetch-file.ts';
import { makeFolders } from './make-folders.ts';

/** A copy that an earlier pull brought and proved, as it was on the box. */
export interface KnownCopy extends FileVersion {
  readonly sha256: string;
}

export interface NextVersion {
  /** Its bytes are proven. */
  readonly part: string;
  readonly to: string;
  /** From there on. */
  readonly path: string;
  readonly copy: KnownCopy;
  /** It is one that is only added to: a beginning that stayed the same need not be kept twice. */
  readonly canGrow: boolean;
  /** True: nothing but such a beginning makes room. */
  readonly isByHand?: boolean;
  /** The SHA-256 of a file here. */
  readonly hashOf: (path: string) => Promise<Result<string, Problem>>;
}

/**
 * Gives a proven part the name of an earlier version, and loses nothing: false where what stands there is not the copy that was proven. Either
 * that copy is the beginning of the part, or it is kept under `EARLIER_FOLDER` first.
 */
export async function nameNext(next: NextVersion): Promise<Result<boolean, Problem>> {
  const { part, to, path, copy, canGrow, hashOf } = next;
  const place = join(to, ...path.split('/'));
  try {
    const before = await lstat(place);
    if (!before.isFile() || before.size !== copy.bytes) return ok(false);
    const sha256 = await hashOf(place);
    if (!sha256.ok) return sha256;
    if (sha256.value !== copy.sha256) return ok(false);
    if (!canGrow || !(await beginsWith(part, copy))) {
      if (next.isByHand === true) return ok(false);
      const kept = await keepEarlier(next, place);
      if (!kept.ok || !kept.value) return kept;
    }
    // A person may have written to it meanwhile.
    const now = await lstat(place);
    const isSame = now.ino === before.ino && now.size === before.size;
    if (!isSame || now.mtimeMs !== before.mtimeMs) return ok(false);
    await rename(part, place);
    await flushFolder(dirname(place));
    return ok(true);
  } catch (cause) {
    return err(notWritten(cause, place));
  }
}

/** Begins the part with what is here already, so that only what was added is sent. Its hash as a whole proves that this was right. */
export async function beginFromCopy(part: string, place: string): Promise<void> {
  if (await isThere(part)) return;
  try {
    await copyFile(place, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (cause) {
    // Cut off it would look like a part that came.
    await rm(part, { force: true });
    throw cause;
  }
}

/** By the time at which it was written on the box: done again after a power cut, it is the same place. */
const stampOf = (ms: number): string => isoUtc(ms).slice(0, 19).replaceAll(':', '-');

/** False where both places that it may have are something else's. */
async function keepEarlier(next: NextVersion, place: string): Promise<Result<boolean, Problem>> {
  const { modifiedAtMs, sha256 } = next.copy;
  const stamp = stampOf(modifiedAtMs);
  const kept = await keepIn(next, place, stamp);
  if (!kept.ok || kept.value) return kept;
  // Another version was written in the same second, or has that time because it was unpacked or copied with it.
  return keepIn(next, place, `${stamp}-${sha256.slice(0, 12)}`);
}

async function keepIn(
  { to, path, copy, hashOf }: NextVersion,
  place: string,
  folder: string,
): Promise<Result<boolean, Problem>> {
  const below = `${EARLIER_FOLDER}/${folder}/${path}`;
  const made = await makeFolders(to, below);
  if (!made.ok) return made;
  const kept = join(to, ...below.split('/'));
  try {
    await link(place, kept);
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === 'EEXIST') {
      const there = await hashOf(kept);
      return there.ok ? ok(there.value === copy.sha256) : there;
    }
    // A disk without links: FAT, some network disks.
    if (errno !== 'EPERM' && errno !== 'ENOTSUP' && errno !== 'EOPNOTSUPP') throw cause;
    await copyWhole(place, kept);
  }
  await flushFolder(dirname(kept));
  return ok(true);
}

async function copyWhole(place: string, kept: string): Promise<void> {
  const part = partOf(kept);
  await rm(part, { force: true });
  await copyFile(place, part, constants.COPYFILE_EXCL);
  const file = await open(part, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, kept);
}

/** Read here and not in a worker: it is a log or a table, and not a checkpoint. */
async function beginsWith(part: string, { bytes, sha256 }: KnownCopy): Promise<boolean> {
  const hash = createHash('sha256');
  if (bytes > 0) {
    for await (const piece of createReadStream(part, { end: bytes - 1 })) {
      hash.update(piece as Buffer);
    }
  }
  return hash.digest('hex') === sha256;
}
