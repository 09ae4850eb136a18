import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { gibibytes, isMig, percent, usedMemoryMiB } from './load.ts';
import { LIVE_GAP_MS, type GpuDetector } from './view.ts';

// Chosen for Leasehold: frameworks fill most of a card on purpose, so only the last few percent are pressure.
const TIGHT_BELOW = 0.03;
const ROOMY_FROM = 0.06;

/** U10 */
export const memoryPressure: GpuDetector = {
  id: 'U10',
  title: 'CUDA out of memory is about the card, not the host',
  scope: 'gpu',
  foundAfterMs: 15_000,
  clearAfterMs: 30_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu) {
    const totalMiB = gpu.details?.memoryTotalMiB ?? null;
    const usedMiB = usedMemoryMiB(gpu);
    if (isMig(gpu)) return unknown('MIG is on: what an instance has left is not told');
    if (totalMiB === null || totalMiB <= 0) return unknown('the card’s memory size is not known');
    if (usedMiB === null) return unknown('the memory in use is not known');
    // Used, reserved and free add up to the total (nvidia.md §2.1).
    const reservedMiB = gpu.details?.memoryReservedMiB ?? 0;
    const freeMiB = Math.max(0, totalMiB - reservedMiB - usedMiB);
    const free = freeMiB / totalMiB;
    if (free >= ROOMY_FROM) return CLEAR;
    if (free >= TIGHT_BELOW) return BETWEEN;
    const holders = gpu.processes ?? [];
    return {
      kind: 'found',
      severity: 'warn',
      headline: `GPU ${gpu.index} has ${gibibytes(freeMiB)} of ${gibibytes(totalMiB)} left (${percent(free)}).`,
      means:
        'Allocations of all jobs on the card plus fragmentation come near its memory. An allocation that fails is about the card, not about the host’s memory.',
      fix: [
        'Read free GPU memory before launching',
        'Size the batch to fit next to the other job',
        'Try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation',
      ],
      wastedShare: null,
      evidence: [
        figure('memory free', freeMiB, 'MiB'),
        figure('memory in use', usedMiB, 'MiB'),
        figure('memory of the card', totalMiB, 'MiB'),
        ...holders.map(({ pid, name, memoryMiB }) => ({
          kind: 'line' as const,
          line: `pid ${pid} ${name}: ${memoryMiB === null ? 'memory not told' : `${memoryMiB} MiB`}`,
        })),
      ],
      caveat: gpu.processes === null ? 'Who holds the memory is not known.' : null,
    };
  },
};
