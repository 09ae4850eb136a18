import { BETWEEN, CLEAR, figure, unknown, type Judgement } from './finding.ts';
import { isVideoJob } from './load.ts';
import { WINDOW_MS } from './recent-readings.ts';
import { SLOW_GAP_MS, type BoxDetector, type BoxView } from './view.ts';
import { phrase, says } from './says.ts';

// Gotcha U40 says "clearly smaller", "several times" and "rising quickly"; these numbers are chosen for Leasehold.
const QUOTA_SMALLER_THAN = 0.5;
const THREADS_PER_CPU_FROM = 3;
const THREADS_PER_CPU_UP_TO = 2;
const THROTTLED_FROM_PCT = 25;
const THROTTLED_UP_TO_PCT = 10;
// Gotcha U40: SM between 5 and 15.
const STARVED_UP_TO_PCT = 15;
const FED_FROM_PCT = 25;

/** U40 */
export const threadStorm: BoxDetector = {
  id: 'U40',
  scope: 'box',
  foundAfterMs: 45_000,
  clearAfterMs: 45_000,
  maxGapMs: SLOW_GAP_MS,
  judge,
};

/** The finer rule: what starves the cards is known. */
export function isThreadStorm(box: BoxView): boolean {
  return judge(box).kind === 'found';
}

function judge(box: BoxView): Judgement {
  const { cpu, gpus, facts } = box;
  if (cpu === null) return unknown('the CPU limit of the container is not known');
  const { quotaCpus, hostCpus, threads, throttledPct } = cpu;
  if (quotaCpus === null) {
    // A container that hides its control group may be a slice all the same; without a limit no stall is ever counted.
    const isHidden = throttledPct === null && facts?.machine.isContainer === true;
    return isHidden ? unknown('the CPU limit of the container is not known') : CLEAR;
  }
  if (hostCpus === null) return unknown('the number of the host’s CPUs is not known');
  if (quotaCpus >= hostCpus * QUOTA_SMALLER_THAN) return CLEAR;
  if (throttledPct === null) return unknown('the CPU stalls of the container are not known');
  if (throttledPct <= THROTTLED_UP_TO_PCT) return CLEAR;
  if (threads === null) return unknown('the number of threads is not known');
  if (threads <= quotaCpus * THREADS_PER_CPU_UP_TO) return CLEAR;

  const loads = gpus.map((gpu) => (isVideoJob(gpu) ? 100 : (gpu.recent?.mean('smPct') ?? null)));
  if (loads.length === 0 || loads.includes(null))
    return unknown('the load of the GPUs is not known');
  const busiest = Math.max(...loads.map((load) => load ?? 0));
  if (busiest >= FED_FROM_PCT) return CLEAR;
  const isStorm =
    busiest <= STARVED_UP_TO_PCT &&
    throttledPct >= THROTTLED_FROM_PCT &&
    threads >= quotaCpus * THREADS_PER_CPU_FROM;
  if (!isStorm) return BETWEEN;
  return {
    kind: 'found',
    severity: 'warn',
    says: says('U40', 'storm', { threads, quota: Math.round(quotaCpus * 10) / 10, host: hostCpus }),
    wastedShare: 1 - busiest / 100,
    clues: [
      figure('CPUs granted', quotaCpus, 'CPUs'),
      figure('CPUs of the host', hostCpus, 'CPUs'),
      figure('threads', threads, 'threads'),
      figure('periods in which the container had to stop', throttledPct, '%'),
      figure('SM busy, busiest GPU', busiest, '%', WINDOW_MS),
    ],
    caveat: phrase('U40', 'whole-container'),
  };
}
