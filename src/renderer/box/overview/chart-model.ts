import { alignSeries, downsample, type Series } from '../../../shared/telemetry/downsample.ts';
import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import type { GpuPast } from '../../../shared/streams/readings-stream.ts';
import { metrics, type Metric } from '../../../shared/telemetry/reading-ring.ts';
import { chartKinds, type ChartKind } from './charts.ts';
import { axisSpanMs, MAX_POINTS, usualStepMs, type TimeAxis } from './time-axis.ts';

/** Recharts makes objects for each point of each line, and eight overlaid lines hide the finer detail anyway. */
const MAX_POINTS_OVERLAID = 160;
/** A line bridges this many missed samples, no more. */
const GAP_SAMPLES = 3.5;

export type ShownGpus = 'all' | number;

export interface ChartLine {
  /** Key of its values in the rows. */
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly gpuIndex: number;
  readonly metric: Metric;
  /** Where its raw samples are in the model's `samples.columns`. */
  readonly column: number;
}

/** One row of a drawn chart: a time and a value per line; null breaks the line. */
export type ChartRow = Readonly<Record<string, number | null>>;

export interface Chart {
  readonly kind: ChartKind;
  readonly unit: string;
  readonly decimals: number;
  readonly divisor: number;
  readonly lines: readonly ChartLine[];
  readonly rows: readonly ChartRow[];
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** In the shown unit; null when unknown, or not the same for all GPUs that are drawn. */
  readonly limit: number | null;
}

export interface OverviewModel extends TimeAxis {
  readonly gpuIndexes: readonly number[];
  /** Every sample of the drawn GPUs on one axis, in the readings' units. */
  readonly samples: Series;
  /** The usual time between two samples. */
  readonly stepMs: number;
  readonly charts: readonly Chart[];
}

interface OverviewInput {
  readonly past: ReadonlyMap<number, Pick<GpuPast, 'ring'>>;
  readonly gpus: readonly GpuFacts[] | null;
  readonly choice: ShownGpus;
  /** At most this much of the past is drawn. */
  readonly rangeMs: number;
  readonly toMs: number;
}

/** Everything that the six charts draw, computed once for all of them. */
export function buildOverview({ past, gpus, choice, rangeMs, toMs }: OverviewInput): OverviewModel {
  const gpuIndexes = [...past.keys()]
    .filter((index) => choice === 'all' || index === choice)
    .sort((a, b) => a - b);
  const samples = alignSeries(
    gpuIndexes.map((index) => {
      const { atMs, values } = (past.get(index) as GpuPast).ring.columns();
      return { atMs, columns: metrics.map((metric) => values[metric]) };
    }),
  );
  const stepMs = usualStepMs(samples.atMs);
  const fromMs = toMs - axisSpanMs(toMs - (samples.atMs[0] ?? toMs), rangeMs);
  const gapMs = stepMs * GAP_SAMPLES;
  const maxPoints = gpuIndexes.length > 2 ? MAX_POINTS_OVERLAID : MAX_POINTS;
  const drawn = downsample(samples, { fromMs, toMs, maxPoints, gapMs });
  const facts = gpuIndexes.map((index) => gpus?.find((gpu) => gpu.index === index) ?? null);
  const charts = chartKinds.map((kind) => buildChart(kind, gpuIndexes, facts, drawn));
  return { fromMs, toMs, gpuIndexes, samples, stepMs, charts };
}

function buildChart(
  kind: ChartKind,
  gpuIndexes: readonly number[],
  facts: readonly (GpuFacts | null)[],
  drawn: Series,
): Chart {
  const lines = linesOf(kind, gpuIndexes);
  const dataMax = maxOfColumns(lines.map(({ column }) => drawn.columns[column] ?? []));
  const { unit, divisor, decimals } = shownUnit(kind, dataMax);
  const limits = facts.map((gpu) => (gpu === null ? null : kind.limitOf(gpu)));
  const [firstLimit = null] = limits;
  const isShared = firstLimit !== null && limits.every((limit) => limit === firstLimit);
  const top = Math.max(dataMax, ...limits.map((limit) => limit ?? 0)) / divisor;
  return {
    kind,
    unit,
    decimals,
    divisor,
    lines,
    rows: rowsOf(lines, drawn, divisor),
    ...axisOf(kind, top),
    limit: isShared ? firstLimit / divisor : null,
  };
}

