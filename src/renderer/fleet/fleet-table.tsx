import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useLayoutEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import {
  fleetColumns,
  type FleetColumn,
  type FleetView,
} from '../../shared/settings/fleet-view.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { boxChosen } from '../state/view.ts';
import { classNames } from '../ui/class-names.ts';
import { formatCount } from '../ui/format.ts';
import { RowSpace } from '../ui/row-space.tsx';
import { useRowWindow } from '../ui/row-window.ts';
import { COLUMNS } from './fleet-columns.ts';
import { BoxRow, GroupRow } from './fleet-row.tsx';
import type { FleetKnowledge, FleetRow } from './fleet-rows.ts';
import { LateSums } from './late-sums.tsx';
import styles from './fleet-table.module.css';
import { groupFolded, headingPressed, rowActivated, useFleetViewState } from './fleet-view.ts';

/** As fleet-table.module.css has them. */
const ROW_PX: Readonly<Record<FleetRow['kind'], number>> = { box: 52, group: 40 };
const HEAD_PX = 36;
const TOTALS_PX = 40;

interface FleetTableProps {
  readonly known: FleetKnowledge;
  readonly shown: readonly FleetEntry[];
  readonly rows: readonly FleetRow[];
  readonly order: FleetView;
  /** The person is at these rows: they should not change their places now. */
  readonly onTouched: () => void;
}

export function FleetTable({ known, shown, rows, order, onTouched }: FleetTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const hasTotals = shown.length > 1;
  const headRows = hasTotals ? 2 : 1;
  const kinds = rows.map(({ kind }) => kind).join();
  const heights = useMemo(
    () => (kinds === '' ? [] : kinds.split(',').map((kind) => ROW_PX[kind as FleetRow['kind']])),
    [kinds],
  );
  const headPx = HEAD_PX + (hasTotals ? TOTALS_PX : 0);
  const view = useRowWindow(scroller, heights, { headPx, isHeadSticky: true });
  const { activeKey, listProps } = useRowKeys(scroller, rows, view);
  const isGrouped = order.groupBy !== 'none';
  const inView = rows.slice(view.first, view.end);
  // The row that had the focus may have been scrolled away.
  const tabStop = inView.some(({ key }) => key === activeKey) ? activeKey : inView[0]?.key;
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      onPointerMove={onTouched}
      onKeyDownCapture={onTouched}
    >
      <table
        className={styles['table']}
        role={isGrouped ? 'treegrid' : 'grid'}
        aria-label="Boxes"
        aria-rowcount={rows.length + headRows}
        {...listProps}
      >
        <thead>
          <Headings order={order} />
          {hasTotals && (
            <tr className={styles['totals']} aria-rowindex={2}>
              <td className={styles['group']} colSpan={2}>
                Total <small>{describeCounts(shown)}</small>
              </td>
              <LateSums entries={shown} known={known} />
            </tr>
          )}
        </thead>
        <tbody>
          <RowSpace heightPx={view.beforePx} />
          {inView.map((row, i) => {
            const place = {
              rowKey: row.key,
              ariaRow: view.first + i + headRows + 1,
              isTabStop: row.key === tabStop,
              isGrouped,
            };
            return row.kind === 'group' ? (
              <GroupRow key={row.key} group={row.group} known={known} {...place} />
            ) : (
              <BoxRow key={row.key} entry={row.entry} {...place} />
            );
          })}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
      </table>
    </div>
  );
}

const Headings = memo(function Headings({ order }: { readonly order: FleetView }) {
  return (
    <tr aria-rowindex={1}>
      {fleetColumns.map((column) => (
        <Heading key={column} column={column} order={order} />
      ))}
      <th scope="col" className={styles['menu']}>
        <span className="sr-only">Actions</span>
      </th>
    </tr>
  );
});

interface HeadingProps {
  readonly column: FleetColumn;
  readonly order: FleetView;
}

