import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  memo,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { formatMoneyBriefly, shareOf, type Money } from '../../shared/money.ts';
import { cardsByLine } from '../../shared/runs/queue/workload.ts';
import { sweepCellWords } from '../../shared/runs/sweep/sweep-words.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import { formatFigure } from '../box/runs/launch/metrics/figure.ts';
import { MAX_COMPARED } from '../box/runs/launch/metrics/other-runs.tsx';
import { runOpened } from '../box/runs/launch/launch-view.ts';
import { runsChosen } from '../state/view.ts';
import { Elapsed } from '../ui/age.tsx';
import { classNames } from '../ui/class-names.ts';
import { useClock } from '../ui/clock.ts';
import { formatDate, formatDuration } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { useRowWindow } from '../ui/row-window.ts';
import { slotRows, slotsFor } from './row-slots.ts';
import {
  sweepColumns,
  type FigureOf,
  type SweepColumn,
  type SweepOrder,
  type SweepRow,
} from './sweep-rows.ts';
import styles from './sweep-table.module.css';

/** As sweep-table.module.css has them. */
const ROW_PX = 30;
const HEAD_PX = 34;
const HOUR_MS = 3_600_000;
/** Nothing is read for rows that only fly by. */
const SETTLED_MS = 150;

const FULL = `The curves of at most ${String(MAX_COMPARED + 1)} cells are drawn: hide those of another first.`;

/** Of a cell that began, on a box that was not reached since. */
const END_UNSEEN = 'end not seen';

const LABELS: Readonly<Record<SweepColumn, string>> = {
  place: 'No.',
  name: 'Cell',
  state: 'State',
  box: 'Box',
  began: 'Began',
  took: 'Took',
  figure: 'Figure',
};

interface SweepTableProps {
  readonly rows: readonly SweepRow[];
  readonly order: SweepOrder;
  /** Of each box of the list; one whose price is not known is missing. */
  readonly prices: ReadonlyMap<string, Money>;
  /** Of each box of the list, for the numbers of the cards that cells run on. */
  readonly gpusOf: (boxId: string) => readonly GpuFacts[];
  /** The newest run of the queue that has the cell. */
  readonly runOf: (row: SweepRow) => string | null;
  /** What the last column shows; null: no log says anything. */
  readonly figure: string | null;
  readonly figureOf: FigureOf;
  /** The cell whose figure is the best of those that are compared; null: they are not. */
  readonly best: number | null;
  /** The cells whose curves are chosen, by their places. */
  readonly picked: ReadonlySet<number>;
  /** No further cell can be chosen. */
  readonly isFull: boolean;
  /** A cell was chosen or left. */
  readonly onPick: (row: SweepRow) => void;
  /** A cell was to be chosen that cannot be, and why. */
  readonly onRefused: (why: string) => void;
  /** Which rows are there, once they stay for a moment. */
  readonly onInView: (rows: readonly SweepRow[]) => void;
  readonly onSort: (column: SweepColumn) => void;
}

/**
 * Thousands of cells scroll like a dozen: only rows in view are in the page, each laid out and painted by itself, and one that comes takes
 * the elements of one that goes. One Tab stop: arrows, Page, Home and End move it.
 */
