import { csvText } from '../../shared/csv-text.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import type { Better } from './likely-better.ts';
import type { FigureOf, SweepRow } from './sweep-rows.ts';

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

/** The cells that tell the figure, in the order of the table. */
export function comparedOf(rows: readonly SweepRow[], figureOf: FigureOf): readonly Compared[] {
  return rows.flatMap((row) => {
    const value = row.beganAtMs === null ? null : figureOf(row.place);
    return value === null ? [] : [{ row, value }];
  });
}

/** The best first; what is no number is last. Null: as they are, for nobody has said which end is the good one. */
export function ranked(cells: readonly Compared[], better: Better | null): readonly Compared[] {
  if (better === null) return cells;
  return [...cells].sort((one, other) => {
    const [a, b] = [Number.isFinite(one.value), Number.isFinite(other.value)];
    if (!a || !b) return Number(b) - Number(a);
    return goodnessOf(other, better) - goodnessOf(one, better) || one.row.place - other.row.place;
  });
}

/** Of two the better one has more. */
const goodnessOf = ({ value }: Compared, better: Better): number =>
  better === 'lowest' ? -value : value;

/** Null: none has a number, or nobody has said which end is the good one. */
export function bestOf(cells: readonly Compared[], better: Better | null): Compared | null {
  if (better === null) return null;
  let best: Compared | null = null;
  for (const cell of cells) {
    if (!Number.isFinite(cell.value)) continue;
    const lead = best === null ? 1 : goodnessOf(cell, better) - goodnessOf(best, better);
    if (best === null || lead > 0 || (lead === 0 && cell.row.place < best.row.place)) best = cell;
  }
  return best;
}

const MAX_PARAMETERS = 20;
const MAX_READ_CHARS = 4000;
/** As a grid names its cells, and as commands are given. Linear: no part can be read in two ways. */
const IN_NAME = /(?<![\w.-])([A-Za-z_][\w.-]{0,39})=([^\s,;]{1,80})/g;
const IN_COMMAND =
  /(?<!\S)(?:--?([A-Za-z][\w.-]{0,39})(?:=|[ \t]+)|([A-Za-z_][\w.]{0,39})=)'?([^\s'"-][^\s'"]{0,79}|-\d[^\s'"]{0,79})/g;

/** A cell as the roster has it. Hostile. */
export type Named = Pick<SweepRow, 'name' | 'command'>;

/** What the cells of a roster differ in, by their names; where these tell nothing, by their commands. */
export function parametersOf(cells: readonly Named[]): readonly CellParameter[] {
  const byName = varying(cells, ({ name }) => name, IN_NAME);
  return byName.length > 0 ? byName : varying(cells, ({ command }) => command, IN_COMMAND);
}

function varying(
  cells: readonly Named[],
  textOf: (cell: Named) => string,
  pattern: RegExp,
): readonly CellParameter[] {
  const found = new Map<string, Map<number, string>>();
  for (const [place, cell] of cells.entries()) {
    for (const match of plainLine(textOf(cell), MAX_READ_CHARS).matchAll(pattern)) {
      const given = match.slice(1).filter((part) => part !== undefined);
      const [name = '', value = ''] = given;
      const values = found.get(name) ?? new Map<number, string>();
      values.set(place, value);
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

export const isNumber = (text: string): boolean => Number.isFinite(Number(text));

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
