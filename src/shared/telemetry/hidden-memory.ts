import type { BoxGpuFacts, GpuDetails, GpuProcess } from './gpu-facts.ts';
import { gpuKeyOf } from './gpu-facts.ts';

/** "Idle level" of memory: an idle recorded card shows 4 MiB, a desktop 800; older drivers count their own 450 in. */
export const IDLE_MEMORY_MIB = 1024;

export function processesOf(
  { index, uuid }: Pick<GpuDetails, 'index' | 'uuid'>,
  processes: readonly GpuProcess[],
): readonly GpuProcess[] {
  const key = gpuKeyOf(index, uuid);
  return processes.filter(({ gpu }) => gpu === key);
}

/** Memory that is in use although nvidia-smi lists nobody on the card; null: there is none, or it is not known. */
export function hiddenMemoryMiB(gpu: GpuDetails, facts: BoxGpuFacts): number | null {
  if (facts.processes.kind === 'unknown' || gpu.migMode === 'Enabled') return null;
  if (processesOf(gpu, facts.processes.processes).length > 0) return null;
  const usedMiB = gpu.memoryUsedMiB;
  return usedMiB !== null && usedMiB >= IDLE_MEMORY_MIB ? usedMiB : null;
}
