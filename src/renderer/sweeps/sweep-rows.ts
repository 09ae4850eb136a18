import { plainLine } from '../../shared/questions/hostile-text.ts';
import { isIn, SWEEP_GROUPS, type SweepGroup } from '../../shared/runs/sweep/judge-sweep.ts';
import type { SweepCell, SweepView } from '../../shared/runs/sweep/sweep-view.ts';

/** One cell as the table shows it. */
export interface SweepRow {
  /** Its place in the roster. */
  readonly place: number;
  readonly name: string;
  readonly command: string;
  readonly cell: SweepCell;
  /** The name of the box as it was at the launch; null: no run was given it. */
  readonly box: string | null;
  readonly boxId: string | null;
  readonly isSeenNow: boolean;
  /** How many cells share the price of the box. */
  readonly slots: number;
  /** The cards that it has to itself while it runs, as the box calls them; null: none, or it does not run. */
  readonly cards: string | null;
  /** Null: it has not begun, or that is not known. */
  readonly beganAtMs: number | null;
  /** Null: it has not ended. */
  readonly endedAtMs: number | null;
}

/** The newest value of the chosen figure, by the place in the roster. */
export type FigureOf = (place: number) => number | null;

export const sweepColumns = ['place', 'name', 'state', 'box', 'began', 'took', 'figure'] as const;
export type SweepColumn = (typeof sweepColumns)[number];

export interface SweepOrder {
  readonly sortBy: SweepColumn;
  readonly isDescending: boolean;
  readonly group: SweepGroup | 'all';
  readonly search: string;
}

export const FIRST_ORDER: SweepOrder = {
  sortBy: 'place',
  isDescending: false,
  group: 'all',
  search: '',
};

const NO_CELL: SweepCell = {
  state: { kind: 'never-started' },
  share: null,
  index: null,
  isTwice: false,
};

/** Rows that were made, so that one whose cell is as it was stays the same; good for one roster and its shares. */
export type MadeRows = WeakMap<SweepCell, SweepRow>;

export function sweepRows(
  { roster, cells, shares }: Pick<SweepView, 'roster' | 'cells' | 'shares'>,
  made: MadeRows = new WeakMap(),
): readonly SweepRow[] {
  return (roster?.cells ?? []).map(({ name, command }, place) => {
    const cell = cells[place] ?? NO_CELL;
    const known = made.get(cell);
    if (known?.place === place) return known;
    const share = cell.share === null ? undefined : shares[cell.share];
    const { state } = cell;
    const row: SweepRow = {
      place,
      name: plainLine(name, 200),
      command: plainLine(command, 400),
      cell,
      box: share === undefined ? null : plainLine(share.place, 200),
      boxId: share?.boxId ?? null,
      isSeenNow: share !== undefined && share.presence !== 'unseen',
      slots: share?.slots ?? 1,
      cards: state.kind === 'running' ? (state.cards ?? null) : null,
      beganAtMs: 'beganAtMs' in state ? state.beganAtMs : null,
      endedAtMs: 'atMs' in state ? state.atMs : null,
    };
    made.set(cell, row);
    return row;
  });
}

/** What the person asked for, in the order that they asked for; equal ones stay as in the roster. */
export function orderedRows(
  rows: readonly SweepRow[],
  { sortBy, isDescending, group, search }: SweepOrder,
  figureOf: FigureOf,
): readonly SweepRow[] {
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter(
    ({ cell, name }) =>
      (group === 'all' || isIn(group, cell)) && name.toLowerCase().includes(wanted),
  );
  if (sortBy === 'place') return isDescending ? shown.reverse() : shown;
  const sign = isDescending ? -1 : 1;
  return shown.sort((one, other) => {
    const [a, b] = [valueOf(one, sortBy, figureOf), valueOf(other, sortBy, figureOf)];
    // What has no value is last, whichever way.
    if (a === null || b === null) {
      return Number(a === null) - Number(b === null) || one.place - other.place;
    }
    const by =
      typeof a === 'number' && typeof b === 'number'
        ? a - b
        : collator.compare(String(a), String(b));
    return sign * by || one.place - other.place;
  });
}

const collator = new Intl.Collator('en', { numeric: true });

function valueOf(row: SweepRow, column: SweepColumn, figureOf: FigureOf): number | string | null {
  switch (column) {
    case 'figure': {
      const figure = figureOf(row.place);
      return figure === null || Number.isNaN(figure) ? null : figure;
    }
    case 'place':
      return row.place;
    case 'name':
      return row.name;
    case 'state':
      return SWEEP_GROUPS.findIndex((group) => isIn(group, row.cell));
    case 'box':
      return row.box;
    case 'began':
      return row.beganAtMs;
    case 'took':
      return row.beganAtMs === null || row.endedAtMs === null
        ? null
        : row.endedAtMs - row.beganAtMs;
  }
}
