import type { GpuKey } from './gpu-facts.ts';
import type { TelemetryMark } from './mark.ts';
import type { Metric } from './reading-ring.ts';
import type { ThrottleSpan } from './throttle.ts';

/** DESIGN §4, and an hour tier above it so that 30 days open at once. Each keeps minimum, mean and maximum. */
export type HistoryTier = '1s' | '10s' | '1min' | '1h';

export const tierStepMs: Readonly<Record<HistoryTier, number>> = {
  '1s': 1000,
  '10s': 10_000,
  '1min': 60_000,
  '1h': 3_600_000,
};

/** How far back each tier reaches. `1s` lives in memory only. */
export const tierKeptMs: Readonly<Record<HistoryTier, number>> = {
  '1s': 15 * 60_000,
  '10s': 6 * 3_600_000,
  '1min': 30 * 86_400_000,
  '1h': 30 * 86_400_000,
};

/** One metric over the buckets of its GPU. NaN: nothing was reported in that bucket. */
export interface BucketColumns {
  readonly min: Float32Array;
  readonly mean: Float32Array;
  readonly max: Float32Array;
}

/** One GPU's part of an answer. Buckets in which it said nothing at all are not there: a gap is a gap. */
export interface GpuHistory {
  readonly gpu: GpuKey;
  /** Its index when it was last seen; null: not known any more. */
  readonly index: number | null;
  readonly name: string | null;
  /** Where each bucket begins, oldest first. */
  readonly atMs: Float64Array;
  readonly columns: Readonly<Partial<Record<Metric, BucketColumns>>>;
  readonly throttle: readonly ThrottleSpan[];
}

/** A time without any reading of the box, and why, as far as it was noted. */
export interface HistoryGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: GapReason;
}

export type GapReason =
  | 'link-down'
  | 'app-closed'
  | 'not-connected'
  | 'stream-failed'
  | 'clock-jump'
  | 'box-restarted'
  | 'unknown';

export const gapWords: Readonly<Record<GapReason, string>> = {
  'link-down': 'the connection was down',
  'app-closed': 'Leasehold was closed',
  'not-connected': 'the box was not connected',
  'stream-failed': 'the box gave no readings',
  'clock-jump': 'this machine slept, or its clock was set',
  'box-restarted': 'the box restarted',
  unknown: 'nothing was recorded, and it is not known why',
};

export interface HistoryAnswer {
  readonly fromMs: number;
  readonly toMs: number;
  /** What the points were made from. */
  readonly tier: HistoryTier;
  /** Each point stands for so much time; a multiple of the tier's step. */
  readonly bucketMs: number;
  readonly gpus: readonly GpuHistory[];
  readonly gaps: readonly HistoryGap[];
  readonly marks: readonly TelemetryMark[];
  /** False: what was read could not be kept (disk full …) since then; live charts go on. */
  readonly isKept: boolean;
}

export type PictureOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'saved'; readonly file: string; readonly bytes: number };

/** `saved`: the file was written whole and read back to its length. */
export type ExportOutcome =
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'saved';
      readonly file: string;
      readonly rows: number;
      readonly bytes: number;
      readonly tier: HistoryTier;
    };