/** One GPU: all lines of the chart. Several: the first metric of each, in the GPU's colour. */
function linesOf(kind: ChartKind, gpuIndexes: readonly number[]): readonly ChartLine[] {
  const { label, colour, metric, second } = kind;
  const placed = (position: number, of: Metric) => ({
    gpuIndex: gpuIndexes[position] ?? 0,
    metric: of,
    column: position * metrics.length + metrics.indexOf(of),
  });
  if (gpuIndexes.length !== 1) {
    return gpuIndexes.map((index, position) => ({
      key: `gpu${index}`,
      label: `GPU ${index}`,
      colour: gpuColour(index),
      ...placed(position, metric),
    }));
  }
  const first = { key: metric, label, colour, ...placed(0, metric) };
  return second === null
    ? [first]
    : [first, { key: second.metric, ...second, ...placed(0, second.metric) }];
}

const GPU_COLOURS = 8;

export function gpuColour(index: number): string {
  return `var(--gpu-${index % GPU_COLOURS})`;
}

function rowsOf(lines: readonly ChartLine[], drawn: Series, divisor: number): readonly ChartRow[] {
  return Array.from(drawn.atMs, (atMs, i) => {
    const row: Record<string, number | null> = { atMs };
    for (const { key, column } of lines) {
      const value = drawn.columns[column]?.[i] ?? NaN;
      row[key] = Number.isNaN(value) ? null : value / divisor;
    }
    return row;
  });
}

/** PCIe traffic spans four orders of magnitude; the others keep their unit. */
function shownUnit(kind: ChartKind, dataMax: number): Pick<Chart, 'unit' | 'divisor' | 'decimals'> {
  if (kind.id === 'pcie' && dataMax >= 1000) return { unit: 'GB/s', divisor: 1000, decimals: 2 };
  return kind;
}

const HEADROOM = 1.04;
const LEAST_TOP = 10;

function axisOf(kind: ChartKind, top: number): Pick<Chart, 'min' | 'max' | 'ticks'> {
  if (kind.axis !== null && top <= kind.axis.max) return kind.axis;
  const max = Math.max(top, kind.unit === 'MB/s' && top === 0 ? LEAST_TOP : top || 1) * HEADROOM;
  const step = tickStep(max);
  const ticks: number[] = [];
  for (let tick = 0; tick <= max; tick += step) ticks.push(tick);
  return { min: 0, max, ticks };
}

/** Three to five ticks, 0 included. */
function tickStep(max: number): number {
  const step = niceStep(max / HEADROOM / 3);
  return max / step < 2 ? niceStep(max / HEADROOM / 4) : step;
}

/** The smallest of 1, 2, 2.5, 4, 5, 10 × 10ⁿ that is not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 4, 5].find((each) => each * power >= least) ?? 10;
  return factor * power;
}

function maxOfColumns(columns: readonly ArrayLike<number>[]): number {
  let max = 0;
  for (const column of columns) {
    for (let i = 0; i < column.length; i += 1) max = Math.max(max, column[i] || 0);
  }
  return max;
}

/** The sample that is nearest to a time, or -1 if there is none close enough to speak for it. */
export function sampleAt({ samples, stepMs }: OverviewModel, atMs: number): number {
  let best = -1;
  let bestDistance = (stepMs * GAP_SAMPLES) / 2;
  for (let i = 0; i < samples.atMs.length; i += 1) {
    const distance = Math.abs((samples.atMs[i] ?? Infinity) - atMs);
    if (distance <= bestDistance) {
      best = i;
      bestDistance = distance;
    }
  }
  return best;
}

/** One line per GPU instead of one per metric. */
export function isOverlaid({ lines }: Chart): boolean {
  return lines[0]?.key.startsWith('gpu') ?? false;
}
