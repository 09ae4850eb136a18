import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import {
  gibibytes,
  holdsMemory,
  isCpuWorking,
  isVideoJob,
  usedMemoryMiB,
  whyNoLoad,
} from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { isThreadStorm } from './u40-thread-storm.ts';
import { LIVE_GAP_MS, type GpuDetector, type GpuView } from './view.ts';
import { phrase, says } from './says.ts';

// Gotcha U38: SM about 0 while memory is well above idle.
const ABOUT_ZERO_BELOW_PCT = 3;
const WORKING_FROM_PCT = 8;

/** U38 */
export const cpuBound: GpuDetector = {
  id: 'U38',
  scope: 'gpu',
  foundAfterMs: 60_000, // loading a model and its first batch looks the same
  clearAfterMs: 20_000,
  maxGapMs: LIVE_GAP_MS,
  judge(gpu, box) {
    const smPct = gpu.recent?.mean('smPct') ?? null;
    if (smPct === null) return unknown(whyNoLoad(gpu));
    if (smPct >= WORKING_FROM_PCT || isVideoJob(gpu)) return CLEAR;
    const isHeld = holdsMemory(gpu);
    if (isHeld === false) return CLEAR;
    if (isHeld === null) return unknown('whether a job holds memory on it is not known');
    const isWorking = isCpuWorking(box);
    if (isWorking === null) {
      return unknown('whether the job uses the CPU is not known: it may be CPU-bound or hang');
    }
    if (!isWorking || isThreadStorm(box)) return CLEAR;
    if (box.gpus.some((other) => other !== gpu && isAtWork(other))) {
      return unknown('another card works: whose the CPU time is, is not told');
    }
    if (smPct >= ABOUT_ZERO_BELOW_PCT) return BETWEEN;
    const usedMiB = usedMemoryMiB(gpu) ?? 0;
    return {
      kind: 'found',
      severity: 'info',
      says: says('U38', 'cpu-bound', { gpu: gpu.index }),
      wastedShare: 1 / box.gpus.length,
      clues: [
        figure('SM busy', smPct, '%', WINDOW_MS),
        { kind: 'line', line: `GPU memory held: ${gibibytes(usedMiB)}` },
        figure('CPU used', box.cpu?.usedCpus ?? 0, 'CPUs'),
      ],
      caveat: phrase('U38', 'whole-container'),
    };
  },
};

function isAtWork(gpu: GpuView): boolean {
  return (gpu.recent?.mean('smPct') ?? 0) >= WORKING_FROM_PCT || isVideoJob(gpu);
}
