import type { GpuProcess } from '../telemetry/gpu-facts.ts';
import { IDLE_MEMORY_MIB } from '../telemetry/hidden-memory.ts';
import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { gibibytes, isMig, usedMemoryMiB } from './load.ts';
import { SLOW_GAP_MS, type GpuDetector, type GpuView } from './view.ts';
import { phrase, says } from './says.ts';

/** Half of what counts as held: the way back. */
const FREE_BELOW_MIB = IDLE_MEMORY_MIB / 2;

/** Beside a listed job: its own context is not always in its figure, and a display may draw. */
const BESIDE_LISTED_FROM_MIB = 4 * IDLE_MEMORY_MIB;
const BESIDE_LISTED_BELOW_MIB = 2 * IDLE_MEMORY_MIB;

/** U11 */
export const hiddenHolder: GpuDetector = {
  id: 'U11',
  scope: 'gpu',
  // The process list is up to a minute old: a job that has just begun is not in it yet.
  foundAfterMs: 90_000,
  clearAfterMs: 5000,
  maxGapMs: SLOW_GAP_MS,
  judge(gpu, box) {
    const usedMiB = usedMemoryMiB(gpu);
    if (isMig(gpu)) return unknown('MIG is on: memory and processes are told per instance');
    if (usedMiB === null) return unknown('the memory in use is not known');
    if (usedMiB < FREE_BELOW_MIB) return CLEAR;
    if (gpu.processes === null) return unknown('the processes on the card are not known');
    const listedMiB = listedMemoryMiB(gpu.processes);
    if (gpu.processes.length > 0) {
      const besideMiB = besideListedMiB(gpu, listedMiB);
      if (besideMiB === null || besideMiB < BESIDE_LISTED_BELOW_MIB) return CLEAR;
      if (besideMiB < BESIDE_LISTED_FROM_MIB) return BETWEEN;
    }
    if (usedMiB < IDLE_MEMORY_MIB) return BETWEEN;
    const hiddenMiB = usedMiB - (listedMiB ?? 0);
    const isContainer = box.facts?.machine.isContainer ?? null;
    return {
      kind: 'found',
      severity: isContainer === true ? 'info' : 'warn',
      says: says('U11', isContainer === true ? 'in-container' : 'hidden', {
        hidden: gibibytes(hiddenMiB),
        gpu: gpu.index,
      }),
      wastedShare: null,
      clues: [
        figure('memory in use', usedMiB, 'MiB'),
        figure('compute processes listed', gpu.processes.length, 'processes'),
        ...(gpu.processes.length === 0 ? [] : [figure('memory of those', listedMiB ?? 0, 'MiB')]),
      ],
      caveat: phrase('U11', 'displays'),
    };
  },
};

/** Null: one of them does not tell what it holds. */
function listedMemoryMiB(processes: readonly GpuProcess[]): number | null {
  let sum = 0;
  for (const { memoryMiB } of processes) {
    if (memoryMiB === null) return null;
    sum += memoryMiB;
  }
  return sum;
}

/** By the look that listed them: a job that grows would seem to hide what it took since. */
function besideListedMiB({ details }: GpuView, listedMiB: number | null): number | null {
  const usedMiB = details?.memoryUsedMiB ?? null;
  return usedMiB === null || listedMiB === null ? null : usedMiB - listedMiB;
}
