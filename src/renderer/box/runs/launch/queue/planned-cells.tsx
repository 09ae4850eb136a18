import { useMemo, useRef } from 'react';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import type { PlannedCell, QueuePlan } from '../../../../../shared/runs/queue/queue-plan.ts';
import { formatCount } from '../../../../ui/format.ts';
import { RowSpace } from '../../../../ui/row-space.tsx';
import { useRowWindow } from '../../../../ui/row-window.ts';
import { atOnceWords } from '../../../../../shared/runs/queue/workload.ts';
import styles from './queue.module.css';

const ROW_PX = 28;
const HEAD_PX = 30;

/** Exactly the cells that a launch runs. */
export function PlannedCells({ queue }: { readonly queue: QueuePlan }) {
  const { cells, slots, commented, finished, stopsAtFailure } = queue;
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => cells.map(() => ROW_PX), [cells]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  const again = cells.filter(({ isInterrupted }) => isInterrupted);
  const copied = cells.filter(({ isCopyOnly }) => isCopyOnly === true);
  return (
    <div className={styles['planned']}>
      <p>
        <strong>{formatCount(cells.length, 'cell')}</strong>, {atOnceWords(slots)}.
        {finished > 0 &&
          ` ${formatCount(finished, 'cell')} that ${finished === 1 ? 'has' : 'have'} finished will not run again.`}
        {commented > 0 && ` ${formatCount(commented, 'cell')} left out.`}
        {stopsAtFailure === true && ' The first one that fails is the last one.'}
        {stopsAtFailure === false && ' One that fails does not stop the others.'}
      </p>
      {again.length > 0 && (
        <p>
          Interrupted, and run again from {again.length === 1 ? 'its' : 'their'} beginning:{' '}
          {firstNames(again)}.
        </p>
      )}
      {copied.length > 0 && (
        <p>
          Not run again, because {copied.length === 1 ? 'it has' : 'they have'} succeeded: only the
          results are copied of {firstNames(copied)}.
        </p>
      )}
      <div
        ref={scroller}
        className={styles['plannedScroller']}
        tabIndex={0}
        role="group"
        aria-label="Cells that will run"
      >
        <table className={styles['table']} aria-rowcount={cells.length + 1} aria-label="Cells">
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={styles['index']}>
                No.
              </th>
              <th scope="col" className={styles['name']}>
                Name
              </th>
              <th scope="col">Command</th>
            </tr>
          </thead>
          <tbody>
            <RowSpace heightPx={view.beforePx} />
            {cells.slice(view.first, view.end).map(({ index, name, command }, at) => (
              <tr key={index} aria-rowindex={view.first + at + 2}>
                <td className={styles['index']}>{index}</td>
                <td className={styles['name']} title={plainLine(name, 200)}>
                  {plainLine(name, 200)}
                </td>
                <td className="mono" title={plainLine(command, 400)}>
                  {plainLine(command, 400)}
                </td>
              </tr>
            ))}
            <RowSpace heightPx={view.afterPx} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

const firstNames = (cells: readonly PlannedCell[]): string =>
  cells
    .slice(0, 5)
    .map(({ index, name }) => `${String(index)} (${plainLine(name, 100)})`)
    .join(', ');