export function SweepTable(props: SweepTableProps) {
  const { rows, order, prices, gpusOf, runOf, figure, figureOf, onInView, onSort } = props;
  const { best, picked, isFull } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const count = rows.length;
  const heights = useMemo(() => Array.from({ length: count }, () => ROW_PX), [count]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  const [active, setActive] = useState(0);
  const [hasFocus, setHasFocus] = useState(false);
  const wantsFocus = useRef(false);
  const at = Math.min(active, rows.length - 1);
  const id = useId();
  const slotted = slotRows({
    first: view.first,
    count,
    slots: slotsFor(view.viewPx, ROW_PX),
    focused: hasFocus ? at : null,
  });
  // Who comes by Tab is not taken away from what is in view.
  const tabStop = slotted.some((row) => row.at === at) ? at : view.first;
  const elementOf = (slot: number): string => `${id}${String(slot)}`;

  const { first, end } = view;
  useEffect(() => {
    const timer = setTimeout(() => onInView(rows.slice(first, end)), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [rows, first, end, onInView]);

  // A row that was out of view gets the focus when it is there, and keeps it where a view of another height gives it another element.
  useLayoutEffect(() => {
    if (!wantsFocus.current && !(hasFocus && isWithin(scroller.current))) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${String(at)}"]`);
    if (row === null || row === undefined) return;
    wantsFocus.current = false;
    if (row !== document.activeElement) row.focus({ preventScroll: true });
  });

  function moveTo(next: number): void {
    const row = Math.min(Math.max(next, 0), rows.length - 1);
    view.reveal(row);
    wantsFocus.current = true;
    setActive(row);
  }

  // One for all renders, so that a row is drawn anew only for what it shows.
  const open = useLatest((row: SweepRow | undefined): void => {
    const run = row === undefined ? null : runOf(row);
    if (row === undefined || row.boxId === null || run === null) return;
    const { index } = row.cell;
    const isBegun = index !== null && row.beganAtMs !== null;
    runOpened(row.boxId, run, isBegun ? { index, name: row.name } : null);
    runsChosen(row.boxId);
  });

  const pick = useLatest((row: SweepRow): void => {
    const why = whyNotPicked(row, picked, isFull);
    if (why === null) props.onPick(row);
    else props.onRefused(why);
  });

  function pressed(event: KeyboardEvent<HTMLElement>): void {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + view.pageOf(),
      PageUp: at - view.pageOf(),
      Home: 0,
      End: rows.length - 1,
    };
    const isOnRow = (event.target as HTMLElement).dataset['row'] !== undefined;
    if (!isOnRow || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = moves[event.key];
    if (next !== undefined) moveTo(next);
    else if (event.key === 'Enter') open(rows[at]);
    else if (event.key === ' ') {
      const row = rows[at];
      if (row !== undefined) pick(row);
    } else return;
    event.preventDefault();
  }

  return (
    <div ref={scroller} className={styles['scroller']}>
      <table
        className={styles['table']}
        role="grid"
        aria-label="Cells"
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        onKeyDown={pressed}
      >
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {sweepColumns.map((column) => (
              <Heading
                key={column}
                column={column}
                label={column === 'figure' ? (figure ?? LABELS.figure) : LABELS[column]}
                order={order}
                onSort={onSort}
              />
            ))}
            <th
              role="columnheader"
              title="The box’s price for the time that the cell took, shared by the cells that run at once"
            >
              Cost
            </th>
          </tr>
        </thead>
        {/* The elements are not in the order of the rows; this is the order in which they are read. */}
        <tbody
          role="rowgroup"
          style={{ height: count * ROW_PX }}
          aria-owns={[...slotted]
            .sort((one, other) => one.at - other.at)
            .map(({ slot }) => elementOf(slot))
            .join(' ')}
          onFocus={({ target }) => {
            const focused = target.closest<HTMLElement>('[data-row]');
            if (focused === null) return;
            setActive(Number(focused.dataset['row']));
            setHasFocus(true);
            // It may be shown by another element from now on.
            wantsFocus.current = true;
            // The keys belong to the row: a box in it that was clicked keeps none of them.
            focused.focus({ preventScroll: true });
          }}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (currentTarget.contains(relatedTarget)) return;
            wantsFocus.current = false;
            setHasFocus(false);
          }}
        >
          {slotted.map(({ at: rowAt, slot }) => {
            const row = rows[rowAt];
            return (
              row !== undefined && (
                <Row
                  key={slot}
                  id={elementOf(slot)}
                  row={row}
                  at={rowAt}
                  isTabStop={rowAt === tabStop}
                  figure={row.beganAtMs === null ? null : figureOf(row.place)}
                  isBest={row.place === best}
                  isPicked={picked.has(row.place)}
                  whyNot={whyNotPicked(row, picked, isFull)}
                  price={row.boxId === null ? null : (prices.get(row.boxId) ?? null)}
                  on={
                    row.cards === null || row.boxId === null
                      ? null
                      : cardsByLine(row.cards, gpusOf(row.boxId))
                  }
                  onOpen={open}
                  onPick={pick}
                />
              )
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Whether the focus is there, or was lost with its element: where a person took it to, it stays. */
const isWithin = (scroller: HTMLElement | null): boolean =>
  document.activeElement === document.body || scroller?.contains(document.activeElement) === true;

/** A cell that has begun on a box of the list has a log. */
const hasCurves = ({ boxId, cell, beganAtMs }: SweepRow): boolean =>
  boxId !== null && cell.index !== null && beganAtMs !== null;

/** Null: its curves can be drawn, or left out again. */
function whyNotPicked(row: SweepRow, picked: ReadonlySet<number>, isFull: boolean): string | null {
  if (!hasCurves(row)) return 'A cell that has not begun on a box of the list has no curves.';
  return isFull && !picked.has(row.place) ? FULL : null;
}

/** A function that stays the same and does what the newest one does. */
function useLatest<A extends readonly unknown[]>(act: (...args: A) => void): (...args: A) => void {
  const newest = useRef(act);
  useLayoutEffect(() => {
    newest.current = act;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}

interface HeadingProps {
  readonly column: SweepColumn;
  readonly label: string;
  readonly order: SweepOrder;
  readonly onSort: (column: SweepColumn) => void;
}

function Heading({ column, label, order, onSort }: HeadingProps) {
  const isSorted = order.sortBy === column;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      role="columnheader"
      className={styles[column]}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" onClick={() => onSort(column)}>
        <span title={label}>{label}</span>
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: SweepRow;
  readonly at: number;
  readonly isTabStop: boolean;
  /** Null: not begun, or its log was not read or says nothing of it. */
  readonly figure: number | null;
  readonly isBest: boolean;
  readonly isPicked: boolean;
  /** Why its curves cannot be chosen; null: they can. */
  readonly whyNot: string | null;
  readonly price: Money | null;
  /** The cards that it runs on; null: it does not run, or sees all. */
  readonly on: string | null;
  readonly onOpen: (row: SweepRow) => void;
  readonly onPick: (row: SweepRow) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { id, row, at, isTabStop, figure, isBest, isPicked, whyNot, price, on, onOpen, onPick } =
    props;
  const { place, name, command, cell, box, isSeenNow, beganAtMs } = row;
  const { tone, words, title } = sweepCellWords(cell, isSeenNow);
  const boxWords = [box ?? '–', ...(on === null ? [] : [on])].join(' · ');
  return (
    <tr
      id={id}
      role="row"
      style={{ transform: `translateY(${String(at * ROW_PX)}px)` }}
      data-row={at}
      aria-rowindex={at + 2}
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={isPicked}
      onDoubleClick={() => onOpen(row)}
    >
      <td role="gridcell" className={styles['place']}>
        {/* Of ten thousand cells most wait: a box that nobody can check says nothing, and costs a frame of scrolling. */}
        {(isPicked || hasCurves(row)) && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Curves of ${name}`}
            title={whyNot ?? 'Draw its curves beside those of other cells (Space)'}
            checked={isPicked}
            disabled={whyNot !== null}
            onChange={() => onPick(row)}
          />
        )}
        {place + 1}
      </td>
      <td role="gridcell" title={`${name}\n${command}`}>
        {name}
      </td>
      <td role="gridcell" title={`${title}${twiceWords(cell)}`}>
        <Glyph tone={cell.isTwice ? 'danger' : cell.mayBeTwice === true ? 'warn' : tone} />
        {words}
        {cell.isTwice ? ', twice' : cell.mayBeTwice === true && ', maybe twice'}
      </td>
      <td role="gridcell" title={boxWords}>
        {boxWords}
      </td>
      <td role="gridcell" className={styles['began']}>
        {beganAtMs === null ? '–' : formatDate(beganAtMs)}
      </td>
      <td role="gridcell">
        <Took row={row} />
      </td>
      <td role="gridcell" className={classNames(isBest && styles['isBest'])}>
        {figure === null ? '–' : formatFigure(figure)}
        {isBest && ' best'}
      </td>
      <td role="gridcell">
        <Cost row={row} price={price} />
      </td>
    </tr>
  );
});

function twiceWords({ isTwice, mayBeTwice }: SweepRow['cell']): string {
  if (isTwice) return ' More than one run has it.';
  return mayBeTwice === true ? ' A box that was not reached may have it as well.' : '';
}

function Took({ row: { beganAtMs, endedAtMs, isSeenNow, cell } }: { readonly row: SweepRow }) {
  if (beganAtMs === null) return '–';
  if (endedAtMs !== null) return formatDuration(endedAtMs - beganAtMs);
  return cell.state.kind === 'running' && isSeenNow ? <Elapsed sinceMs={beganAtMs} /> : END_UNSEEN;
}

function Cost({ row, price }: { readonly row: SweepRow; readonly price: Money | null }) {
  const { beganAtMs, endedAtMs, isSeenNow, slots, cell } = row;
  if (beganAtMs === null) return '–';
  if (price === null) return 'no full price';
  if (endedAtMs !== null)
    return formatMoneyBriefly(shareOf(price, (endedAtMs - beganAtMs) / HOUR_MS / slots));
  return cell.state.kind === 'running' && isSeenNow ? (
    <Growing price={shareOf(price, 1 / slots)} sinceMs={beganAtMs} />
  ) : (
    END_UNSEEN
  );
}

function Growing({ price, sinceMs }: { readonly price: Money; readonly sinceMs: number }) {
  return useClock((nowMs) =>
    formatMoneyBriefly(shareOf(price, Math.max(0, nowMs - sinceMs) / HOUR_MS)),
  );
}
