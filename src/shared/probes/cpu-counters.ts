import type { CpuCounters } from '../telemetry/cpu-look.ts';
import { parseCgroup, splitGroups, type CgroupFile, type CgroupReading } from './cgroup.ts';
import { readPairs, readTicks, readUptimeS, whole, type Pairs } from './word-lines.ts';

/**
 * Reads the section `cpu` of resources/onbox/gpu-facts.sh: one block per control group, from the box's own upwards. What
 * counts is the group with the lowest limit; where none has one, the outermost that can be seen. Null: nothing was told.
 */
export function readCpuCounters(text: string, machine: Pairs): CpuCounters | null {
  const [head = '', ...blocks] = splitGroups(text);
  const pairs = readPairs(head);
  if (pairs.size === 0) return null;
  const groups = blocks.map(readGroup);
  const limited = groups
    .filter((group) => typeof group.quotaCpus === 'number')
    .sort((a, b) => Number(a.quotaCpus) - Number(b.quotaCpus));
  const group = limited[0] ?? groups.at(-1);
  const isUnlimited = groups.some(({ quotaCpus }) => quotaCpus === 'unlimited');
  return {
    atS: readUptimeS(pairs),
    hostCpus: whole(pairs.get('cpus')?.[0]),
    quotaCpus: group?.quotaCpus ?? (isUnlimited ? 'unlimited' : null),
    usedS: group?.usedS ?? (limited.length === 0 ? hostUsedS(pairs, readTicks(machine)) : null),
    periods: group?.periods ?? null,
    throttledPeriods: group?.throttledPeriods ?? null,
    threads: group?.threads ?? whole(pairs.get('threads')?.[0]),
    load1: loadOf(pairs),
  };
}

type Group = Pick<CpuCounters, 'quotaCpus' | 'usedS' | 'periods' | 'throttledPeriods' | 'threads'>;

function readGroup(block: string): Group {
  const pairs = readPairs(block);
  const read = (file: CgroupFile, word: string): CgroupReading | undefined =>
    parseCgroup(file, (pairs.get(word) ?? []).join('\n')).rows[0];
  const stalls = read('cpu.stat', 'stat');
  const isTold = stalls?.kind === 'cpu-stalls';
  const use = read('pids.current', 'pids');
  return {
    quotaCpus: quotaOf(
      read('cpu.max', 'max'),
      read('cpu.cfs_quota_us', 'quota'),
      read('cpu.cfs_period_us', 'period'),
    ),
    usedS: usedOf(pairs),
    periods: isTold ? stalls.periods : null,
    throttledPeriods: isTold ? stalls.throttledPeriods : null,
    threads: use?.kind === 'use' ? use.value : null,
  };
}

function quotaOf(
  max: CgroupReading | undefined,
  quota: CgroupReading | undefined,
  period: CgroupReading | undefined,
): CpuCounters['quotaCpus'] {
  if (max?.kind === 'cpu-limit') {
    return max.cpus.kind === 'unlimited' ? 'unlimited' : max.cpus.value;
  }
  if (quota?.kind !== 'cpu-quota') return null;
  if (quota.quotaUs.kind === 'unlimited') return 'unlimited';
  return period?.kind === 'use' && period.value > 0 ? quota.quotaUs.value / period.value : null;
}

/** v2 counts microseconds in `cpu.stat`, v1 nanoseconds in a file of its own. */
function usedOf(pairs: Pairs): number | null {
  const usec = pairs
    .get('stat')
    ?.find((line) => line.startsWith('usage_usec '))
    ?.slice(11);
  const us = whole(usec);
  if (us !== null) return us / 1e6;
  const ns = /^\d{1,20}$/.test(pairs.get('acct')?.[0] ?? '')
    ? Number(pairs.get('acct')?.[0])
    : null;
  return ns === null ? null : ns / 1e9;
}

/** `/proc/stat`: user nice system idle iowait irq softirq steal, in clock ticks. */
function hostUsedS(pairs: Pairs, ticks: number): number | null {
  const [user, nice, system, , , irq, softirq] = (pairs.get('total')?.[0] ?? '')
    .split(' ')
    .map((word) => whole(word));
  const parts = [user, nice, system, irq, softirq];
  let used = 0;
  for (const part of parts) {
    if (part === undefined || part === null) return null;
    used += part;
  }
  return used / ticks;
}

function loadOf(pairs: Pairs): number | null {
  const [load] = (pairs.get('load')?.[0] ?? '').split(' ');
  return load !== undefined && /^\d{1,6}\.\d{1,3}$/.test(load) ? Number(load) : null;
}
