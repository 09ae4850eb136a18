import type { GpuProcess } from '../telemetry/gpu-facts.ts';
import { CLEAR, unknown } from './finding.ts';
import { isMig } from './load.ts';
import { SLOW_GAP_MS, type GpuDetector } from './view.ts';
import { phrase, says } from './says.ts';

/** Monitors and profilers hold a context of some hundred MiB at most; a job holds more (chosen for Leasehold). */
export const JOB_FROM_MIB = 512;

/** One process with two contexts is listed twice. In a container several may be told as process 0. */
function withoutRepeats(processes: readonly GpuProcess[]): readonly GpuProcess[] {
  return processes.filter(
    ({ pid }, place) => pid === 0 || processes.findIndex((each) => each.pid === pid) === place,
  );
}

/** GEN7 */
export const twoJobs: GpuDetector = {
  id: 'GEN7',
  scope: 'gpu',
  foundAfterMs: 60_000, // two looks: one run may be leaving while the next one comes
  clearAfterMs: 5000,
  maxGapMs: SLOW_GAP_MS,
  judge(gpu) {
    if (isMig(gpu)) return unknown('MIG is on: which processes share an instance is not told');
    if (gpu.processes === null) return unknown('the processes on the card are not known');
    if (gpu.processes.length < 2) return CLEAR;
    const processes = withoutRepeats(gpu.processes);
    const jobs = processes.filter(({ memoryMiB }) => (memoryMiB ?? 0) >= JOB_FROM_MIB);
    if (jobs.length < 2) {
      const untold = processes.filter(({ memoryMiB }) => memoryMiB === null).length;
      if (jobs.length + untold < 2) return CLEAR;
      return unknown('how much memory each process holds is not known');
    }
    const isOneProgram = new Set(jobs.map(({ name, command }) => command ?? name)).size === 1;
    return {
      kind: 'found',
      severity: isOneProgram ? 'info' : 'warn',
      says: says('GEN7', 'shared', { count: jobs.length, gpu: gpu.index }),
      wastedShare: null,
      clues: jobs.map(({ pid, name, memoryMiB }) => ({
        kind: 'line',
        line: `pid ${pid} ${name}: ${memoryMiB ?? 0} MiB`,
      })),
      caveat: isOneProgram ? phrase('GEN7', 'one-program') : null,
    };
  },
};
