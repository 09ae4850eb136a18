import { figure } from '../../detectors/finding.ts';
import { cpusUsed } from '../cpus-used.ts';
import { BOX, clear, found, unknown, type LookDetector, type LookView } from '../look-detector.ts';
import { memoryUsedPct, newKills } from './u9-host-memory.ts';
import { says } from '../../detectors/says.ts';

/** Gotcha U41: "load far above the vCPU quota while cgroup readings are calm"; the figures are chosen for Leasehold. */
const LOAD_PER_QUOTA = 2;
/** So much more than the quota is no matter of how many CPUs the host has. */
const FAR_ABOVE = 6;
const CALM_BELOW_PCT = 10;
/** Version 1 of control groups tells no waiting: who does not use up the quota does not wait for more (chosen for Leasehold). */
const CALM_BELOW_SHARE = 0.8;
/** The same of memory: the host is full, and the box's own group is roomy. */
const HOST_FULL_PCT = 90;
const ROOMY_BELOW_PCT = 60;
/** What the load must fall below, once it was told (chosen for Leasehold). */
const LEAVES_AT_SHARE = 0.8;

/** U41 */
export const neighbours: LookDetector = {
  id: 'U41',
  judge(view) {
    const { cpu, cpuStalledPct, memory } = view.look;
    const usedPct = memoryUsedPct(view);
    const hostPct = memory?.hostUsedPct ?? null;
    const isHostFull =
      memory?.isPartOfHost === true &&
      (hostPct ?? 0) > HOST_FULL_PCT &&
      usedPct !== null &&
      usedPct < ROOMY_BELOW_PCT;
    const load = cpu?.load1 ?? null;
    const hostCpus = cpu?.hostCpus ?? null;
    const quota = quotaOf(view);
    const isTold = load !== null && hostCpus !== null && quota !== null;
    if (!isTold && !isHostFull) {
      return [unknown('the box does not tell its load or its CPU limit')];
    }
    // A box that may use all of the host has no neighbours.
    if (quota === 'whole-host' && !isHostFull) return [clear()];
    const ease = view.wasFound(BOX) ? LEAVES_AT_SHARE : 1;
    const isLoaded =
      isTold &&
      quota !== 'whole-host' &&
      load > LOAD_PER_QUOTA * quota * ease &&
      (load > hostCpus * ease || load > FAR_ABOVE * quota * ease);
    if (!isLoaded && !isHostFull) return [clear()];
    const isCalm = cpuStalledPct === null ? isBelowQuota(view) : cpuStalledPct < CALM_BELOW_PCT;
    if (isLoaded && isCalm === null)
      return [unknown('the box does not tell whether its own group waits for a CPU')];
    if ((isLoaded && isCalm === false) || (newKills(view) ?? 0) > 0) return [clear()];
    return [
      found(BOX, {
        severity: 'info',
        says: says('U41', 'neighbours'),
        clues: [
          ...(load === null ? [] : [figure('Load of the host', load, 'processes', 60_000)]),
          ...(hostCpus === null ? [] : [figure('CPUs of the host', hostCpus, 'CPUs')]),
          ...(typeof quota === 'number' ? [figure('CPUs of this box', quota, 'CPUs')] : []),
          ...(cpuStalledPct === null
            ? []
            : [figure('Time in which this box waited for a CPU', cpuStalledPct, '%', 60_000)]),
          ...(usedPct === null ? [] : [figure('Memory of this box used', usedPct, '%')]),
          ...(hostPct === null ? [] : [figure('Memory of the host used', hostPct, '%')]),
        ],
      }),
    ];
  },
};

/** What the box may use of the host's CPUs; a part of its memory says that there are others beside it. */
function quotaOf({ look: { cpu, memory } }: LookView): number | 'whole-host' | null {
  if (cpu?.quotaCpus !== 'unlimited') return cpu?.quotaCpus ?? null;
  return memory?.isPartOfHost === true ? cpu.hostCpus : 'whole-host';
}

/** By what was used since the look before; null: not told. */
function isBelowQuota(view: LookView): boolean | null {
  const { look, before } = view;
  const quota = quotaOf(view);
  const used = cpusUsed(look, before);
  return typeof quota !== 'number' || used === null ? null : used < CALM_BELOW_SHARE * quota;
}
