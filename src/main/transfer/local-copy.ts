import { lookHere, lookHereNow, type FoldersAsked, type FoundHere } from './look-here.ts';

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
function isThatCopy(here: FoundHere, { bytes, copyWrittenNs, atMs }: LocalCopy): boolean {
  if (here.kind !== 'file' || here.stat.size !== BigInt(bytes)) return false;
  const { mtimeNs } = here.stat;
  if (copyWrittenNs === undefined) return Number(mtimeNs / NS_PER_MS) <= atMs;
  const cutNs = BigInt(copyWrittenNs) - mtimeNs;
  if (cutNs === 0n) return true;
  return mtimeNs % COARSE_NS === 0n && cutNs > 0n && cutNs < MOST_CUT_NS;
}

/** A file below a folder of this computer. */
export interface PlaceHere {
  readonly to: string;
  readonly path: string;
}

/** Without holding up main: it may lie on a disk that went away. */
export const standsHere = async (
  { to, path }: PlaceHere,
  copy: LocalCopy,
  asked: FoldersAsked,
): Promise<boolean> => isThatCopy(await lookHere(to, path, asked), copy);

export const standsHereNow = (
  { to, path }: PlaceHere,
  copy: LocalCopy,
  asked: FoldersAsked,
): boolean => isThatCopy(lookHereNow(to, path, asked), copy);
