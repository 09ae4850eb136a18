import { isoUtc } from '../../../../../shared/iso-time.ts';
import { csvText } from '../../../../../shared/csv-text.ts';
import { kindOf, type MetricKind } from '../../../../../shared/runs/progress/metric-line.ts';
import {
  thinned,
  type MetricSeries,
  type SeriesPoint,
} from '../../../../../shared/runs/progress/metric-series.ts';
import type { ChartPoint, ChartSeries } from '../../../../ui/chart/chart.tsx';
import { formatClockTime, formatNumber } from '../../../../ui/format.ts';
import { formatFigure } from './figure.ts';

/** One line of a chart. */
export interface MetricLineOf {
  readonly id: string;
  readonly label: string;
  readonly series: MetricSeries;
}

/** The figures of a run. */
export interface RunSeries {
  readonly id: string;
  /** What a line of another run is told apart by; null: the run of this page. */
  readonly name: string | null;
  readonly series: readonly MetricSeries[];
}

/** How the curves are looked at. */
export interface ChartView {
  /** What the axis across counts. */
  readonly across: 'step' | 'time';
  /** How much of each value is what was before it: 0 is not smoothed. */
  readonly smoothing: number;
  readonly isLog: boolean;
  /** The newest share of what there is. */
  readonly share: number;
  /** A stretch of the axis across; null: all of that share. */
  readonly range: { readonly from: number; readonly to: number } | null;
}
export type Across = ChartView['across'];

export const USUAL_VIEW: ChartView = {
  across: 'step',
  smoothing: 0,
  isLog: false,
  share: 1,
  range: null,
};

export interface MetricGroup {
  readonly kind: MetricKind;
  readonly title: string;
  readonly lines: readonly MetricLineOf[];
}

export interface MetricChart {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** Values that have no place in this view: no time, or not above zero on a logarithmic axis. */
  readonly leftOut: number;
}

const TITLES: Readonly<Record<MetricKind, string>> = {
  loss: 'Loss',
  rate: 'Learning rate',
  throughput: 'Throughput',
  other: 'Other figures',
};
const KINDS = ['loss', 'rate', 'throughput', 'other'] as const satisfies readonly MetricKind[];
/** All lines of a chart together stay below what it draws within a frame. */
const MAX_DRAWN = 900;
/** As many colours as ways to dash a line. */
const LOOKS = [0, 1, 2, 3, 4, 5] as const;
const lookAt = (at: number): (typeof LOOKS)[number] => LOOKS[at % LOOKS.length] ?? 0;

/** What is drawn together, over all runs. Of the other figures each has a chart of its own: they have no unit in common. */
export function groupSeries(runs: readonly RunSeries[]): readonly MetricGroup[] {
  const groups = new Map<string, MetricGroup & { readonly lines: MetricLineOf[] }>();
  for (const kind of KINDS) {
    for (const { id, name, series } of runs) {
      for (const each of series) {
        if (kindOf(each.name) !== kind) continue;
        const title = kind === 'other' ? each.name : TITLES[kind];
        const group = groups.get(`${kind} ${title}`) ?? { kind, title, lines: [] };
        groups.set(`${kind} ${title}`, group);
        const label = name === null ? each.name : `${each.name} · ${name}`;
        group.lines.push({ id: `${id} ${each.name}`, label, series: each });
      }
    }
  }
  return [...groups.values()];
}

