import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import { errnoOf } from '../storage/file-problem.ts';

/** What tells a folder of this computer from another of the same name: on another disk, or the one that a disk was mounted over. */
export const folderId = z.strictObject({
  device: z.string(),
  inode: z.string(),
  /** In nanoseconds; "0": its disk does not keep it. */
  bornNs: z.string(),
});
export type FolderId = z.infer<typeof folderId>;

/** Null: there is no such folder, or none that can be looked at. */
export async function idOf(folder: string): Promise<FolderId | null> {
  try {
    const found = await stat(folder, { bigint: true });
    if (!found.isDirectory()) return null;
    const { dev, ino, birthtimeNs } = found;
    return { device: String(dev), inode: String(ino), bornNs: String(birthtimeNs) };
  } catch (cause) {
    if (errnoOf(cause) === null) throw cause;
    return null;
  }
}

/**
 * A disk may have another number once it is plugged in anew, or the one of a disk that was there before; some, as exFAT, number their folders anew.
 * When a folder was made stays, but two of them can be made at once: so one of the numbers has to be the same too. Where neither disk keeps when,
 * as over FUSE and some networks, nothing is known: both numbers may be others each time such a one is mounted.
 */
export function isSame(one: FolderId, other: FolderId): boolean {
  if (one.bornNs !== other.bornNs) return false;
  return one.bornNs === '0' || one.device === other.device || one.inode === other.inode;
}

/** Whether a pull may go on into a folder; null: it may. `begun` absent: it began when that was not kept yet. */
export async function whyOtherFolder(
  folder: string,
  begun: FolderId | undefined,
): Promise<Problem | null> {
  if (begun === undefined) return null;
  const now = await idOf(folder);
  if (now !== null && isSame(begun, now)) return null;
  const says =
    now === null
      ? `${folder} is not there: its disk may not be mounted.`
      : `${folder} is not the folder that this pull began with: its disk may not be mounted, or another disk is.`;
  return problem('results-not-pulled', `${says} Nothing was written to it.`, {
    nextStep:
      'Mount the disk and resume. To bring the results into another folder, or into this one all the same, end this pull and start over: what lies there already is not sent again.',
  });
}
