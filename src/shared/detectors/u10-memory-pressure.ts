import type { MigPart } from '../telemetry/gpu-facts.ts';
import { BETWEEN, CLEAR, figure, unknown, type Found, type Judgement } from './finding.ts';
import { gibibytes, isMig, percent, usedMemoryMiB } from './load.ts';
import { LIVE_GAP_MS, type GpuDetector, type GpuView } from './view.ts';

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
    if (isMig(gpu)) return judgeParts(gpu);
    const totalMiB = gpu.details?.memoryTotalMiB ?? null;
    const usedMiB = usedMemoryMiB(gpu);
    if (totalMiB === null || totalMiB <= 0) return unknown('the card’s memory size is not known');
    if (usedMiB === null) return unknown('the memory in use is not known');
    // Used, reserved and free add up to the total (nvidia.md §2.1).
    const reservedMiB = gpu.details?.memoryReservedMiB ?? 0;
    const freeMiB = Math.max(0, totalMiB - reservedMiB - usedMiB);
    return judgeMemory(gpu, {
      name: `GPU ${gpu.index}`,
      what: 'card',
      freeMiB,
      usedMiB,
      totalMiB,
    });
  },
};

/** One memory that jobs share: a card's, or that of a part of it. */
interface Memory {
  readonly name: string;
  readonly what: 'card' | 'part';
  readonly freeMiB: number;
  readonly usedMiB: number;
  readonly totalMiB: number;
}

function judgeMemory(gpu: GpuView, memory: Memory): Judgement {
  const share = memory.freeMiB / memory.totalMiB;
  if (share >= ROOMY_FROM) return CLEAR;
  return share >= TIGHT_BELOW ? BETWEEN : found(gpu, memory);
}

/** With MIG a job has the memory of its part, whatever else of the card is free. */
function judgeParts(gpu: GpuView): Judgement {
  const parts = gpu.details?.migParts ?? null;
  if (parts === null || parts.length === 0) {
    return unknown('MIG is on, and what an instance has left is not told');
  }
  const memories = parts.map((part) => memoryOf(part, gpu));
  const told = memories.filter((memory) => memory !== null);
  const [tightest] = told.sort((a, b) => a.freeMiB / a.totalMiB - b.freeMiB / b.totalMiB);
  const judgement = tightest === undefined ? CLEAR : judgeMemory(gpu, tightest);
  if (judgement.kind === 'found' || told.length === parts.length) return judgement;
  return unknown('MIG is on, and what some of its parts have left is not told');
}

function memoryOf(part: MigPart, gpu: GpuView): Memory | null {
  const { memoryUsedMiB: usedMiB, memoryTotalMiB: totalMiB } = part;
  if (usedMiB === null || totalMiB === null || totalMiB <= 0) return null;
  const profile = part.profile === null ? '' : ` (${part.profile})`;
  return {
    name: `${part.device === null ? 'A part' : `Part ${part.device}`}${profile} of GPU ${gpu.index}`,
    what: 'part',
    freeMiB: Math.max(0, totalMiB - usedMiB),
    usedMiB,
    totalMiB,
  };
}

function found(gpu: GpuView, { name, what, freeMiB, usedMiB, totalMiB }: Memory): Found {
  const holders = gpu.processes ?? [];
  return {
    kind: 'found',
    severity: 'warn',
    headline: `${name} has ${gibibytes(freeMiB)} of ${gibibytes(totalMiB)} left (${percent(freeMiB / totalMiB)}).`,
    means: `Allocations of all jobs on the ${what} plus fragmentation come near its memory. An allocation that fails is about the card, not about the host’s memory.`,
    fix: [
      'Read free GPU memory before launching',
      'Size the batch to fit next to the other job',
      'Try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation',
    ],
    wastedShare: null,
    evidence: [
      figure('memory free', freeMiB, 'MiB'),
      figure('memory in use', usedMiB, 'MiB'),
      figure(`memory of the ${what}`, totalMiB, 'MiB'),
      ...holders.map(({ pid, name: program, memoryMiB }) => ({
        kind: 'line' as const,
        line: `pid ${pid} ${program}: ${memoryMiB === null ? 'memory not told' : `${memoryMiB} MiB`}`,
      })),
    ],
    caveat: caveatOf(gpu, what),
  };
}

function caveatOf({ processes }: GpuView, what: Memory['what']): string | null {
  if (processes === null) return 'Who holds the memory is not known.';
  return what === 'part' && processes.length > 0
    ? 'The programs are listed for the whole card; which part each one uses is not told.'
    : null;
}
