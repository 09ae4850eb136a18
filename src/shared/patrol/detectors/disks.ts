import type { MeasuredMount } from '../../mounts/mount.ts';
import { holderOf } from '../../mounts/select-mounts.ts';
import type { MountUsage } from '../../probes/df.ts';
import type { PatrolLook } from '../patrol-look.ts';

const GIB_IN_KIB = 1024 ** 2;

/** Less than this of a disk, and less than this in all, is what a save does not notice any more (chosen for Leasehold). */
const FULL_BELOW_SHARE = 0.005;
const FULL_BELOW_KIB = GIB_IN_KIB;
/** A disk that was full is mended by more than the next log line (chosen for Leasehold). */
const ROOM_FROM_SHARE = 0.02;

/** Memory, and no disk that anybody saves to. */
export const SHARED_MEMORY = '/dev/shm';

/** Null: the box did not say. `wasFull`: then a little room is not enough. */
export function isFull(usage: MountUsage | null, wasFull: boolean): boolean | null {
  if (usage === null || usage.freeKiB === null || usage.totalKiB === null) return null;
  if (usage.totalKiB === 0) return null;
  const share = usage.freeKiB / usage.totalKiB;
  if (usage.freeKiB >= FULL_BELOW_KIB) return false;
  return share < (wasFull ? ROOM_FROM_SHARE : FULL_BELOW_SHARE);
}

/** The disk on which this folder lies, as far as its name tells. */
export function diskOf(folder: string | null, { mounts }: PatrolLook): MeasuredMount | null {
  return folder === null ? null : holderOf(mounts, folder);
}

/** What "pct" of a disk is used, rounded down so that 99.6 is not called 100. */
export const wholePct = (pct: number): string => `${String(Math.floor(pct))} %`;

export const gigabytes = (kib: number): number => (kib * 1024) / 1e9;
