import type { KernelGpuEvent } from '../probes/xid.ts';
import type { KernelSince } from './judge-vanished.ts';
import type { PatrolLook } from './patrol-look.ts';
import { sameBoot, type PatrolMemory } from './patrol-memory.ts';

/** After these a card runs nothing until it is reset or replaced. */
function endsWork(event: KernelGpuEvent): boolean {
  return event.kind === 'xid' ? event.class === 're-rent' || event.class === 'reset' : true;
}

/**
 * What the kernel's log says of the time between two looks. Null: it could not be read, or it does not reach back that far, so
 * its silence rules nothing out.
 */
export function kernelSince(look: PatrolLook, before: PatrolMemory | null): KernelSince | null {
  const { kernel } = look;
  if (kernel.closedBecause !== null || kernel.fromS === null || kernel.leftOut > 0) return null;
  const readToS = sameBoot(look, before)?.kernelToS ?? null;
  // The log is a ring: what was overwritten since is not known.
  if (readToS !== null && kernel.fromS > readToS) return null;
  return {
    oomKills: kernel.oomKills,
    gpuFaults: kernel.gpuEvents.filter(endsWork).map(({ line }) => line),
  };
}
