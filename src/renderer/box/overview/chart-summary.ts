import {
  capital,
  formatDuration,
  formatNumber,
  formatQuantity,
  formatRange,
} from '../../ui/format.ts';
import type { Chart, ChartLine } from './chart-model.ts';
import { describeGaps, type GapSpan } from './gap-spans.ts';
import type { ThrottleBand } from './throttle-bands.ts';
import type { TimeAxis } from './time-axis.ts';

/** A line in numbers, in the shown unit. */
export interface LineFigures {
  readonly label: string;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
  readonly last: number;
  readonly trend: 'rising' | 'falling' | 'steady';
}

/** A change of less than this share of the axis is what any load does. */
const STEADY_SHARE = 0.05;

/** Null: nothing was reported in the window. */
export function figuresOf(line: ChartLine, chart: Chart, axis: TimeAxis): LineFigures | null {
  const { atMs, values, envelope, label } = line;
  const [lows, highs] = [envelope?.min ?? values, envelope?.max ?? values];
  const isInside = (i: number): boolean => {
    const at = atMs[i] ?? NaN;
    return at >= axis.fromMs && at <= axis.toMs && !Number.isNaN(values[i]);
  };
  let [count, sum, min, max, last] = [0, 0, Infinity, -Infinity, NaN];
  for (let i = 0; i < values.length; i += 1) {
    if (!isInside(i)) continue;
    last = values[i] ?? NaN;
    count += 1;
    sum += last;
    min = Math.min(min, lows[i] ?? NaN);
    max = Math.max(max, highs[i] ?? NaN);
  }
  if (count === 0) return null;
  const third = Math.max(1, Math.floor(count / 3));
  let [early, late, place] = [0, 0, 0];
  for (let i = 0; i < values.length; i += 1) {
    if (!isInside(i)) continue;
    if (place < third) early += values[i] ?? NaN;
    if (place >= count - third) late += values[i] ?? NaN;
    place += 1;
  }
  const change = (late - early) / third;
  const least = (chart.max - chart.min) * STEADY_SHARE;
  return {
    label,
    min,
    mean: sum / count,
    max,
    last,
    trend: Math.abs(change) < least ? 'steady' : change > 0 ? 'rising' : 'falling',
  };
}

export interface SummaryContext {
  readonly axis: TimeAxis;
  readonly isLive: boolean;
  readonly bands: readonly ThrottleBand[];
  readonly gaps: readonly GapSpan[];
}

/** The chart in sentences, for those who do not see it and for those who want the numbers. */
export function summariseChart(chart: Chart, context: SummaryContext): string {
  const { axis, bands, gaps } = context;
  const lines = chart.lines.map((line) => figuresOf(line, chart, axis));
  const known = lines.filter((figures) => figures !== null);
  const parts = chart.isOverlaid
    ? overlaidParts(chart, known, lines.length)
    : chart.lines.map((line, i) => linePart(chart, line, lines[i] ?? null));
  const sentences = [`${chart.kind.longTitle}, ${describeSpan(context)}`, ...parts];
  if (chart.kind.hasBands && bands.length > 0) sentences.push(describeBands(bands, axis));
  if (gaps.length > 0) sentences.push(describeGaps(gaps));
  return `${sentences.map(capital).join('. ')}.`;
}

export function describeSpan({ axis, isLive }: Pick<SummaryContext, 'axis' | 'isLive'>): string {
  const spanMs = axis.toMs - axis.fromMs;
  if (isLive) return `last ${formatDuration(spanMs)}`;
  return `${formatMoment(axis.fromMs, spanMs)} to ${formatMoment(axis.toMs, spanMs)}`;
}

const DAY_MS = 86_400_000;

/** With its date, unless it is today's. */
export function formatMoment(atMs: number, spanMs = 0): string {
  const at = new Date(atMs);
  const time = at.toLocaleTimeString('en-GB');
  const isToday = at.toDateString() === new Date().toDateString() && spanMs < DAY_MS;
  if (isToday) return time;
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time.slice(0, 5)}`;
}

function linePart(chart: Chart, line: ChartLine, figures: LineFigures | null): string {
  const name = line.label === '' ? '' : `${line.label}: `;
  if (figures === null) return `${name}not reported`;
  const { unit, decimals } = chart;
  const { min, mean, max, last, trend } = figures;
  return (
    `${name}${formatRange([min, max], unit, decimals)}, ` +
    `mean ${formatQuantity(mean, unit, decimals)}, ` +
    `last ${formatQuantity(last, unit, decimals)}, ${trend}`
  );
}

function overlaidParts(
  { unit, decimals }: Chart,
  known: readonly LineFigures[],
  count: number,
): readonly string[] {
  if (known.length === 0) return ['not reported'];
  const low = known.reduce((a, b) => (b.mean < a.mean ? b : a));
  const high = known.reduce((a, b) => (b.mean > a.mean ? b : a));
  const who = known.length === count ? `${count} GPUs` : `${known.length} of ${count} GPUs`;
  const range = formatRange(
    known.flatMap(({ min, max }) => [min, max]),
    unit,
    decimals,
  );
  const mean = meanOf(known.map((each) => each.mean));
  const all = `${who}: ${range}, mean ${formatQuantity(mean, unit, decimals)}`;
  const [least, most] = [low, high].map((each) => formatNumber(each.mean, decimals));
  // Cards that all do the same have no lowest one.
  if (least === most) return [all];
  return [
    all,
    `lowest mean ${low.label} (${String(least)}), highest ${high.label} (${String(most)})`,
  ];
}

function describeBands(bands: readonly ThrottleBand[], axis: TimeAxis): string {
  const byLabel = new Map<string, number>();
  for (const { label, fromMs, toMs } of bands) {
    const insideMs = Math.min(toMs, axis.toMs) - Math.max(fromMs, axis.fromMs);
    byLabel.set(label, (byLabel.get(label) ?? 0) + insideMs);
  }
  return `clock held: ${[...byLabel].map(([label, ms]) => `${label} for ${formatDuration(ms)}`).join(', ')}`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
