import { csvText } from '../../shared/csv-text.ts';
import type { ChartPoint, ChartSeries } from '../ui/chart/chart.tsx';
import { formatCount } from '../ui/format.ts';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import type { FigureOf, SweepRow } from './sweep-rows.ts';

/** Which end of a figure is the good one. */
export type Better = 'lowest' | 'highest';

/** A cell that tells the figure. */
export interface Compared {
  readonly row: SweepRow;
  /** It may be no number: a cell that diverged. */
  readonly value: number;
}

/** What cells differ in, and what each has there; null: it does not have it. */
export interface CellParameter {
  readonly name: string;
  readonly valueOf: (place: number) => string | null;
}

const GROWS = /acc|reward|return|score|f1|auc|bleu|rouge|\bmap\b|precision|recall|r2|per_?s|\/s/i;
const SHRINKS = /loss|err|perplexity|ppl|divergence/i;

export const likelyBetter = (figure: string): Better =>
  GROWS.test(figure) && !SHRINKS.test(figure) ? 'highest' : 'lowest';

/** The cells that tell the figure, in the order of the table. */
export function comparedOf(rows: readonly SweepRow[], figureOf: FigureOf): readonly Compared[] {
  return rows.flatMap((row) => {
    const value = row.beganAtMs === null ? null : figureOf(row.place);
    return value === null ? [] : [{ row, value }];
  });
}

/** The best first; what is no number is last. */
export function ranked(cells: readonly Compared[], better: Better): readonly Compared[] {
  const sign = better === 'lowest' ? 1 : -1;
  return [...cells].sort((one, other) => {
    const [a, b] = [Number.isFinite(one.value), Number.isFinite(other.value)];
    if (!a || !b) return Number(b) - Number(a);
    return sign * (one.value - other.value) || one.row.place - other.row.place;
  });
}

/** Null: none has a number. */
export function bestOf(cells: readonly Compared[], better: Better): Compared | null {
  const [best] = ranked(cells, better);
  return best !== undefined && Number.isFinite(best.value) ? best : null;
}

