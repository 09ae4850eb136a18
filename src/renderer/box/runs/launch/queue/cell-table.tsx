import { useMemo, useRef } from 'react';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import type { QueueCell } from '../../../../../shared/runs/queue/queue-cell.ts';
import type { CellState } from '../../../../../shared/runs/queue/queue-view.ts';
import { cellWords } from '../../../../../shared/runs/queue/queue-words.ts';
import { Elapsed } from '../../../../ui/age.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { formatDate, formatDuration } from '../../../../ui/format.ts';
import { Glyph } from '../../../../ui/glyph.tsx';
import { RowSpace } from '../../../../ui/row-space.tsx';
import { useRowWindow } from '../../../../ui/row-window.ts';
import type { OpenedCell } from './cell-log.tsx';
import styles from './queue.module.css';

/** As queue.module.css has them. */
const ROW_PX = 28;
const HEAD_PX = 30;

interface CellTableProps {
  readonly cells: readonly QueueCell[];
  readonly states: readonly CellState[];
  readonly isSeenNow: boolean;
  /** The index of the cell whose log is shown; null: none is. */
  readonly opened: number | null;
  readonly onOpen: (cell: OpenedCell) => void;
}

/** Thousands of cells scroll like a dozen: only rows in view are in the page. */
export function CellTable({ cells, states, isSeenNow, opened, onOpen }: CellTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => cells.map(() => ROW_PX), [cells]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      tabIndex={0}
      role="group"
      aria-label="Cells of the queue"
    >
      <table className={styles['table']} aria-rowcount={cells.length + 1} aria-label="Cells">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['index']}>
              No.
            </th>
            <th scope="col">Name</th>
            <th scope="col" className={styles['state']}>
              State
            </th>
            <th scope="col" className={styles['began']}>
              Began
            </th>
            <th scope="col" className={styles['took']}>
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          <RowSpace heightPx={view.beforePx} />
          {cells.slice(view.first, view.end).map((cell, at) => {
            const index = view.first + at + 1;
            return (
              <CellRow
                key={index}
                index={index}
                cell={cell}
                state={states[index - 1] ?? { kind: 'waiting' }}
                isSeenNow={isSeenNow}
                isOpened={index === opened}
                onOpen={onOpen}
              />
            );
          })}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
      </table>
    </div>
  );
}

interface CellRowProps extends Pick<CellTableProps, 'isSeenNow' | 'onOpen'> {
  readonly index: number;
  readonly cell: QueueCell;
  readonly state: CellState;
  readonly isOpened: boolean;
}

function CellRow({ index, cell, state, isSeenNow, isOpened, onOpen }: CellRowProps) {
  const { tone, words, title } = cellWords(state, isSeenNow);
  const name = plainLine(cell.name, 200);
  const hasLog = 'beganAtMs' in state;
  return (
    <tr
      aria-rowindex={index + 1}
      aria-current={isOpened}
      className={classNames(hasLog && styles['opens'])}
      onClick={hasLog ? () => onOpen({ index, name }) : undefined}
    >
      <td className={styles['index']}>{index}</td>
      <td title={`${name}\n${plainLine(cell.command, 400)}`}>
        {hasLog ? (
          // What is pressed on it is the row's too.
          <button type="button" className={styles['cell']} aria-expanded={isOpened}>
            {name}
          </button>
        ) : (
          name
        )}
      </td>
      <td title={title}>
        <span className={styles['mark']}>
          <Glyph tone={tone} />
          {words}
        </span>
      </td>
      <td>{'beganAtMs' in state ? formatDate(state.beganAtMs) : '–'}</td>
      <td>
        <Took state={state} isSeenNow={isSeenNow} />
      </td>
    </tr>
  );
}

function Took({ state, isSeenNow }: { readonly state: CellState; readonly isSeenNow: boolean }) {
  switch (state.kind) {
    case 'done':
    case 'failed':
    case 'uncopied':
      return formatDuration(state.atMs - state.beganAtMs);
    case 'running':
    case 'copying':
      return isSeenNow ? <Elapsed sinceMs={state.beganAtMs} /> : 'not known';
    case 'interrupted':
      return state.atMs === null ? 'not known' : formatDuration(state.atMs - state.beganAtMs);
    case 'commented':
    case 'waiting':
      return '–';
  }
}
