/** What a box counted of its CPUs up to one moment. Null: not told. */
export interface CpuCounters {
  /** The box's own clock, seconds since its boot. */
  readonly atS: number | null;
  readonly hostCpus: number | null;
  /** CPUs' worth of time that the container may use; `unlimited`: all of the host's. */
  readonly quotaCpus: number | 'unlimited' | null;
  /** CPU time used so far. */
  readonly usedS: number | null;
  /** Scheduler periods so far, and those in which the group had to stop. */
  readonly periods: number | null;
  readonly throttledPeriods: number | null;
  /** Of the whole container. */
  readonly threads: number | null;
  /** Of the last minute; in a plain container that of the host. */
  readonly load1: number | null;
}

/** What the container may use of the CPUs, and what it uses. */
export interface CpuLook {
  readonly atMs: number;
  /** CPUs' worth of time; null: no limit is known. */
  readonly quotaCpus: number | null;
  readonly hostCpus: number | null;
  /** CPUs' worth of time used since the look before. */
  readonly usedCpus: number | null;
  /** Share of the scheduler's periods since the look before in which the group had to stop. */
  readonly throttledPct: number | null;
  /** Of the whole container. */
  readonly threads: number | null;
  readonly load1: number | null;
}

/**
 * Two counts make one look. Counters that went back (a restarted container) and a first count say nothing of the use; the
 * limit and the threads stand for themselves.
 */
export function compareCpu(
  before: CpuCounters | null,
  after: CpuCounters | null,
  atMs: number,
): CpuLook | null {
  if (after === null) return null;
  const passedS = difference(before?.atS, after.atS);
  const usedS = difference(before?.usedS, after.usedS);
  const periods = difference(before?.periods, after.periods);
  const throttled = difference(before?.throttledPeriods, after.throttledPeriods);
  return {
    atMs,
    quotaCpus: after.quotaCpus === 'unlimited' ? null : after.quotaCpus,
    hostCpus: after.hostCpus,
    usedCpus: passedS === null || passedS === 0 || usedS === null ? null : usedS / passedS,
    throttledPct: share(throttled, periods, after),
    threads: after.threads,
    load1: after.load1,
  };
}

function difference(before: number | null | undefined, after: number | null): number | null {
  if (before === null || before === undefined || after === null || after < before) return null;
  return after - before;
}

/** Without a limit nothing is ever held back; without a period that passed nothing is known of it. */
function share(
  throttled: number | null,
  periods: number | null,
  { quotaCpus }: CpuCounters,
): number | null {
  if (quotaCpus === 'unlimited') return 0;
  if (throttled === null || periods === null) return null;
  // No task of the group ran in this time, so none was stopped.
  return periods === 0 ? 0 : Math.min(100, (throttled / periods) * 100);
}
