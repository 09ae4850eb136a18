import type { PullPlan } from './pull.ts';

/** What has to come still, and the room that there is for it. */
export type Room = Pick<PullPlan, 'missingBytes' | 'freeBytes'>;

/** Where a disk does not say how much is free, the first write that does not fit does. */
export const lacksRoom = ({ missingBytes, freeBytes }: Room): boolean =>
  freeBytes !== null && freeBytes < missingBytes;

/** Why nothing more fits into a folder of this computer, and by how much. */
export function noRoomWords(to: string, room: Room): string {
  const { missingBytes, freeBytes } = room;
  const coming = `${sizeOf(missingBytes)} still to come`;
  if (freeBytes === null) return `The disk of ${to} is full, with ${coming}.`;
  if (lacksRoom(room)) {
    const missing = sizeOf(missingBytes - freeBytes);
    return `The disk of ${to} is full: ${missing} are missing, with ${coming} and ${sizeOf(freeBytes)} free.`;
  }
  // The disk is not what refuses; or whatever took the room has given it back since.
  return `The disk of ${to} took no more, with ${coming} and ${sizeOf(freeBytes)} free: a quota may be used up, a file may be larger than it allows, or it was full for a moment.`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1e6) return `${String(bytes)} bytes`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
