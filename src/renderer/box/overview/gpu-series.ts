import type { GpuPast, ReadingsState } from '../../../shared/streams/readings-stream.ts';
import { lowerBound } from '../../../shared/telemetry/downsample.ts';
import { gpuKeyOf, type GpuKey } from '../../../shared/telemetry/gpu-facts.ts';
import { bucketMsFor, thinOut } from '../../../shared/telemetry/history-points.ts';
import type {
  BucketColumns,
  GpuHistory,
  HistoryAnswer,
} from '../../../shared/telemetry/history.ts';
import { metrics, type Metric } from '../../../shared/telemetry/reading-ring.ts';
import type { ThrottleSpan } from '../../../shared/telemetry/throttle.ts';
import { MAX_POINTS, usualStepMs, type TimeAxis } from './time-axis.ts';

interface Sides {
  readonly min: ArrayLike<number>;
  readonly mean: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

/** One GPU's past in a window: single samples, or buckets that keep the lowest and the highest of theirs. */
export interface GpuSeries {
  readonly gpu: GpuKey;
  /** Where it was last seen; null: not known any more. */
  readonly index: number | null;
  /** The time of each sample, or the middle of each bucket; oldest first. */
  readonly atMs: ArrayLike<number>;
  /** For so long each point stands. */
  readonly stepMs: number;
  readonly isSampled: boolean;
  readonly columns: Readonly<Partial<Record<Metric, Sides>>>;
  readonly throttle: readonly ThrottleSpan[];
}

/** The ring may begin this much later than a window and still be all that there is to show. */
const REACH_SLACK_MS = 15_000;

/**
 * What a window shows of each GPU. The live rings alone where they reach back far enough; otherwise the buckets of the
 * history, and behind them the rings in buckets of the same width, so that the newest second is always there.
 */
export function gpuSeriesOf(
  axis: TimeAxis,
  readings: ReadingsState | null,
  answer: HistoryAnswer | null,
): readonly GpuSeries[] {
  const rings = [...(readings?.gpus ?? [])].filter(([, { ring }]) => ring.length > 0);
  const fromMs = Math.min(...rings.map(([, { ring }]) => ring.oldestMs ?? Infinity));
  const isReaching = fromMs <= axis.fromMs + REACH_SLACK_MS || !hasBefore(answer, fromMs);
  if (rings.length > 0 && isReaching) {
    return rings.map(([index, past]) => sampledSeries(index, past, answer));
  }
  if (answer === null) return [];
  const ringAt = new Map(rings.map(([index, past]) => [gpuKeyOf(index, past.uuid), past]));
  const bucketMs = Math.max(answer.bucketMs, bucketMsFor(axis, MAX_POINTS, 1000));
  const stored = answer.gpus.map((gpu) => joinedSeries(gpu, ringAt.get(gpu.gpu), answer, axis));
  const known = new Set(answer.gpus.map(({ gpu }) => gpu));
  const young = rings
    .filter(([index, { uuid }]) => !known.has(gpuKeyOf(index, uuid)))
    .map(([index, past]) =>
      joinedSeries(nothingOf(index, past), past, { ...answer, bucketMs }, axis),
    );
  return [...stored, ...young].sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity));
}

/** The history tells of a time before the rings begin. */
function hasBefore(answer: HistoryAnswer | null, fromMs: number): boolean {
  if (answer === null) return false;
  return answer.gpus.some(({ atMs }) => (atMs[0] ?? Infinity) + answer.bucketMs < fromMs);
}

function sampledSeries(index: number, past: GpuPast, answer: HistoryAnswer | null): GpuSeries {
  const { atMs, columns } = samplesOf(past);
  const gpu = gpuKeyOf(index, past.uuid);
  const stored = answer?.gpus.find((each) => each.gpu === gpu)?.throttle ?? [];
  const throttle = joinedSpans(stored, past.throttle);
  return { gpu, index, atMs, stepMs: usualStepMs(atMs), isSampled: true, columns, throttle };
}

