import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { BucketFold, mergeBuckets } from '../../shared/telemetry/bucket-fold.ts';
import {
  decodeBuckets,
  encodeBuckets,
  type BoxBucket,
} from '../../shared/telemetry/history-codec.ts';
import type { Metric } from '../../shared/telemetry/reading-ring.ts';
import type { HistoryRecord, HistoryTable, StoredStepS } from '../storage/history-table.ts';

/** Minutes of an hour, and what a clock that was set may have left beside them. */
const MAX_RECORDS_OF_HOUR = 130;

export function record(
  stepS: StoredStepS,
  startMs: number,
  buckets: readonly BoxBucket[],
): HistoryRecord {
  return { stepS, startS: startMs / 1000, bytes: encodeBuckets(buckets, startMs, stepS * 1000) };
}

export function decoded(
  { stepS, startS, bytes }: HistoryRecord,
  metrics?: readonly Metric[],
): readonly BoxBucket[] {
  // A damaged record tells nothing, and shows as what it is: a time of which nothing is known.
  return decodeBuckets(bytes, startS * 1000, stepS * 1000, metrics) ?? [];
}

/** Usually the second follows the first; after a clock that went back they overlap. */
export function joined(
  earlier: readonly BoxBucket[],
  later: readonly BoxBucket[],
): readonly BoxBucket[] {
  const all = [...earlier, ...later];
  const isInOrder = all.every(({ startMs }, i) => i === 0 || startMs > (all[i - 1]?.startMs ?? 0));
  return isInOrder ? all : mergeBuckets(all, []);
}

export function toHours(minutes: readonly BoxBucket[]): readonly BoxBucket[] {
  const folds = new Map<number, BucketFold>();
  for (const minute of minutes) {
    const startMs = Math.floor(minute.startMs / 3_600_000) * 3_600_000;
    let fold = folds.get(startMs);
    if (fold === undefined) folds.set(startMs, (fold = new BucketFold(startMs)));
    fold.addBucket(minute);
  }
  return [...folds.values()].map((fold) => fold.bucket());
}

/** Folds the minutes of one hour into it, and packs them into one record. */
export function packHour(table: HistoryTable, box: number, beginS: number): Result<null, Problem> {
  const range = { fromMs: beginS * 1000, toMs: beginS * 1000 + 3_599_999, afterS: beginS - 1 };
  const read = table.read(box, 60, range, MAX_RECORDS_OF_HOUR);
  if (!read.ok) return read;
  const minutes = joined(
    read.value.flatMap((each) => decoded(each)),
    [],
  );
  const [hour] = toHours(minutes);
  if (hour === undefined) return ok(null);
  return table.packHour(
    box,
    record(60, beginS * 1000, minutes),
    record(3600, beginS * 1000, [hour]),
  );
}

/** When the newest stored sample was, to ten seconds; null: nothing is stored. */
export function lastStored(table: HistoryTable, box: number): Result<number | null, Problem> {
  const newest = table.newest(box, 60);
  if (!newest.ok || newest.value === null) return newest;
  const minuteMs = newest.value * 1000;
  const range = { fromMs: minuteMs, toMs: minuteMs + 59_999, afterS: newest.value - 1 };
  const tens = table.read(box, 10, range, 1);
  if (!tens.ok) return tens;
  const last = tens.value.flatMap((each) => decoded(each)).at(-1);
  // Ten-second records are kept for some hours only; after that a minute is near enough.
  return ok(last === undefined ? minuteMs + 60_000 : last.startMs + 10_000);
}
