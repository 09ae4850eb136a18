import { useMemo, useRef, type ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { RowSpace } from '../../../ui/row-space.tsx';
import { useRowWindow } from '../../../ui/row-window.ts';
import styles from './results-list.module.css';

/** As results-list.module.css has them. */
const ROW_PX = 28;
const HEAD_PX = 30;

export interface ResultColumn<T> {
  readonly name: string;
  readonly look: 'name' | 'size' | 'age' | 'held' | 'fate' | 'figure';
  readonly cell: (row: T) => ReactNode;
  readonly titleOf?: (row: T) => string;
}

interface ResultTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly ResultColumn<T>[];
}

/** What lies in a results folder, of which only what is in view is drawn. */
export function ResultTable<T>({ label, rows, keyOf, columns }: ResultTableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => rows.map(() => ROW_PX), [rows]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className={styles['table']} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, look }) => (
              <th key={name} scope="col" className={styles[look]}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <RowSpace heightPx={view.beforePx} />
          {rows.slice(view.first, view.end).map((row, at) => (
            <tr key={keyOf(row)} aria-rowindex={view.first + at + 2}>
              {columns.map(({ name, look, cell, titleOf }) => (
                <td
                  key={name}
                  className={classNames(styles[look], look === 'name' && 'mono selectable')}
                  title={titleOf?.(row)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
      </table>
    </div>
  );
}