export function chartOf(lines: readonly MetricLineOf[], view: ChartView): MetricChart {
  const { across } = view;
  const most = Math.floor(MAX_DRAWN / Math.max(1, lines.length));
  let leftOut = 0;
  const whole = lines.map(({ series }) => {
    const { placed, unplaced } = placedOf(series, across);
    leftOut += unplaced;
    return smoothed(placed, view.smoothing);
  });
  const from = view.range?.from ?? beginOf(whole, view);
  const to = view.range?.to ?? Infinity;
  const drawn = whole.map((points) => {
    const seen = points.filter((point) => {
      const at = placeOf(point, across) ?? 0;
      return at >= from && at <= to;
    });
    const fit = view.isLog ? seen.filter(({ value }) => !(value <= 0)) : seen;
    leftOut += seen.length - fit.length;
    return thinned(fit, most);
  });
  const rows = new Map<number, (number | null)[]>();
  drawn.forEach((points, line) => {
    for (const point of points) {
      const at = placeOf(point, across);
      if (at === null) continue;
      const row = rows.get(at) ?? lines.map(() => null);
      row[line] = Number.isFinite(point.value) ? point.value : null;
      rows.set(at, row);
    }
  });
  // Where one line has a value another one may have none: the one before it is told, with its own place.
  const newest = lines.map((): { at: number; value: number } | null => null);
  const points = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([at, values]) => {
      values.forEach((value, i) => {
        if (value !== null) newest[i] = { at, value };
      });
      return { at, values, title: titleOf(at, across), lines: noteOf(lines, newest, at, across) };
    });
  const series = lines.map(({ id, label }, i): ChartSeries => {
    // Of the first six lines each has a colour and a dash of its own, of thirty-six a pair that no other has.
    const look = lookAt(i + Math.floor(i / LOOKS.length));
    return { id, label, shape: 'line', look, stroke: lookAt(i), joins: true };
  });
  return { points, series, leftOut };
}

function noteOf(
  lines: readonly MetricLineOf[],
  newest: readonly ({ readonly at: number; readonly value: number } | null)[],
  at: number,
  across: Across,
): readonly string[] {
  return lines.flatMap(({ label }, i) => {
    const told = newest[i] ?? null;
    if (told === null) return [];
    const elsewhere = told.at === at ? '' : ` (${titleOf(told.at, across)})`;
    return [`${label} ${formatFigure(told.value)}${elsewhere}`];
  });
}

export function titleOf(at: number, across: Across): string {
  return across === 'step' ? `step ${formatNumber(at)}` : formatClockTime(at);
}

/** Where the newest share of all lines together begins. */
function beginOf(lines: readonly (readonly SeriesPoint[])[], { across, share }: ChartView): number {
  const ends = lines.flatMap((points) => [points[0], points.at(-1)]);
  const places = ends.flatMap((point) =>
    point === undefined ? [] : [placeOf(point, across) ?? 0],
  );
  if (share === 1 || places.length === 0) return -Infinity;
  const [low, high] = [Math.min(...places), Math.max(...places)];
  return high - (high - low) * share;
}

/** An exponential mean that is not drawn towards zero at its beginning. What is no number is left as it is. */
function smoothed(points: readonly SeriesPoint[], weight: number): readonly SeriesPoint[] {
  if (weight === 0) return points;
  let [mean, power] = [0, 1];
  return points.map((point) => {
    if (!Number.isFinite(point.value)) return point;
    mean = mean * weight + point.value * (1 - weight);
    power *= weight;
    return { ...point, value: mean / (1 - power) };
  });
}

const placeOf = ({ step, atMs }: SeriesPoint, across: Across): number | null =>
  across === 'step' ? step : atMs;

/** The values that were read, of a spreadsheet: a row each. */
export function csvOf(groups: readonly MetricGroup[]): string {
  const rows = groups.flatMap(({ lines }) =>
    lines.flatMap(({ label, series: { steps, atMs, values } }) =>
      values.map((value, i) => {
        const at = atMs[i] ?? null;
        const time = at === null ? '' : isoUtc(at);
        return [csvText(label), steps[i] ?? '', time, value].join(',');
      }),
    ),
  );
  return ['figure,step,time,value', ...rows, ''].join('\n');
}

/** In order along the axis. A step that comes again, after a run went on from a checkpoint, replaces what was there and beyond. */
function placedOf({ steps, atMs, values }: MetricSeries, across: Across) {
  const placed: SeriesPoint[] = [];
  const hasSteps = steps.some((step) => step !== null);
  let unplaced = 0;
  values.forEach((value, i) => {
    const step = hasSteps ? (steps[i] ?? null) : i;
    const point = { step, atMs: atMs[i] ?? null, value };
    const at = placeOf(point, across);
    if (at === null) {
      unplaced += 1;
      return;
    }
    while (placed.length > 0) {
      const last = placed.at(-1);
      if (last === undefined || (placeOf(last, across) ?? 0) < at) break;
      placed.pop();
    }
    placed.push(point);
  });
  return { placed, unplaced };
}
