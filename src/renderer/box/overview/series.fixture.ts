import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import type { GpuReading } from '../../../shared/telemetry/gpu-reading.ts';
import type { GpuHistory, HistoryAnswer } from '../../../shared/telemetry/history.ts';
import { ReadingRing, type Metric } from '../../../shared/telemetry/reading-ring.ts';
import type { ThrottleSpan } from '../../../shared/telemetry/throttle.ts';
import { sampleGpu, sampleReading } from '../../fleet/fleet-entry.fixture.ts';
import type { GpuChoice } from './gpu-choice.ts';
import { buildOverview, type OverviewInput, type OverviewModel } from './overview-model.ts';

/** One sample a second from `fromMs` on. */
export function ringOf(
  count: number,
  partAt: (i: number) => Partial<GpuReading> = () => ({}),
  fromMs = 0,
): ReadingRing {
  const ring = new ReadingRing();
  for (let i = 0; i < count; i += 1) ring.push(fromMs + i * 1000, sampleReading(partAt(i)));
  return ring;
}

export function readingsOf(
  rings: readonly ReadingRing[],
  throttle: readonly ThrottleSpan[] = [],
): ReadingsState {
  const gpus = rings.map((ring, index) => {
    const uuid = `GPU-${String(index)}`;
    return [index, { uuid, ring, throttle: index === 0 ? throttle : [] }] as const;
  });
  const newest = rings.flatMap((ring) => ring.columns().atMs.at(-1) ?? []);
  return { gpus: new Map(gpus), lastAtMs: newest.length === 0 ? null : Math.max(...newest) };
}

type Bucket = readonly [min: number, mean: number, max: number];

/** A stored past with one bucket each minute. */
export function storedGpu(
  index: number,
  fromMs: number,
  buckets: readonly Bucket[],
  metric: Metric = 'smPct',
): GpuHistory {
  const side = (place: 0 | 1 | 2): Float32Array =>
    Float32Array.from(buckets, (each) => each[place]);
  return {
    gpu: `GPU-${String(index)}`,
    index,
    name: null,
    atMs: Float64Array.from(buckets, (_, i) => fromMs + i * 60_000),
    columns: { [metric]: { min: side(0), mean: side(1), max: side(2) } },
    throttle: [],
  };
}

export function answerOf(part: Partial<HistoryAnswer> = {}): HistoryAnswer {
  return {
    fromMs: 0,
    toMs: 3_600_000,
    tier: '1min',
    bucketMs: 60_000,
    gpus: [],
    gaps: [],
    marks: [],
    isKept: true,
    ...part,
  };
}

export function modelOf(
  rings: readonly ReadingRing[],
  choice: GpuChoice = 'all',
  part: Partial<OverviewInput> = {},
): OverviewModel {
  return buildOverview({
    axis: { fromMs: -1000, toMs: 299_000 },
    isLive: true,
    readings: readingsOf(rings),
    answer: null,
    cards: { gpus: rings.map((_, index) => sampleGpu({ index })), details: null },
    choice,
    liveMarks: [],
    runMarks: [],
    findings: [],
    silentBecause: null,
    ...part,
  });
}
