import type { Metric } from '../../../shared/telemetry/reading-ring.ts';
import type { CardFacts } from './chart-model.ts';
import { chartKinds, type ChartKind } from './charts.ts';
import type { GpuSeries } from './gpu-series.ts';
import type { TimeAxis } from './time-axis.ts';

/** What a cell shows of its time: a dip of the clock and a peak of heat must not be averaged away. */
type Fold = 'mean' | 'min' | 'max';

const FOLDS: readonly { readonly id: ChartKind['id']; readonly fold: Fold }[] = [
  { id: 'sm', fold: 'mean' },
  { id: 'clock', fold: 'min' },
  { id: 'power', fold: 'max' },
  { id: 'temperature', fold: 'max' },
  { id: 'vram', fold: 'max' },
];

export const foldWords: Readonly<Record<Fold, string>> = {
  mean: 'mean of each cell',
  min: 'lowest of each cell',
  max: 'highest of each cell',
};

/** A finer cell could not be told from its neighbour at the width of a third of the window. */
export const HEAT_CELLS = 60;

export interface HeatRow {
  readonly series: GpuSeries;
  /** From 0 to 1 of what the card can do; null: nothing was reported in that time. */
  readonly cells: readonly (number | null)[];
}

export interface HeatChart {
  readonly kind: ChartKind;
  readonly fold: Fold;
  readonly rows: readonly HeatRow[];
}

/** Five charts with a row of cells for each GPU: for more cards than lines can be told apart. */
export function buildHeat(
  series: readonly GpuSeries[],
  cards: CardFacts,
  axis: TimeAxis,
): readonly HeatChart[] {
  return FOLDS.map(({ id, fold }) => {
    const kind = chartKinds.find((each) => each.id === id) as ChartKind;
    const highest = Math.max(...series.map((each) => highestOf(each, kind.metric)));
    const rows = series.map((each) => {
      const [low, high] = scaleOf(kind, each, cards, highest);
      const cells = cellsOf(each, kind.metric, fold, axis).map((value) =>
        value === null ? null : Math.min(1, Math.max(0, (value - low) / (high - low))),
      );
      return { series: each, cells };
    });
    return { kind, fold, rows };
  });
}

const PER_CENT = 100;
/** Below it no card in a data centre ever is. */
const COLD_C = 20;
const HOT_C = 95;

/** The ends of the colours: what the card can do, or the highest that any card did where that is not told. */
function scaleOf(
  kind: ChartKind,
  { index }: GpuSeries,
  { gpus, details }: CardFacts,
  highest: number,
): readonly [number, number] {
  if (kind.id === 'sm') return [0, PER_CENT];
  const facts = gpus?.find((gpu) => gpu.index === index);
  const known = details?.find((gpu) => gpu.index === index) ?? null;
  const limit = facts === undefined ? null : kind.limitOf(facts, known);
  if (kind.id === 'temperature') return [COLD_C, limit?.value ?? HOT_C];
  return [0, limit?.value ?? Math.max(1, highest)];
}

function cellsOf(
  { atMs, stepMs, columns }: GpuSeries,
  metric: Metric,
  fold: Fold,
  { fromMs, toMs }: TimeAxis,
): readonly (number | null)[] {
  const column = columns[metric]?.[fold];
  const folded = new Float64Array(HEAT_CELLS).fill(NaN);
  const counts = new Uint32Array(HEAT_CELLS);
  const cellAt = (at: number): number => Math.floor(((at - fromMs) / (toMs - fromMs)) * HEAT_CELLS);
  for (let i = 0; i < atMs.length; i += 1) {
    const at = atMs[i] ?? NaN;
    const value = column?.[i] ?? NaN;
    if (Number.isNaN(value)) continue;
    // A point speaks for its whole step, which may be wider than a cell.
    const first = Math.max(0, cellAt(at - stepMs / 2));
    const last = Math.min(HEAT_CELLS - 1, cellAt(at + stepMs / 2));
    for (let cell = first; cell <= last; cell += 1) {
      const before = folded[cell] ?? NaN;
      const count = (counts[cell] = (counts[cell] ?? 0) + 1);
      if (count === 1) folded[cell] = value;
      else if (fold === 'mean') folded[cell] = before + (value - before) / count;
      else folded[cell] = fold === 'min' ? Math.min(before, value) : Math.max(before, value);
    }
  }
  return Array.from(folded, (value) => (Number.isNaN(value) ? null : value));
}

function highestOf({ columns }: GpuSeries, metric: Metric): number {
  const column = columns[metric]?.max ?? [];
  let highest = 0;
  for (let i = 0; i < column.length; i += 1) highest = Math.max(highest, column[i] || 0);
  return highest;
}