function Heading({ column, order }: HeadingProps) {
  const { label, hint, isNumber } = COLUMNS[column];
  const isSorted = order.sortBy === column;
  const Arrow = order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={classNames(styles[column], isNumber && styles['number'])}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title={hint} onClick={() => headingPressed(column)}>
        <span>{label}</span>
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

function describeCounts(entries: readonly FleetEntry[]): string {
  return formatCount(entries.length, 'box', 'boxes');
}

type View = ReturnType<typeof useRowWindow>;

/** One Tab stop among the rows: arrows, Page, Home and End move it, Enter opens, Left and Right fold and go into a row. */
function useRowKeys(
  scroller: { readonly current: HTMLElement | null },
  rows: readonly FleetRow[],
  view: View,
) {
  const remembered = useFleetViewState((state) => state.activeKey);
  const active = rows.find(({ key }) => key === remembered) ?? rows[0];
  const wantsFocus = useRef<string | null>(null);

  const rowElement = (key: string): HTMLElement | null =>
    [...(scroller.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find(
      ({ dataset }) => dataset['row'] === key,
    ) ?? null;

  // A row that is not there yet gets the focus when it is; one that changed its place keeps it.
  useLayoutEffect(() => {
    const key = wantsFocus.current;
    if (key === null) return;
    const element = rowElement(key);
    if (element === null) return;
    wantsFocus.current = null;
    element.focus({ preventScroll: true });
  });

  function moveTo(index: number): void {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (row === undefined) return;
    view.reveal(rows.indexOf(row));
    rowActivated(row.key);
    wantsFocus.current = row.key;
    const element = rowElement(row.key);
    if (element === null) return;
    wantsFocus.current = null;
    element.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const element = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    const at = rows.findIndex(({ key }) => key === element?.dataset['row']);
    const row = rows[at];
    if (element === null || row === undefined || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const isOnRow = event.target === element;
    if (act(event.key, { at, row, element, isOnRow })) event.preventDefault();
  }

  interface Place {
    readonly at: number;
    readonly row: FleetRow;
    readonly element: HTMLElement;
    readonly isOnRow: boolean;
  }

  /** False: the key means nothing here. */
  function act(key: string, { at, row, element, isOnRow }: Place): boolean {
    switch (key) {
      case 'ArrowDown':
        moveTo(at + 1);
        return true;
      case 'ArrowUp':
        moveTo(at - 1);
        return true;
      case 'PageDown':
        moveTo(at + view.pageOf());
        return true;
      case 'PageUp':
        moveTo(at - view.pageOf());
        return true;
      case 'Home':
        moveTo(0);
        return true;
      case 'End':
        moveTo(rows.length - 1);
        return true;
      case 'Enter':
        if (!isOnRow) return false;
        if (row.kind === 'box') boxChosen(row.entry.box.id);
        else groupFolded(row.group.id, !row.group.isCollapsed);
        return true;
      case 'ArrowRight':
      case 'ArrowLeft':
        return key === 'ArrowRight' ? goIn(row, element) : goOut(row, element, isOnRow, at);
      case 'ContextMenu':
        element.querySelector<HTMLElement>('[data-menu]')?.click();
        return row.kind === 'box';
      default:
        return false;
    }
  }

  function goIn(row: FleetRow, element: HTMLElement): boolean {
    if (row.kind === 'group') {
      if (row.group.isCollapsed) groupFolded(row.group.id, false);
      return true;
    }
    const controls = [...element.querySelectorAll<HTMLElement>('button[tabindex="0"]')];
    const next = controls.indexOf(document.activeElement as HTMLElement) + 1;
    controls[next]?.focus();
    return true;
  }

  function goOut(row: FleetRow, element: HTMLElement, isOnRow: boolean, at: number): boolean {
    if (!isOnRow) {
      element.focus();
    } else if (row.kind === 'group') {
      if (!row.group.isCollapsed) groupFolded(row.group.id, true);
    } else {
      const heads = rows.slice(0, at).flatMap(({ kind }, i) => (kind === 'group' ? [i] : []));
      const head = heads.at(-1);
      if (head !== undefined) moveTo(head);
    }
    return true;
  }

  function onFocus(event: FocusEvent<HTMLElement>): void {
    const key = event.target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (key !== undefined) rowActivated(key);
  }

  return { activeKey: active?.key ?? null, listProps: { onKeyDown, onFocus } };
}
