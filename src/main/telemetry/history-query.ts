import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { GpuPast, ReadingsState } from '../../shared/streams/readings-stream.ts';
import { gpuKeyOf, type GpuKey } from '../../shared/telemetry/gpu-facts.ts';
import type { BoxBucket } from '../../shared/telemetry/history-codec.ts';
import type { GpuPoints } from '../../shared/telemetry/history-csv.ts';
import {
  bucketMsFor,
  chooseTier,
  thinOut,
  within,
  type TierColumns,
} from '../../shared/telemetry/history-points.ts';
import {
  tierStepMs,
  type GpuHistory,
  type HistoryAnswer,
  type HistoryTier,
} from '../../shared/telemetry/history.ts';
import type { HistoryExport, HistoryQuery } from '../../shared/telemetry/history-requests.ts';
import type { Metric } from '../../shared/telemetry/reading-ring.ts';
import type { BoxHistory } from './box-history.ts';
import type { StoredStepS } from '../storage/history-table.ts';

/** The past of one box: the last minutes in memory, and the rest. */
export interface BoxPast {
  readonly readings: ReadingsState;
  readonly history: BoxHistory;
}

/** An export of more points than this would be unreadable anyway, and is what a coarser tier is for. */
const EXPORT_POINTS = 50_000;

export async function queryHistory(
  past: BoxPast,
  query: HistoryQuery,
  nowMs: number,
): Promise<Result<Omit<HistoryAnswer, 'isKept'>, Problem>> {
  const { fromMs, toMs, maxPoints, metrics } = query;
  const tier = tierOf(past, query, maxPoints, nowMs);
  const bucketMs = bucketMsFor(query, maxPoints, tierStepMs[tier]);
  const points = await pointsOf(past, tier, query, metrics);
  if (!points.ok) return points;
  const gaps = past.history.gaps(query, nowMs);
  if (!gaps.ok) return gaps;
  const marks = past.history.marks(query);
  if (!marks.ok) return marks;
  const spans = past.history.throttle(query);
  if (!spans.ok) return spans;
  const gpus = asked(points.value, query.gpus).map(
    ({ gpu, index, points: columns }): GpuHistory => {
      const known = past.history.gpus.find((each) => each.gpu === gpu);
      return {
        gpu,
        index,
        name: known?.name ?? null,
        ...thinOut(columns, query, bucketMs),
        throttle: spans.value
          .filter(({ slot }) => slot === known?.slot)
          .map(({ slot: _slot, ...span }) => span),
      };
    },
  );
  return ok({ fromMs, toMs, tier, bucketMs, gpus, gaps: gaps.value, marks: marks.value });
}

/** Every stored point of a range, in the finest tier that reaches back to its beginning. */
export async function exportPoints(
  past: BoxPast,
  request: HistoryExport,
  nowMs: number,
): Promise<Result<{ readonly tier: HistoryTier; readonly gpus: readonly GpuPoints[] }, Problem>> {
  const tier = tierOf(past, request, EXPORT_POINTS, nowMs);
  const points = await pointsOf(past, tier, request, request.metrics);
  if (!points.ok) return points;
  const gpus = asked(points.value, request.gpus).map((each) => ({
    ...each,
    points: within(each.points, request),
  }));
  return ok({ tier, gpus });
}

function tierOf(
  { readings, history }: BoxPast,
  range: { readonly fromMs: number; readonly toMs: number },
  maxPoints: number,
  nowMs: number,
): HistoryTier {
  const oldest = [...readings.gpus.values()].flatMap(({ ring }) => ring.oldestMs ?? []);
  return chooseTier({
    ...range,
    maxPoints,
    nowMs,
    inMemoryFromMs: oldest.length === 0 ? null : Math.min(...oldest),
    storedToMs: history.lastStoredMs,
  });
}

async function pointsOf(
  { readings, history }: BoxPast,
  tier: HistoryTier,
  range: { readonly fromMs: number; readonly toMs: number },
  metrics: readonly Metric[],
): Promise<Result<readonly GpuPoints[], Problem>> {
  if (tier === '1s') {
    return ok(
      [...readings.gpus].map(([index, past]) => ({
        gpu: gpuKeyOf(index, past.uuid),
        index,
        points: samplesOf(past, metrics),
      })),
    );
  }
  const stepS = (tierStepMs[tier] / 1000) as StoredStepS;
  const buckets = await history.buckets(stepS, range, metrics);
  if (!buckets.ok) return buckets;
  return ok(
    history.gpus.map(({ slot, gpu, index }) => ({
      gpu,
      index,
      points: columnsOf(buckets.value, slot, metrics),
    })),
  );
}

function asked(gpus: readonly GpuPoints[], keys: readonly GpuKey[] | null): readonly GpuPoints[] {
  return gpus.filter(({ gpu, points }) =>
    keys === null ? points.atMs.length > 0 : keys.includes(gpu),
  );
}

function samplesOf({ ring }: GpuPast, metrics: readonly Metric[]): TierColumns {
  const { atMs, values } = ring.columns();
  const columns = metrics.map((metric) => {
    const samples = values[metric];
    return [metric, { min: samples, mean: samples, max: samples }] as const;
  });
  return { atMs, counts: null, columns: Object.fromEntries(columns) };
}

function columnsOf(
  buckets: readonly BoxBucket[],
  slot: number,
  metrics: readonly Metric[],
): TierColumns {
  const own = buckets.flatMap(({ startMs, gpus }) => {
    const gpu = gpus.find((each) => each.slot === slot);
    return gpu === undefined ? [] : [{ startMs, gpu }];
  });
  const side = (metric: Metric, name: 'min' | 'mean' | 'max'): Float32Array =>
    Float32Array.from(own, ({ gpu }) => gpu.values[metric]?.[name] ?? NaN);
  return {
    atMs: Float64Array.from(own, ({ startMs }) => startMs),
    counts: own.map(({ gpu }) => gpu.count),
    columns: Object.fromEntries(
      metrics.map((metric) => [
        metric,
        { min: side(metric, 'min'), mean: side(metric, 'mean'), max: side(metric, 'max') },
      ]),
    ),
  };
}
