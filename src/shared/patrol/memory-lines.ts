import { parseCgroup, splitGroups, type CgroupFile, type CgroupReading } from '../probes/cgroup.ts';
import { readPairs, whole, type Pairs } from '../probes/word-lines.ts';
import type { MemoryLook } from './patrol-look.ts';

/**
 * Reads the host's lines of parts/kernel-tables.sh, and behind them the section `memory` of parts/control-groups.sh: one block
 * for each control group from the box's own upwards. What counts is the group with the lowest limit. Null: nothing was told.
 */
export function readMemory(text: string): MemoryLook | null {
  const [head = '', ...blocks] = splitGroups(text);
  const host = readHost(readPairs(head));
  const groups = blocks.map(readGroup);
  if (host.totalBytes === null && host.oomKills === null && groups.length === 0) return null;
  const limited = groups
    .filter((group) => typeof group.limitBytes === 'number')
    .sort((a, b) => Number(a.limitBytes) - Number(b.limitBytes))[0];
  // No group of its own to be full: the machine's memory is the limit.
  const isWithinHost =
    limited !== undefined &&
    (host.totalBytes === null || Number(limited.limitBytes) < host.totalBytes);
  return {
    limitBytes: isWithinHost
      ? limited.limitBytes
      : (host.totalBytes ?? (groups.some(isUnlimited) ? 'unlimited' : null)),
    usedBytes: isWithinHost ? limited.usedBytes : host.usedBytes,
    // A count of version 2 holds those of the groups below it.
    oomKills: most(groups.map(({ oomKills }) => oomKills)),
    hostOomKills: host.oomKills,
    isWholeMachine: host.isWhole,
    isPartOfHost: isWithinHost && host.totalBytes !== null,
    stalledPct: (limited ?? groups[0])?.stalledPct ?? null,
    hostUsedPct:
      host.totalBytes === null || host.usedBytes === null || host.totalBytes === 0
        ? null
        : (100 * host.usedBytes) / host.totalBytes,
  };
}

type Group = Omit<MemoryLook, 'hostOomKills' | 'hostUsedPct' | 'isWholeMachine' | 'isPartOfHost'>;

const isUnlimited = ({ limitBytes }: Group): boolean => limitBytes === 'unlimited';

function readGroup(block: string): Group {
  const pairs = readPairs(block);
  const read = (file: CgroupFile, word: string): CgroupReading | undefined =>
    parseCgroup(file, (pairs.get(word) ?? []).join('\n')).rows[0];
  const limit = read('memory.max', 'max') ?? read('memory.limit_in_bytes', 'limit');
  const use = read('memory.current', 'current') ?? read('memory.usage_in_bytes', 'use');
  const kills = read('memory.events', 'events') ?? read('memory.oom_control', 'oom');
  return {
    limitBytes: limit?.kind !== 'limit' ? null : limitOf(limit.limit),
    usedBytes: use?.kind === 'use' ? Math.max(0, use.value - cacheOf(pairs)) : null,
    oomKills: kills?.kind === 'oom' ? kills.kills : null,
    stalledPct: readPressure(pairs.get('pressure-memory')?.[0]),
  };
}

/** What gives way before anything is ended. A disk's worth of files that were read twice is no shortage. */
function cacheOf(pairs: Pairs): number {
  return (pairs.get('stat') ?? []).reduce(
    (sum, line) => sum + (whole(/^\w+ (\d+)$/.exec(line)?.[1]) ?? 0),
    0,
  );
}

function limitOf(limit: Extract<CgroupReading, { kind: 'limit' }>['limit']): number | 'unlimited' {
  return limit.kind === 'unlimited' ? 'unlimited' : limit.value;
}

/** "some avg10=0.00 avg60=1.25 avg300=…": the share of time in which at least one waited. */
export function readPressure(line: string | undefined): number | null {
  const text = /^some .*\bavg60=(\d{1,3}\.\d{1,4})\b/.exec(line ?? '');
  return text?.[1] === undefined ? null : Number(text[1]);
}

function readHost(pairs: Pairs): {
  readonly totalBytes: number | null;
  readonly usedBytes: number | null;
  readonly oomKills: number | null;
  readonly isWhole: boolean;
} {
  const lines = pairs.get('host') ?? [];
  const kilobytes = (word: string): number | null => {
    const line = lines.find((each) => each.startsWith(`${word}:`)) ?? '';
    const value = whole(/:\s*(\d{1,15}) kB$/.exec(line)?.[1]);
    return value === null ? null : value * 1024;
  };
  const [total, available] = [kilobytes('MemTotal'), kilobytes('MemAvailable')];
  return {
    totalBytes: total,
    usedBytes: total === null || available === null ? null : Math.max(0, total - available),
    oomKills: whole(lines.find((line) => line.startsWith('oom_kill '))?.slice(9)),
    isWhole: lines.includes('kernel-threads'),
  };
}

function most(values: readonly (number | null)[]): number | null {
  const told = values.filter((value) => value !== null);
  return told.length === 0 ? null : Math.max(...told);
}
