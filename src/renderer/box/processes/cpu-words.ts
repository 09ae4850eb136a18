import type { CpuLook } from '../../../shared/telemetry/cpu-look.ts';
import { formatCount, formatNumber, UNKNOWN } from '../../ui/format.ts';

/** From here on a person should look: gotcha U40's line. */
const HELD_BACK_FROM_PCT = 25;

export function isHeldBack({ throttledPct }: CpuLook): boolean {
  return throttledPct !== null && throttledPct >= HELD_BACK_FROM_PCT;
}

/** `CPU 7.2 of 8 cores, throttled 31 %, 14 threads, load 6.4`. */
export function cpuWords({
  quotaCpus,
  hostCpus,
  usedCpus,
  throttledPct,
  threads,
  load1,
}: CpuLook): string {
  const used = usedCpus === null ? UNKNOWN : formatNumber(usedCpus, 1);
  const limit = quotaCpus ?? hostCpus;
  const cores =
    limit === null ? null : `${formatNumber(limit, Number.isInteger(limit) ? 0 : 1)} cores`;
  const of = cores === null ? '' : usedCpus === null ? ` (${cores})` : ` of ${cores}`;
  // Without a limit nothing is held back, and the word would only puzzle.
  const throttled =
    quotaCpus === null
      ? []
      : [
          throttledPct === null
            ? `throttling ${UNKNOWN}`
            : `throttled ${formatNumber(throttledPct)} %`,
        ];
  return [
    `CPU ${used}${of}`,
    ...throttled,
    ...(threads === null ? [] : [formatCount(threads, 'thread')]),
    ...(load1 === null ? [] : [`load ${formatNumber(load1, 1)}`]),
  ].join(', ');
}
