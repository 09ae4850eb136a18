import type { MigPart } from '../telemetry/gpu-facts.ts';
import { BETWEEN, CLEAR, figure, unknown, type Found, type Judgement } from './finding.ts';
import { gibibytes, isMig, percent, usedMemoryMiB } from './load.ts';
import { LIVE_GAP_MS, type GpuDetector, type GpuView } from './view.ts';
import { phrase, says, type Phrase } from './says.ts';

// Chosen for Leasehold: frameworks fill most of a card on purpose, so only the last few percent are pressure.
const TIGHT_BELOW = 0.03;
const ROOMY_FROM = 0.06;

/** U10 */
export const memoryPressure: GpuDetector = {
  id: 'U10',
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
      name: phrase('U10', 'card', { gpu: gpu.index }),
      what: 'card',
      freeMiB,
      usedMiB,
      totalMiB,
    });
  },
};

/** One memory that jobs share: a card's, or that of a part of it. */
interface Memory {
  readonly name: Phrase;
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
  return {
    name: nameOf(part, gpu.index),
    what: 'part',
    freeMiB: Math.max(0, totalMiB - usedMiB),
    usedMiB,
    totalMiB,
  };
}

function nameOf({ device: part, profile }: MigPart, gpu: number): Phrase {
  if (profile === null) {
    return part === null
      ? phrase('U10', 'part', { gpu })
      : phrase('U10', 'part-number', { part, gpu });
  }
  return part === null
    ? phrase('U10', 'part-profile', { profile, gpu })
    : phrase('U10', 'part-number-profile', { part, profile, gpu });
}

function found(gpu: GpuView, { name, what, freeMiB, usedMiB, totalMiB }: Memory): Found {
  const holders = gpu.processes ?? [];
  return {
    kind: 'found',
    severity: 'warn',
    says: says('U10', 'tight', {
      memory: name,
      free: gibibytes(freeMiB),
      total: gibibytes(totalMiB),
      share: percent(freeMiB / totalMiB),
    }),
    wastedShare: null,
    clues: [
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

function caveatOf({ processes }: GpuView, what: Memory['what']): Phrase | null {
  if (processes === null) return phrase('U10', 'holders-unknown');
  return what === 'part' && processes.length > 0 ? phrase('U10', 'holders-of-card') : null;
}
