import { BETWEEN, CLEAR, figure, unknown } from './finding.ts';
import { holdsMemory, isCpuWorking, isVideoJob, whyNoLoad } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { LIVE_GAP_MS, type BoxDetector } from './view.ts';
import { phrase, says } from './says.ts';

// One kernel now and then is no work; recorded idle cards show 0–2 % (nvidia.md §1.3).
const IDLE_BELOW_PCT = 3;
const WORKING_FROM_PCT = 8;
/** Principle P1 counts human pauses as idle cost; ten minutes is a pause, and no epoch's end (chosen for Leasehold). */
const IDLE_AFTER_MS = 10 * 60_000;

/** Principle P1 (facts/principles.md): no gotcha of its own */
export const idleBox: BoxDetector = {
  id: 'idle',
  scope: 'box',
  foundAfterMs: IDLE_AFTER_MS,
  clearAfterMs: 20_000,
  maxGapMs: LIVE_GAP_MS,
  judge(box) {
    const { gpus } = box;
    if (gpus.length === 0) return unknown('no GPU is known');
    const loads = gpus.map((gpu) => gpu.recent?.mean('smPct') ?? null);
    const busiest = Math.max(...loads.map((load) => load ?? 0));
    if (busiest >= WORKING_FROM_PCT || gpus.some(isVideoJob)) return CLEAR;
    const blind = gpus.find((_, place) => loads[place] === null);
    if (blind !== undefined) return unknown(`GPU ${blind.index}: ${whyNoLoad(blind)}`);
    if (busiest >= IDLE_BELOW_PCT) return BETWEEN;

    // A job that holds memory may prepare its data on the CPU: gotcha U38 forbids to call that idle.
    const isHeld = gpus.map(holdsMemory);
    const isCpuBusy = isCpuWorking(box);
    if (!isHeld.every((held) => held === false)) {
      if (isCpuBusy === true) return CLEAR;
      if (isCpuBusy === null) {
        return unknown(
          isHeld.includes(true)
            ? 'a job holds GPU memory, and whether it uses the CPU is not known'
            : 'whether a job holds GPU memory is not known, nor whether the CPU is used',
        );
      }
    }
    const holders = isHeld.filter((held) => held !== false).length;
    return {
      kind: 'found',
      severity: 'warn',
      says: says('idle', holders > 0 ? 'held' : 'idle', {
        cards:
          gpus.length === 1
            ? phrase('idle', 'one')
            : phrase('idle', 'many', { count: gpus.length }),
      }),
      wastedShare: 1,
      clues: [
        figure('SM busy, busiest GPU', busiest, '%', WINDOW_MS),
        figure('GPUs on which memory is held', holders, 'GPUs'),
        ...(box.cpu === null || box.cpu.usedCpus === null
          ? []
          : [figure('CPU used', box.cpu.usedCpus, 'CPUs')]),
      ],
      caveat: isCpuBusy === null ? phrase('idle', 'cpu-unknown') : null,
    };
  },
};
