import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { GpuPast } from '../../shared/streams/readings-stream.ts';
import { gpuKeyOf } from '../../shared/telemetry/gpu-facts.ts';
import {
  tierStepMs,
  type ExportOutcome,
  type GpuHistory,
  type HistoryAnswer,
  type HistoryExport,
  type HistoryQuery,
} from '../../shared/telemetry/history.ts';
import { csvHeader, csvLines } from '../../shared/telemetry/history-csv.ts';
import {
  bucketMsFor,
  thinOut,
  within,
  type TierColumns,
} from '../../shared/telemetry/history-points.ts';
import type { Metric } from '../../shared/telemetry/reading-ring.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { writeLines } from './history-export.ts';
import { BoxTelemetry, type BoxTelemetryOptions } from './box-telemetry.ts';

/** The GPUs of all boxes: what they do now, and what they did. */
export class Telemetry {
  readonly #hub: StreamHub;
  readonly #boxes = new Map<string, BoxTelemetry>();

  constructor({ hub }: { readonly hub: StreamHub }) {
    this.#hub = hub;
  }

  /** Reads a box's GPUs while its link is up, until it is closed. */
  follow(options: Omit<BoxTelemetryOptions, 'hub'>): Pick<BoxTelemetry, 'useConnection' | 'close'> {
    const telemetry = new BoxTelemetry({ ...options, hub: this.#hub });
    this.#boxes.set(options.boxId, telemetry);
    return {
      useConnection: (connection) => telemetry.useConnection(connection),
      close: () => {
        this.#boxes.delete(options.boxId);
        telemetry.close();
      },
    };
  }

  query(query: HistoryQuery): Result<HistoryAnswer, Problem> {
    const box = this.#boxes.get(query.boxId);
    if (box === undefined) return noSuchBox();
    const tier = '1s';
    const bucketMs = bucketMsFor(query, query.maxPoints, tierStepMs[tier]);
    const gpus = [...box.readings.gpus].flatMap(([index, past]) => {
      const history = recentOf(index, past, query, bucketMs);
      return query.gpus === null || query.gpus.includes(history.gpu) ? [history] : [];
    });
    const { fromMs, toMs } = query;
    return ok({ fromMs, toMs, tier, bucketMs, gpus, gaps: [], marks: [], isKept: true });
  }

  /** Writes every stored point of the range to `file`. */
  async exportCsv(request: HistoryExport, file: string): Promise<Result<ExportOutcome, Problem>> {
    const box = this.#boxes.get(request.boxId);
    if (box === undefined) return noSuchBox();
    const tier = '1s';
    const gpus = [...box.readings.gpus].map(([index, past]) => ({
      gpu: gpuKeyOf(index, past.uuid),
      index,
      points: within(samplesOf(past, request), request),
    }));
    const asked = gpus.filter(({ gpu }) => request.gpus?.includes(gpu) ?? true);
    const written = await writeLines(
      file,
      csvHeader(request.metrics, tier),
      asked.flatMap((points) => [...csvLines(points, request.metrics, tier)]),
    );
    return written.ok ? ok({ kind: 'saved', file, tier, ...written.value }) : written;
  }
}

/** From the samples of the last minutes, which are in memory. */
function recentOf(index: number, past: GpuPast, query: HistoryQuery, bucketMs: number): GpuHistory {
  return {
    gpu: gpuKeyOf(index, past.uuid),
    index,
    name: null,
    ...thinOut(samplesOf(past, query), query, bucketMs),
    throttle: past.throttle.filter(
      ({ fromMs, toMs }) => toMs >= query.fromMs && fromMs <= query.toMs,
    ),
  };
}

function samplesOf(
  { ring }: GpuPast,
  { metrics }: { readonly metrics: readonly Metric[] },
): TierColumns {
  const { atMs, values } = ring.columns();
  const columns = metrics.map((metric) => {
    const samples = values[metric];
    return [metric, { min: samples, mean: samples, max: samples }] as const;
  });
  return { atMs, counts: null, columns: Object.fromEntries(columns) };
}

function noSuchBox(): { readonly ok: false; readonly error: Problem } {
  return err(problem('no-such-box', 'This box is not in the list any more.'));
}