const MAX_PARAMETERS = 20;
const MAX_READ_CHARS = 4000;
/** As a grid names its cells, and as commands are given. Linear: no part can be read in two ways. */
const IN_NAME = /(?<![\w.-])([A-Za-z_][\w.-]{0,39})=([^\s,;]{1,80})/g;
const IN_COMMAND =
  /(?<!\S)(?:--?([A-Za-z][\w.-]{0,39})(?:=|[ \t]+)|([A-Za-z_][\w.]{0,39})=)'?([^\s'"-][^\s'"]{0,79}|-\d[^\s'"]{0,79})/g;

/** What the cells differ in, by their names; where these tell nothing, by their commands. */
export function parametersOf(
  rows: readonly Pick<SweepRow, 'place' | 'name' | 'command'>[],
): readonly CellParameter[] {
  const byName = varying(rows, ({ name }) => name, IN_NAME);
  return byName.length > 0 ? byName : varying(rows, ({ command }) => command, IN_COMMAND);
}

function varying(
  rows: readonly Pick<SweepRow, 'place' | 'name' | 'command'>[],
  textOf: (row: Pick<SweepRow, 'name' | 'command'>) => string,
  pattern: RegExp,
): readonly CellParameter[] {
  const found = new Map<string, Map<number, string>>();
  for (const row of rows) {
    for (const match of textOf(row).slice(0, MAX_READ_CHARS).matchAll(pattern)) {
      const given = match.slice(1).filter((part) => part !== undefined);
      const [name = '', value = ''] = given;
      const values = found.get(name) ?? new Map<number, string>();
      values.set(row.place, value);
      found.set(name, values);
    }
  }
  const told = [...found].filter(([, values]) => tellsApart([...values.values()]));
  return told.slice(0, MAX_PARAMETERS).map(([name, values]) => ({
    name,
    valueOf: (place) => values.get(place) ?? null,
  }));
}

/** A text that no other cell has, such as its folder, names the cell; it is nothing that a person varied. */
function tellsApart(values: readonly string[]): boolean {
  const distinct = new Set(values).size;
  return distinct > 1 && (distinct < values.length || values.every((value) => isNumber(value)));
}

const isNumber = (text: string): boolean => Number.isFinite(Number(text));

export interface Comparison {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly formatAt: (at: number) => string;
  /** Where the best one is; null: none has a number. */
  readonly mark: { readonly at: number; readonly value: number; readonly label: string } | null;
  /** Cells that are not drawn, for there are too many. */
  readonly leftOut: number;
}

/** More dots no screen shows apart. */
const MAX_DOTS = 300;

/** A dot for each cell, in the order of the table; of too many the best ones. */
export function byCell(cells: readonly Compared[], figure: string, better: Better): Comparison {
  const order = ranked(cells, better);
  const kept = new Set(order.slice(0, MAX_DOTS));
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
  const best = bestOf(drawn, better);
  return {
    ...{ points, series, leftOut: cells.length - drawn.length },
    formatAt: (at) => String((drawn[at]?.row.place ?? 0) + 1),
    mark: best === null ? null : markAt(drawn.indexOf(best), best),
  };
}

/** The best and the middle of the cells that have the same value of one parameter. */
export function byParameter(
  cells: readonly Compared[],
  { name, valueOf }: CellParameter,
  better: Better,
): Comparison {
  const groups = new Map<string, Compared[]>();
  for (const cell of cells) {
    const value = valueOf(cell.row.place);
    if (value === null || !Number.isFinite(cell.value)) continue;
    groups.set(value, [...(groups.get(value) ?? []), cell]);
  }
  const hasNumbers = [...groups.keys()].every(isNumber);
  const order = [...groups].sort(([a], [b]) =>
    hasNumbers ? Number(a) - Number(b) : collator.compare(a, b),
  );
  const drawn = order.slice(0, MAX_DOTS).map(([value, group]) => {
    const best = ranked(group, better);
    const middle = best[Math.floor((best.length - 1) / 2)]?.value ?? null;
    return { value, best, middle };
  });
  const hasSeveral = drawn.some(({ best }) => best.length > 1);
  const points = drawn.map(({ value, best, middle }, at): ChartPoint => {
    const [first] = best;
    return {
      at,
      values: [first?.value ?? null, hasSeveral ? middle : null],
      title: `${name}=${value}`,
      lines: [
        ...(first === undefined ? [] : [`best ${formatFigure(first.value)} (${first.row.name})`]),
        ...(hasSeveral && middle !== null
          ? [`median ${formatFigure(middle)} of ${formatCount(best.length, 'cell')}`]
          : []),
      ],
    };
  });
  const at = drawn.findIndex(({ best }) => best[0] === bestOf(cells, better));
  const best = drawn[at]?.best[0];
  return {
    points,
    series: [
      { id: 'best', label: 'best of its cells', shape: 'dots', look: 0 },
      ...(hasSeveral
        ? [
            {
              id: 'median',
              label: 'median',
              shape: 'line',
              look: 5,
              stroke: 1,
              joins: true,
            } as const,
          ]
        : []),
    ],
    formatAt: (place) => drawn[place]?.value ?? '',
    mark: best === undefined ? null : markAt(at, best),
    leftOut: cells.length - drawn.reduce((sum, { best: group }) => sum + group.length, 0),
  };
}

const collator = new Intl.Collator('en', { numeric: true });

const markAt = (at: number, { value }: Compared): Comparison['mark'] => ({
  ...{ at, value },
  label: `best ${formatFigure(value)}`,
});

/** `loss 0.25 so far`. */
export const valueWords = (figure: string, { row, value }: Compared): string =>
  `${figure} ${formatFigure(value)}${row.endedAtMs === null ? ' so far' : ''}`;

/** What is compared, of a spreadsheet: a row for each cell, whether it tells the figure or not. */
export function comparisonCsv(
  rows: readonly SweepRow[],
  parameters: readonly CellParameter[],
  figure: string,
  figureOf: FigureOf,
): string {
  const head = ['cell', 'box', 'state', ...parameters.map(({ name }) => csvText(name))];
  const lines = rows.map((row) =>
    [
      csvText(row.name),
      csvText(row.box ?? ''),
      row.cell.state.kind,
      ...parameters.map(({ valueOf }) => csvText(valueOf(row.place) ?? '')),
      (row.beganAtMs === null ? null : figureOf(row.place)) ?? '',
    ].join(','),
  );
  return [[...head, csvText(figure)].join(','), ...lines, ''].join('\n');
}
