import { medianOf } from '../../shared/median.ts';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import type { ChartPoint, ChartSeries } from '../ui/chart/chart.tsx';
import { formatCount } from '../ui/format.ts';
import type { Better } from './likely-better.ts';
import {
  bestOf,
  isNumber,
  ranked,
  valueWords,
  type CellParameter,
  type Compared,
} from './sweep-compare.ts';

export interface ComparisonChart {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly formatAt: (at: number) => string;
  /** Where the best one is; null: none is known, or it is not drawn. */
  readonly mark: { readonly at: number; readonly value: number; readonly label: string } | null;
  /** Cells that are not drawn. */
  readonly leftOut: number;
}

/** What is drawn of them. */
export interface Comparing {
  readonly cells: readonly Compared[];
  readonly figure: string;
  readonly better: Better | null;
  /** The best of all of them; null: none is known. */
  readonly best: Compared | null;
}

/** A dot is 8 px wide, and the chart of a window of 1440 px some 1100: of more dots, neighbours would hide more than half of each other. */
const MAX_DOTS = 300;

/** A dot for each cell, in the order of the table; of too many the best ones, or the first where none is better than another. */
export function byCell({ cells, figure, better, best }: Comparing): ComparisonChart {
  const kept = new Set(cells.length > MAX_DOTS ? ranked(cells, better).slice(0, MAX_DOTS) : cells);
  const drawn = cells.filter((cell) => kept.has(cell));
  const points = drawn.map((cell, at): ChartPoint => {
    const value = Number.isFinite(cell.value) ? cell.value : null;
    const isOver = cell.row.endedAtMs !== null;
    return {
      at,
      values: [isOver ? value : null, isOver ? null : value],
      title: cell.row.name,
      lines: [valueWords(figure, cell)],
    };
  });
  const hasRunning = drawn.some(({ row }) => row.endedAtMs === null);
  const series: ChartSeries[] = [
    { id: 'over', label: 'cells that are over', shape: 'dots', look: 0 },
    ...(hasRunning
      ? [{ id: 'running', label: 'so far', shape: 'dots', look: 3, isHollow: true } as const]
      : []),
  ];
  return {
    ...{ points, series, leftOut: cells.length - drawn.length },
    formatAt: (at) => String((drawn[at]?.row.place ?? 0) + 1),
    mark: best === null ? null : markAt(drawn.indexOf(best), best),
  };
}

interface Group {
  /** Of the parameter. */
  readonly value: string;
  readonly cells: readonly Compared[];
  readonly median: number;
  readonly best: Compared | null;
}

/** The best and the median of the cells that have the same value of one parameter; of a figure without a best the median alone. */
export function byParameter(
  { cells, better, best }: Comparing,
  parameter: CellParameter,
): ComparisonChart {
  const groups = groupsBy(parameter, cells, better).slice(0, MAX_DOTS);
  const hasSeveral = groups.some((group) => group.cells.length > 1);
  const points = groups.map(({ value, cells: { length }, median, best: first }, at): ChartPoint => {
    const middle = `median ${formatFigure(median)} of ${formatCount(length, 'cell')}`;
    return {
      at,
      values: first === null ? [median] : [first.value, hasSeveral ? median : null],
      title: `${parameter.name}=${value}`,
      lines: [
        ...(first === null ? [] : [`best ${formatFigure(first.value)} (${first.row.name})`]),
        ...(length > 1 ? [middle] : first === null ? [formatFigure(median)] : []),
      ],
    };
  });
  const at = best === null ? -1 : groups.findIndex((group) => group.best === best);
  return {
    ...{ points, series: seriesOf(better, hasSeveral) },
    formatAt: (place) => groups[place]?.value ?? '',
    mark: best === null ? null : markAt(at, best),
    leftOut: cells.length - groups.reduce((sum, group) => sum + group.cells.length, 0),
  };
}

/** In the order of the values. A cell that diverged, or does not have the parameter, is in none. */
function groupsBy(
  { valueOf }: CellParameter,
  cells: readonly Compared[],
  better: Better | null,
): readonly Group[] {
  const byValue = new Map<string, Compared[]>();
  for (const cell of cells) {
    const value = valueOf(cell.row.place);
    if (value === null || !Number.isFinite(cell.value)) continue;
    const group = byValue.get(value);
    if (group === undefined) byValue.set(value, [cell]);
    else group.push(cell);
  }
  const haveNumbers = [...byValue.keys()].every(isNumber);
  return [...byValue]
    .sort(([a], [b]) => (haveNumbers ? Number(a) - Number(b) : collator.compare(a, b)))
    .map(([value, of]) => ({
      ...{ value, cells: of, best: bestOf(of, better) },
      median: medianOf(of.map((cell) => cell.value)) ?? NaN,
    }));
}

const collator = new Intl.Collator('en', { numeric: true });

const seriesOf = (better: Better | null, hasSeveral: boolean): readonly ChartSeries[] => {
  const dots = { id: 'dots', shape: 'dots', look: 0 } as const;
  if (better === null) return [{ ...dots, label: hasSeveral ? 'median of its cells' : 'its cell' }];
  const line = { id: 'median', shape: 'line', look: 5, stroke: 1, joins: true } as const;
  return [
    { ...dots, label: 'best of its cells' },
    ...(hasSeveral ? [{ ...line, label: 'median' }] : []),
  ];
};

const markAt = (at: number, { value }: Compared): ComparisonChart['mark'] =>
  at < 0 ? null : { ...{ at, value }, label: `best ${formatFigure(value)}` };
