import { downsample } from '../../../shared/telemetry/downsample.ts';
import type { GpuDetails, GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import { chartKinds, type ChartKind, type Limit } from './charts.ts';
import { GAP_POINTS, valueAt, type GpuSeries } from './gpu-series.ts';
import { MAX_POINTS, type TimeAxis } from './time-axis.ts';
import { valueAxis, type ValueAxis } from './value-axis.ts';

/** All GPUs over each other, or one of them by its index. */
export type ShownGpus = 'all' | number;

export interface ChartLine {
  readonly key: string;
  readonly label: string;
  /** The token of its colour. */
  readonly colour: string;
  readonly metric: Metric;
  readonly series: GpuSeries;
  readonly atMs: readonly number[];
  /** In the shown unit; NaN breaks the line. */
  readonly values: readonly number[];
  /** The lowest and the highest of each point, where it stands for more than one sample. */
  readonly envelope: { readonly min: readonly number[]; readonly max: readonly number[] } | null;
}

export interface Chart extends ValueAxis {
  readonly kind: ChartKind;
  readonly unit: string;
  readonly decimals: number;
  readonly divisor: number;
  readonly lines: readonly ChartLine[];
  /** One line per GPU instead of one per metric. */
  readonly isOverlaid: boolean;
  /** In the shown unit; null when unknown, or not the same for all GPUs that are drawn. */
  readonly limit: Limit | null;
}

/** What is known of the cards: limits, mostly. */
export interface CardFacts {
  readonly gpus: readonly GpuFacts[] | null;
  readonly details: readonly GpuDetails[] | null;
}

/** The six charts of a window, of the series that are to be shown. */
export function buildCharts(
  series: readonly GpuSeries[],
  cards: CardFacts,
  axis: TimeAxis,
): readonly Chart[] {
  const isOverlaid = new Set(series.map(({ index }) => index)).size !== 1;
  const wanted = chartKinds.flatMap((kind) =>
    partsOf(kind, isOverlaid).map(({ metric }) => metric),
  );
  const drawn = series.map((each) => drawSeries(each, axis, wanted));
  return chartKinds.map((kind) => buildChart(kind, series, drawn, cards, isOverlaid));
}

/** One GPU: all lines of the chart. Several: the first metric of each, in the GPU's colour. */
function partsOf(
  kind: ChartKind,
  isOverlaid: boolean,
): readonly Pick<ChartKind, 'metric' | 'label' | 'colour'>[] {
  return kind.second === null || isOverlaid ? [kind] : [kind, kind.second];
}

export function selectSeries(all: readonly GpuSeries[], shown: ShownGpus): readonly GpuSeries[] {
  return shown === 'all' ? all : all.filter(({ index }) => index === shown);
}

function buildChart(
  kind: ChartKind,
  series: readonly GpuSeries[],
  drawn: readonly DrawnGpu[],
  cards: CardFacts,
  isOverlaid: boolean,
): Chart {
  const raw = linesOf(kind, series, drawn, isOverlaid);
  const dataMax = Math.max(0, ...raw.map(highestOf));
  const { unit, divisor, decimals } = shownUnit(kind, dataMax);
  const limits = series.map((each) => limitOf(kind, each, cards));
  const top = Math.max(dataMax, ...limits.map((limit) => limit?.value ?? 0)) / divisor;
  return {
    kind,
    unit,
    decimals,
    divisor,
    isOverlaid,
    lines: raw.map((line) => scaled(line, divisor)),
    ...valueAxis(kind, unit, top),
    limit: commonLimit(limits, divisor),
  };
}

function linesOf(
  kind: ChartKind,
  series: readonly GpuSeries[],
  drawn: readonly DrawnGpu[],
  isOverlaid: boolean,
): readonly ChartLine[] {
  const parts = partsOf(kind, isOverlaid);
  return series.flatMap((each, i) =>
    parts.map(({ metric, label, colour }): ChartLine => ({
      key: `${each.gpu} ${metric}`,
      label: isOverlaid ? gpuLabel(each.index) : label,
      colour: isOverlaid ? gpuColour(each.index) : colour,
      metric,
      series: each,
      ...(drawn[i]?.(metric) ?? NOTHING_DRAWN),
    })),
  );
}

export function gpuLabel(index: number | null): string {
  return index === null ? 'an earlier GPU' : `GPU ${String(index)}`;
}

const GPU_COLOURS = 8;

/** The token of the colour of a GPU's lines. */
export function gpuColour(index: number | null): string {
  return index === null ? '--text-faint' : `--gpu-${String(index % GPU_COLOURS)}`;
}

type Drawn = Pick<ChartLine, 'atMs' | 'values' | 'envelope'>;
type DrawnGpu = (metric: Metric) => Drawn;

const NOTHING_DRAWN: Drawn = { atMs: [], values: [], envelope: null };

function drawSeries(series: GpuSeries, axis: TimeAxis, wanted: readonly Metric[]): DrawnGpu {
  return series.isSampled ? drawSamples(series, axis, wanted) : drawBuckets(series);
}

/** Thinned out for the width of a chart, each bucket's lowest and highest in their order: a line through single samples. */
function drawSamples(
  { atMs, stepMs, columns }: GpuSeries,
  axis: TimeAxis,
  wanted: readonly Metric[],
): DrawnGpu {
  // Two more at the edge, so that lines enter the chart and do not begin in it.
  const fromMs = axis.fromMs - 2 * stepMs;
  const thinned = downsample(
    { atMs, columns: wanted.map((metric) => columns[metric]?.mean ?? []) },
    { fromMs, toMs: axis.toMs, maxPoints: MAX_POINTS, gapMs: stepMs * GAP_POINTS },
  );
  return (metric) => ({
    atMs: thinned.atMs,
    values: thinned.columns[wanted.indexOf(metric)] ?? [],
    envelope: null,
  });
}

/** A line through the means, and around it the room between lowest and highest. */
function drawBuckets({ atMs, stepMs, columns }: GpuSeries): DrawnGpu {
  const places: number[] = [];
  const drawnAt: number[] = [];
  for (let i = 0; i < atMs.length; i += 1) {
    const [before, at] = [atMs[i - 1], atMs[i] ?? NaN];
    if (before !== undefined && at - before > stepMs * GAP_POINTS) {
      places.push(-1);
      drawnAt.push((before + at) / 2);
    }
    places.push(i);
    drawnAt.push(at);
  }
  const pick = (column: ArrayLike<number> | undefined): number[] =>
    places.map((i) => (i === -1 ? NaN : (column?.[i] ?? NaN)));
  return (metric) => {
    const { min, mean, max } = columns[metric] ?? {};
    return {
      atMs: drawnAt,
      values: pick(mean),
      envelope: { min: pick(min), max: pick(max) },
    };
  };
}

function scaled(line: ChartLine, divisor: number): ChartLine {
  if (divisor === 1) return line;
  const scale = (values: readonly number[]): readonly number[] =>
    values.map((value) => value / divisor);
  const { envelope } = line;
  return {
    ...line,
    values: scale(line.values),
    envelope: envelope && { min: scale(envelope.min), max: scale(envelope.max) },
  };
}

function highestOf({ values, envelope }: ChartLine): number {
  const column = envelope?.max ?? values;
  let highest = 0;
  // By its place: an iterator would make an object for each point of each line.
  for (let i = 0; i < column.length; i += 1) highest = Math.max(highest, column[i] || 0);
  return highest;
}

/** PCIe traffic spans four orders of magnitude; the others keep their unit. */
function shownUnit(kind: ChartKind, dataMax: number): Pick<Chart, 'unit' | 'divisor' | 'decimals'> {
  if (kind.id === 'pcie' && dataMax >= 1000) return { unit: 'GB/s', divisor: 1000, decimals: 2 };
  return kind;
}

function limitOf(kind: ChartKind, series: GpuSeries, cards: CardFacts): Limit | null {
  const facts = cards.gpus?.find(({ index }) => index === series.index);
  const details = cards.details?.find(({ index }) => index === series.index) ?? null;
  return facts === undefined ? null : kind.limitOf(facts, details);
}

function commonLimit(limits: readonly (Limit | null)[], divisor: number): Limit | null {
  const [first = null] = limits;
  if (first === null || !limits.every((limit) => limit?.value === first.value)) return null;
  return { ...first, value: first.value / divisor };
}

/** What each line shows at a time, in the shown unit; null: not reported, or nothing near. */
export function valuesAt({ lines, divisor }: Chart, atMs: number): readonly (number | null)[] {
  return lines.map(({ series, metric }) => {
    const value = valueAt(series, metric, atMs);
    return Number.isNaN(value) ? null : value / divisor;
  });
}
