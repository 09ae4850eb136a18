import { HOP_ID } from '../ssh/jump-way.ts';
import type { HostKeyStore } from '../ssh/link.ts';

/** One store over both tables: a box's keys go with the box, a jump host's belong to nobody in particular. */
export function machineKeys(boxes: HostKeyStore, hops: HostKeyStore): HostKeyStore {
  const storeOf = (machineId: string): HostKeyStore =>
    machineId.startsWith(HOP_ID) ? hops : boxes;
  return {
    current: (machineId) => storeOf(machineId).current(machineId),
    store: (machineId, key, atMs) => storeOf(machineId).store(machineId, key, atMs),
  };
}
