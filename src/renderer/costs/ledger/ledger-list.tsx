import { useMemo, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatDate, formatDuration } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { RowSpace } from '../../ui/row-space.tsx';
import { useRowWindow } from '../../ui/row-window.ts';
import { isUnresolved, type LedgerRow } from './ledger-rows.ts';
import {
  amountOf,
  chargesOf,
  PHASE_WORDS,
  SOURCE_HINTS,
  SOURCE_WORDS,
  takenOutWords,
} from './ledger-words.ts';
import styles from './ledger.module.css';

/** As ledger.module.css has them. */
const ROW_PX = 46;
const HEAD_PX = 34;

type Phase = 'running' | 'stopped' | 'destroyed';

interface LedgerListProps {
  readonly rows: readonly LedgerRow[];
  readonly onSettle: (row: LedgerRow, as: Phase) => void;
  readonly onCorrect: (row: LedgerRow) => void;
}

/** A year of lines scrolls like a day of them: only rows in view are in the page. */
export function LedgerList({ rows, onSettle, onCorrect }: LedgerListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => rows.map(() => ROW_PX), [rows]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  if (rows.length === 0) return <p className={styles['empty']}>No line.</p>;
  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      tabIndex={0}
      role="group"
      aria-label="Lines of the ledger"
    >
      <table className={styles['table']} aria-rowcount={rows.length + 1} aria-label="Ledger">
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['when']}>
              From
            </th>
            <th scope="col" className={styles['lasted']}>
              Lasted
            </th>
            <th scope="col" className={styles['state']}>
              State
            </th>
            <th scope="col">What</th>
            <th scope="col" className={styles['amount']}>
              Amount
            </th>
            <th scope="col" className={styles['actions']}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <RowSpace heightPx={view.beforePx} />
          {rows.slice(view.first, view.end).map((row, i) => (
            <Line
              key={row.no}
              row={row}
              place={view.first + i + 2}
              onSettle={onSettle}
              onCorrect={onCorrect}
            />
          ))}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
      </table>
    </div>
  );
}

interface LineProps {
  readonly row: LedgerRow;
  readonly place: number;
  readonly onSettle: (row: LedgerRow, as: Phase) => void;
  readonly onCorrect: (row: LedgerRow) => void;
}

function Line({ row, place, onSettle, onCorrect }: LineProps) {
  const { atMs, line, takenOut } = row;
  const { source } = line.kind === 'time' ? line.interval : line.transfer;
  const charges = chargesOf(row);
  const amount = `${isUnresolved(row) ? 'at most ' : ''}${amountOf(row)}`;
  const name = formatDate(atMs);
  return (
    <tr aria-rowindex={place} className={classNames(takenOut !== null && styles['out'])}>
      <td>{name}</td>
      <td className={styles['lasted']}>
        {line.kind === 'time' ? formatDuration(line.interval.ms) : '–'}
      </td>
      <td>
        {line.kind === 'time' ? PHASE_WORDS[line.interval.phase] : 'transfer'}
        <small title={SOURCE_HINTS[source]}>{SOURCE_WORDS[source]}</small>
      </td>
      <td
        className={styles['what']}
        title={takenOut === null ? charges : `${charges}\n${takenOutWords(takenOut)}`}
      >
        {takenOut === null ? <span>{charges}</span> : charges}
        {takenOut !== null && <small>{takenOutWords(takenOut)}</small>}
      </td>
      <td className={styles['amount']} title={amount}>
        <span>{amount}</span>
      </td>
      <td className={styles['actions']}>
        {isUnresolved(row) && (
          <Menu
            trigger={
              <Button size="small" aria-label={`Settle the line of ${name}`}>
                Settle…
              </Button>
            }
          >
            <MenuItem hint="it counts" onSelect={() => onSettle(row, 'running')}>
              It was running
            </MenuItem>
            <MenuItem
              hint="at the price of a stopped box"
              onSelect={() => onSettle(row, 'stopped')}
            >
              It was stopped
            </MenuItem>
            <MenuItem onSelect={() => onSettle(row, 'destroyed')}>It was destroyed</MenuItem>
          </Menu>
        )}
        {takenOut === null && (
          <Button
            size="small"
            look="quiet"
            aria-label={`Correct the line of ${name}`}
            onClick={() => onCorrect(row)}
          >
            Correct…
          </Button>
        )}
      </td>
    </tr>
  );
}
