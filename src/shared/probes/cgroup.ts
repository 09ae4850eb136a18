import { excerpt, nonBlankLines, type ProbeOutput } from './probe-output.ts';

/** What a control group's file says. Which of the kinds is decided by the file's name. */
export type CgroupReading =
  | { readonly kind: 'limit'; readonly limit: CgroupLimit }
  | { readonly kind: 'use'; readonly value: number }
  | {
      readonly kind: 'oom';
      /** Processes killed since the container started; null: this kernel does not count them. */
      readonly kills: number | null;
      /** v1: the group is out of memory right now. */
      readonly isUnderOom: boolean | null;
    }
  | {
      readonly kind: 'cpu-limit';
      /** CPUs' worth of time. */
      readonly cpus: CgroupLimit;
    }
  /** v1 keeps quota and period in two files. */
  | { readonly kind: 'cpu-quota'; readonly quotaUs: CgroupLimit }
  | {
      readonly kind: 'cpu-stalls';
      readonly periods: number | null;
      readonly throttledPeriods: number | null;
      readonly throttledUs: number | null;
    }
  /** `inactive_file`: page cache that gives way; to be taken off the use before crying "full". */
  | { readonly kind: 'memory-stat'; readonly inactiveFileBytes: number | null };

export type CgroupLimit =
  | { readonly kind: 'limited'; readonly value: number }
  | { readonly kind: 'unlimited' };

/** v1 writes "no limit" as the largest number it can, rounded to pages: 9223372036854771712 or …775807. */
const NO_LIMIT_FROM = 2 ** 62;

type Reader = (lines: readonly string[]) => ProbeOutput<CgroupReading>;

/** The files that limits, use, kills and stalls are read from, v2 first (facts/nvidia.md §5.1). */
const READERS = {
  'memory.max': limit,
  'memory.high': limit,
  'memory.swap.max': limit,
  'memory.current': use,
  'memory.peak': use,
  'memory.events': oom,
  'memory.events.local': oom,
  'memory.stat': memoryStat,
  'cpu.max': cpuMax,
  'cpu.stat': cpuStat,
  'pids.max': limit,
  'pids.current': use,
  'memory.limit_in_bytes': limit,
  'memory.usage_in_bytes': use,
  'memory.max_usage_in_bytes': use,
  'memory.failcnt': use,
  'memory.oom_control': oom,
  'cpu.cfs_quota_us': cpuQuota,
  'cpu.cfs_period_us': use,
} satisfies Record<string, Reader>;

/** Deeper than containers are put into each other. */
const MAX_GROUPS = 64;

/** What parts/control-groups.sh tells: what stands before the first group, then each of them, from the box's own upwards. */
export function splitGroups(text: string): readonly string[] {
  return text.split(/^group.*$/m, 1 + MAX_GROUPS);
}

export type CgroupFile = keyof typeof READERS;
export const cgroupFiles = Object.keys(READERS) as readonly CgroupFile[];

export function parseCgroup(file: CgroupFile, text: string): ProbeOutput<CgroupReading> {
  return READERS[file](nonBlankLines(text));
}

/** By the name, else by words that only one kind of file holds. Null: a bare number could be any of them. */
export function guessCgroupFile(name: string, text: string): CgroupFile | null {
  // The longest name first: `memory.max_usage_in_bytes` also holds `memory.max`.
  const byName = [...cgroupFiles]
    .sort((a, b) => b.length - a.length)
    .find((file) => name.includes(file));
  return byName ?? CONTENT_SIGNS.find(([sign]) => sign.test(text))?.[1] ?? null;
}

const CONTENT_SIGNS: readonly (readonly [RegExp, CgroupFile])[] = [
  [/^oom_kill_disable /m, 'memory.oom_control'],
  [/^oom_kill /m, 'memory.events'],
  [/^nr_periods /m, 'cpu.stat'],
  [/^inactive_file /m, 'memory.stat'],
  [/^(?:max|\d+) \d+\s*$/, 'cpu.max'],
];

function limit(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return single(lines, (line) => {
    const value = line === 'max' ? null : number(line);
    if (value === undefined) return undefined;
    return { kind: 'limit', limit: toLimit(value) };
  });
}

function use(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return single(lines, (line) => {
    const value = number(line);
    return value === undefined ? undefined : { kind: 'use', value };
  });
}

function cpuMax(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return single(lines, (line) => {
    const [, quota, period] = /^(max|\d+) (\d+)$/.exec(line) ?? [];
    const periodUs = number(period ?? '');
    if (quota === undefined || periodUs === undefined || periodUs === 0) return undefined;
    const quotaUs = quota === 'max' ? null : number(quota);
    if (quotaUs === undefined) return undefined;
    return { kind: 'cpu-limit', cpus: toLimit(quotaUs === null ? null : quotaUs / periodUs) };
  });
}

function cpuQuota(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return single(lines, (line) => {
    const value = line === '-1' ? null : number(line);
    return value === undefined ? undefined : { kind: 'cpu-quota', quotaUs: toLimit(value) };
  });
}

function oom(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return table(lines, (fields) => {
    const under = fields.get('under_oom');
    return {
      kind: 'oom',
      kills: fields.get('oom_kill') ?? null, // absent before kernel 4.13: unknown, not none
      isUnderOom: under === undefined ? null : under !== 0,
    };
  });
}

function cpuStat(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return table(lines, (fields) => {
    const throttledNs = fields.get('throttled_time'); // v1 counts nanoseconds
    return {
      kind: 'cpu-stalls',
      periods: fields.get('nr_periods') ?? null,
      throttledPeriods: fields.get('nr_throttled') ?? null,
      throttledUs:
        fields.get('throttled_usec') ?? (throttledNs === undefined ? null : throttledNs / 1000),
    };
  });
}

function memoryStat(lines: readonly string[]): ProbeOutput<CgroupReading> {
  return table(lines, (fields) => ({
    kind: 'memory-stat',
    inactiveFileBytes: fields.get('inactive_file') ?? null,
  }));
}

/** A file of one value; every further line is unreadable, and so is a file without one. */
function single(
  lines: readonly string[],
  read: (line: string) => CgroupReading | undefined,
): ProbeOutput<CgroupReading> {
  const rows: CgroupReading[] = [];
  const unreadable: string[] = [];
  for (const line of lines) {
    const row = rows.length === 0 ? read(line.trim()) : undefined;
    if (row === undefined) unreadable.push(excerpt(line));
    else rows.push(row);
  }
  return { rows, unreadable };
}

/** A file of `name number` lines. */
function table(
  lines: readonly string[],
  read: (fields: ReadonlyMap<string, number>) => CgroupReading,
): ProbeOutput<CgroupReading> {
  const fields = new Map<string, number>();
  const unreadable: string[] = [];
  for (const line of lines) {
    const [, name, figure] = /^([\w.]+) (\d+)$/.exec(line.trim()) ?? [];
    const value = number(figure ?? '');
    if (name === undefined || value === undefined) unreadable.push(excerpt(line));
    else fields.set(name, value);
  }
  return { rows: fields.size === 0 ? [] : [read(fields)], unreadable };
}

function toLimit(value: number | null): CgroupLimit {
  return value === null || value >= NO_LIMIT_FROM
    ? { kind: 'unlimited' }
    : { kind: 'limited', value };
}

function number(text: string): number | undefined {
  return /^\d{1,20}$/.test(text) ? Number(text) : undefined;
}
