import type { MountUsage } from '../probes/df.ts';
import type { PatrolLook } from './patrol-look.ts';

/** How full a disk was at a look. */
export interface DiskLook {
  readonly atMs: number;
  readonly path: string;
  /** Another one, mounted at the same place, says nothing of this one. */
  readonly device: string;
  readonly usedKiB: number | null;
  readonly freeKiB: number | null;
  readonly inodesUsed: number | null;
  readonly inodesFree: number | null;
}

/** A pause between looks is some minutes; a dozen of these reach back an hour or two. */
const MAX_LOOKS = 12;
const MAX_DISKS = 24;
/** Nearer looks add nothing but their rounding. */
const LEAST_BETWEEN_MS = 4 * 60_000;
/** What was written before last night says little of now. */
const MAX_AGE_MS = 6 * 3_600_000;

/** What is to be remembered of how full the disks are, the newest looks last. */
export function rememberDisks(
  { atMs, mounts }: Pick<PatrolLook, 'atMs' | 'mounts'>,
  known: readonly DiskLook[],
): readonly DiskLook[] {
  return mounts.slice(0, MAX_DISKS).flatMap(({ path, device, usage }) => {
    const before = known.filter((each) => each.path === path && each.device === device);
    if (usage === null) return before;
    const last = before.at(-1);
    if (last !== undefined && atMs - last.atMs < LEAST_BETWEEN_MS && atMs >= last.atMs)
      return before;
    const { usedKiB, freeKiB, inodesUsed, inodesFree } = usage;
    const now = { atMs, path, device, usedKiB, freeKiB, inodesUsed, inodesFree };
    return [...before.filter((each) => each.atMs < atMs), now].slice(-MAX_LOOKS);
  });
}

/** When a disk is full, if it goes on as in the looks before. An estimate. */
export interface Forecast {
  readonly what: 'bytes' | 'inodes';
  readonly hoursLeft: number;
  /** KiB or inodes. */
  readonly perHour: number;
  /** Over how long that was measured. */
  readonly overMs: number;
}

/** Fewer pieces of time than these are no rate. */
const LEAST_STEPS = 3;
const LEAST_OVER_MS = 12 * 60_000;
/** Of the pieces, those in which something was written; a single copy is over when it is done. */
const LEAST_GROWING_SHARE = 0.6;
const HOUR_MS = 3_600_000;

/**
 * The rate is the middle one of those between two looks each, so that neither one large copy nor one deletion makes it. Null: it
 * does not grow, or too little is known to say.
 */
export function forecast(
  usage: MountUsage,
  { atMs, path, device }: { readonly atMs: number; readonly path: string; readonly device: string },
  known: readonly DiskLook[],
): Forecast | null {
  const looks = known.filter(
    (each) =>
      each.path === path &&
      each.device === device &&
      each.atMs < atMs &&
      atMs - each.atMs <= MAX_AGE_MS,
  );
  const { usedKiB, freeKiB, inodesUsed, inodesFree } = usage;
  const bytes = rateOf([
    ...looks.map((each) => [each.atMs, each.usedKiB] as const),
    [atMs, usedKiB],
  ]);
  const inodes = rateOf([
    ...looks.map((each) => [each.atMs, each.inodesUsed] as const),
    [atMs, inodesUsed],
  ]);
  const all = [...left('bytes', bytes, freeKiB), ...left('inodes', inodes, inodesFree)].sort(
    (a, b) => a.hoursLeft - b.hoursLeft,
  );
  return all[0] ?? null;
}

interface Rate {
  readonly perHour: number;
  readonly overMs: number;
}

interface Rate {
  readonly perHour: number;
  readonly overMs: number;
}

function rateOf(points: readonly (readonly [atMs: number, used: number | null])[]): Rate | null {
  const told = points.flatMap(([atMs, used]) => (used === null ? [] : [{ atMs, used }]));
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined || last === undefined || told.length <= LEAST_STEPS) return null;
  const overMs = last.atMs - first.atMs;
  if (overMs < LEAST_OVER_MS) return null;
  const rates = told.slice(1).map((each, at) => {
    const before = told[at] ?? each;
    return ((each.used - before.used) * HOUR_MS) / (each.atMs - before.atMs);
  });
  const drops = rates.flatMap((rate, at) => (rate < 0 ? [at] : []));
  const overall = ((last.used - first.used) * HOUR_MS) / overMs;
  // Something was deleted once: what counts is what is written since. Deleted again and again, it goes on so.
  const [drop] = drops;
  if (drop !== undefined && drops.length === 1 && overall <= 0)
    return rateOf(points.slice(drop + 1));
  const growing = rates.filter((rate) => rate > 0).length / rates.length;
  const middle = [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
  if (growing < LEAST_GROWING_SHARE || middle <= 0 || overall <= 0) return null;
  return { perHour: drops.length === 0 ? middle : Math.min(middle, overall), overMs };
}

function left(what: Forecast['what'], rate: Rate | null, free: number | null): readonly Forecast[] {
  if (rate === null || free === null) return [];
  return [{ what, hoursLeft: free / rate.perHour, ...rate }];
}
