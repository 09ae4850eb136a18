import { lowerBound } from './downsample.ts';
import {
  tierKeptMs,
  tierStepMs,
  type BucketColumns,
  type GpuHistory,
  type HistoryTier,
} from './history.ts';
import type { Metric } from './reading-ring.ts';

/** What a tier holds of one GPU, oldest first. In the finest tier the three columns are one. */
export interface TierColumns {
  readonly atMs: ArrayLike<number>;
  /** Samples in each bucket, for the mean of several; null: one each. */
  readonly counts: ArrayLike<number> | null;
  readonly columns: Readonly<Partial<Record<Metric, TierColumn>>>;
}

interface TierColumn {
  readonly min: ArrayLike<number>;
  readonly mean: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

/**
 * The width of a bucket, so that a range has at most `maxPoints / 2` of them: each is drawn as its lowest and its highest
 * value. A multiple of the tier's step, so that no bucket holds more samples than its neighbour.
 */
export function bucketMsFor(
  range: { readonly fromMs: number; readonly toMs: number },
  maxPoints: number,
  stepMs: number,
): number {
  // One less than there is room for, because the oldest and the newest are cut by the edges of the range.
  const buckets = Math.max(1, Math.floor(maxPoints / 2) - 1);
  const leastMs = Math.max(0, range.toMs - range.fromMs) / buckets;
  return Math.max(1, Math.ceil(leastMs / stepMs)) * stepMs;
}

const TIERS: readonly HistoryTier[] = ['1s', '10s', '1min', '1h'];
/** The oldest sample in memory may be this much younger than the range, and still show all of it. */
const REACH_SLACK_MS = 15_000;

/**
 * The coarsest tier whose steps are at most twice as wide as the buckets could be, among those that reach back far
 * enough; the finest of those where none is so fine. Half as many points are still many, and take far less reading.
 */
export function chooseTier(given: {
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxPoints: number;
  readonly nowMs: number;
  /** The oldest sample in memory; null: none. */
  readonly inMemoryFromMs: number | null;
  /** The newest sample that earlier sessions left on the disk; null: none. */
  readonly storedToMs: number | null;
}): HistoryTier {
  const { fromMs, toMs, maxPoints, nowMs, inMemoryFromMs, storedToMs } = given;
  const reaching = TIERS.filter((tier) => {
    if (tier !== '1s') return nowMs - fromMs <= tierKeptMs[tier] + tierStepMs[tier];
    if (inMemoryFromMs === null) return false;
    const isAllThereIs =
      nowMs - fromMs <= tierKeptMs[tier] && (storedToMs === null || storedToMs < fromMs);
    return inMemoryFromMs <= fromMs + REACH_SLACK_MS || isAllThereIs;
  });
  const bucketMs = (toMs - fromMs) / Math.max(1, Math.floor(maxPoints / 2));
  const fineEnough = reaching.filter((tier) => tierStepMs[tier] <= bucketMs * 2);
  return fineEnough.at(-1) ?? reaching[0] ?? '1h';
}

/** The points of a range. */
export function within(
  { atMs, counts, columns }: TierColumns,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): TierColumns {
  const first = lowerBound(atMs, fromMs);
  const end = lowerBound(atMs, toMs + 1);
  const cut = (column: ArrayLike<number>): ArrayLike<number> =>
    Array.prototype.slice.call(column, first, end) as number[];
  return {
    atMs: cut(atMs),
    counts: counts === null ? null : cut(counts),
    columns: Object.fromEntries(
      Object.entries(columns).map(([metric, { min, mean, max }]) => [
        metric,
        { min: cut(min), mean: cut(mean), max: cut(max) },
      ]),
    ),
  };
}

/** Thins a tier out to buckets whose borders are multiples of their width, so that a drawn shape stays while it wanders. */
export function thinOut(
  { atMs, counts, columns }: TierColumns,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  bucketMs: number,
): Pick<GpuHistory, 'atMs' | 'columns'> {
  const starts: number[] = [];
  /** Where each bucket's samples begin; one more at the end. */
  const cuts: number[] = [];
  const end = lowerBound(atMs, toMs + 1);
  for (let i = lowerBound(atMs, fromMs); i < end; i += 1) {
    const start = Math.floor((atMs[i] ?? NaN) / bucketMs) * bucketMs;
    if (starts.at(-1) !== start) {
      starts.push(start);
      cuts.push(i);
    }
  }
  cuts.push(end);
  return {
    atMs: Float64Array.from(starts),
    columns: Object.fromEntries(
      Object.entries(columns).map(([metric, column]) => [metric, foldColumn(column, counts, cuts)]),
    ),
  };
}

function foldColumn(
  { min, mean, max }: TierColumn,
  counts: ArrayLike<number> | null,
  cuts: readonly number[],
): BucketColumns {
  const buckets = cuts.length - 1;
  const folded = {
    min: new Float32Array(buckets).fill(NaN),
    mean: new Float32Array(buckets).fill(NaN),
    max: new Float32Array(buckets).fill(NaN),
  };
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    let lowest = Infinity;
    let highest = -Infinity;
    let sum = 0;
    let weight = 0;
    for (let i = cuts[bucket] ?? 0; i < (cuts[bucket + 1] ?? 0); i += 1) {
      const value = mean[i] ?? NaN;
      if (Number.isNaN(value)) continue;
      const count = counts?.[i] ?? 1;
      lowest = Math.min(lowest, min[i] ?? value);
      highest = Math.max(highest, max[i] ?? value);
      sum += value * count;
      weight += count;
    }
    if (weight === 0) continue;
    folded.min[bucket] = lowest;
    folded.mean[bucket] = sum / weight;
    folded.max[bucket] = highest;
  }
  return folded;
}