function joinedSeries(
  stored: GpuHistory,
  past: GpuPast | undefined,
  { bucketMs }: HistoryAnswer,
  axis: TimeAxis,
): GpuSeries {
  const { gpu, index, throttle } = stored;
  const middle = (startMs: number): number => startMs + bucketMs / 2;
  const series = { gpu, index, stepMs: bucketMs, isSampled: false };
  const ringFromMs = past?.ring.oldestMs ?? null;
  if (past === undefined || ringFromMs === null) {
    const atMs = Float64Array.from(stored.atMs, middle);
    return { ...series, atMs, columns: stored.columns, throttle };
  }
  // From the first bucket on of which the ring holds everything.
  const cutMs = Math.ceil(ringFromMs / bucketMs) * bucketMs;
  const young = thinnedRing(past, cutMs, axis.toMs, bucketMs);
  const kept = lowerBound(stored.atMs, young.atMs[0] ?? Infinity);
  const atMs = Float64Array.from([...stored.atMs.subarray(0, kept), ...young.atMs], middle);
  const columns = Object.fromEntries(
    Object.entries(young.columns).map(([metric, column]) => [
      metric,
      joinedColumn(stored.columns[metric as Metric], column, kept),
    ]),
  );
  return { ...series, atMs, columns, throttle: joinedSpans(throttle, past.throttle) };
}

/** A sample is its own lowest and highest. */
function samplesOf({ ring }: GpuPast): Pick<GpuSeries, 'atMs' | 'columns'> {
  const { atMs, values } = ring.columns();
  const columns: Partial<Record<Metric, Sides>> = {};
  for (const metric of metrics) {
    const column = values[metric];
    columns[metric] = { min: column, mean: column, max: column };
  }
  return { atMs, columns };
}

function thinnedRing(past: GpuPast, fromMs: number, toMs: number, bucketMs: number) {
  return thinOut({ ...samplesOf(past), counts: null }, { fromMs, toMs }, bucketMs);
}

function joinedColumn(
  older: BucketColumns | undefined,
  young: BucketColumns,
  kept: number,
): BucketColumns {
  const join = (side: keyof BucketColumns): Float32Array => {
    const joined = new Float32Array(kept + young[side].length).fill(NaN);
    if (older !== undefined) joined.set(older[side].subarray(0, kept));
    joined.set(young[side], kept);
    return joined;
  };
  return { min: join('min'), mean: join('mean'), max: join('max') };
}

function nothingOf(index: number, { uuid }: GpuPast): GpuHistory {
  const gpu = gpuKeyOf(index, uuid);
  return { gpu, index, name: null, atMs: new Float64Array(), columns: {}, throttle: [] };
}

/** Both tell of the same session; the live ones reach further. */
function joinedSpans(
  stored: readonly ThrottleSpan[],
  live: readonly ThrottleSpan[],
): readonly ThrottleSpan[] {
  const beginMs = live[0]?.fromMs ?? Infinity;
  return [...stored.filter(({ fromMs }) => fromMs < beginMs), ...live];
}

/** A line bridges this many missed points, no more. */
export const GAP_POINTS = 3.5;

/** The point that is nearest to a time, or -1 if there is none close enough to speak for it. */
export function pointAt({ atMs, stepMs }: GpuSeries, wantedMs: number): number {
  const after = lowerBound(atMs, wantedMs);
  const distance = (i: number): number => Math.abs((atMs[i] ?? Infinity) - wantedMs);
  const nearest = distance(after) < distance(after - 1) ? after : after - 1;
  return distance(nearest) <= (stepMs * GAP_POINTS) / 2 ? nearest : -1;
}

/** NaN: not reported, or nothing near. */
export function valueAt(series: GpuSeries, metric: Metric, wantedMs: number): number {
  const point = pointAt(series, wantedMs);
  return point === -1 ? NaN : (series.columns[metric]?.mean[point] ?? NaN);
}
