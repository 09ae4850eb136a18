import { lstatSync, type BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { errnoOf } from '../storage/file-problem.ts';

/** A copy on this computer, as it was when it was proven. */
export interface LocalCopy {
  readonly bytes: number;
  /** When it was written, in nanoseconds; absent: pulls had not kept that yet. */
  readonly copyWrittenNs?: string;
  /** When it was proven. */
  readonly atMs: number;
}

const NS_PER_MS = 1_000_000n;
/** Disks like exFAT keep no finer times, and tell one that was cut off once they are mounted anew. */
const COARSE_NS = 10n * NS_PER_MS;
const MOST_CUT_NS = 2000n * NS_PER_MS;

/**
 * Whether what lies there is that copy, by its size and its time. Its number is not asked: such disks give another one each time, and the time
 * tells of every writing that does not hide. What is deleted for it, on a box, is hashed again first.
 */
function isThatCopy(found: BigIntStats, { bytes, copyWrittenNs, atMs }: LocalCopy): boolean {
  if (!found.isFile() || found.size !== BigInt(bytes)) return false;
  if (copyWrittenNs === undefined) return Number(found.mtimeNs / NS_PER_MS) <= atMs;
  const cutNs = BigInt(copyWrittenNs) - found.mtimeNs;
  if (cutNs === 0n) return true;
  return found.mtimeNs % COARSE_NS === 0n && cutNs > 0n && cutNs < MOST_CUT_NS;
}

/** Without holding up main: it may lie on a disk that went away. */
export async function standsHere(place: string, copy: LocalCopy): Promise<boolean> {
  try {
    return isThatCopy(await lstat(place, { bigint: true }), copy);
  } catch (cause) {
    return notThere(cause);
  }
}

export function standsHereNow(place: string, copy: LocalCopy): boolean {
  try {
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && isThatCopy(found, copy);
  } catch (cause) {
    return notThere(cause);
  }
}

/** A folder on its way is none any more, or nobody may look. */
function notThere(cause: unknown): false {
  if (errnoOf(cause) === null) throw cause;
  return false;
}
