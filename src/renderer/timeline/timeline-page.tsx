import { CalendarClock } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { TIMELINE_MS } from '../../shared/clocks/when.ts';
import { moneyWords, NOTHING_PRICED } from '../../shared/meter/money-words.ts';
import {
  selectAllClocks,
  selectEntries,
  selectMeters,
  useClocks,
  useFleet,
  useMeter,
} from '../state/feeds.ts';
import { overlayOpened } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { useClock } from '../ui/clock.ts';
import { useEdgeKeys } from '../ui/edge-keys.ts';
import { Dash } from '../ui/figure.tsx';
import { formatCount } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState, FailedState, LoadingState } from '../ui/panel-state.tsx';
import { useRovingFocus } from '../ui/roving-focus.ts';
import { RowSpace } from '../ui/row-space.tsx';
import { useRowWindow } from '../ui/row-window.ts';
import {
  NEAR_SHARE,
  sumCosts,
  TIMELINE_HOURS,
  timelineDays,
  timelineRows,
  type TimelineDay,
} from './timeline.ts';
import { TimelineBox } from './timeline-box.tsx';
import styles from './timeline.module.css';

const MINUTE_MS = 60_000;
/** As timeline.module.css has them. */
const ROW_PX = 76;
const HEAD_PX = 46;
const DAYS = TIMELINE_MS / 86_400_000;

/** What comes to every box in the next days if nobody does anything, and what it will have cost. */
export function TimelinePage() {
  const fleet = useFleet();
  const feed = useClocks();
  const entries = useFleet(selectEntries);
  return (
    <>
      <PageHeader
        title="Timeline"
        meta={`Next ${DAYS} days at the current burn rate, if you change nothing`}
      />
      {feed.kind === 'failed' && <FailedState problem={feed.problem} />}
      {feed.kind !== 'failed' && (fleet.kind === 'loading' || feed.kind === 'loading') && (
        <LoadingState title="Reading the deadlines…" />
      )}
      {feed.kind === 'live' && entries.length === 0 && <NoBoxes />}
      {feed.kind === 'live' && entries.length > 0 && <Timeline />}
    </>
  );
}

function NoBoxes() {
  return (
    <EmptyState
      icon={<CalendarClock size={30} strokeWidth={1.4} />}
      title="No boxes"
      actions={
        <Button look="primary" onClick={() => overlayOpened({ kind: 'add-box' })}>
          Add box
        </Button>
      }
    >
      <p>What will happen to your boxes by itself is shown here, hour by hour and day by day.</p>
    </EmptyState>
  );
}

function Timeline() {
  const entries = useFleet(selectEntries);
  const clocks = useClocks(selectAllClocks);
  const meters = useMeter(selectMeters);
  // Days are shown: a second moves nothing that anybody sees.
  const nowMs = useClock((now) => Math.floor(now / MINUTE_MS) * MINUTE_MS);
  const rows = useMemo(
    () => timelineRows({ entries, clocks, meters, nowMs }),
    [entries, clocks, meters, nowMs],
  );
  const days = useMemo(() => timelineDays(nowMs), [nowMs]);
  const { money, unknownBoxes } = sumCosts(rows);
  const scroller = useRef<HTMLDivElement>(null);
  const count = rows.length;
  const heights = useMemo(() => Array.from({ length: count }, () => ROW_PX), [count]);
  const view = useRowWindow(scroller, heights, { headPx: HEAD_PX, isHeadSticky: true });
  const inView = rows.slice(view.first, view.end);
  const { stop, listProps } = useRovingFocus(rows[0]?.entry.box.id ?? '');
  const isStopThere = inView.some(({ entry }) => entry.box.id === stop);
  const tabStop = isStopThere ? stop : inView[0]?.entry.box.id;
  const goToEdge = useEdgeKeys(scroller, {
    Home: { id: rows[0]?.entry.box.id, scrollTo: () => view.reveal(0) },
    End: { id: rows.at(-1)?.entry.box.id, scrollTo: () => view.reveal(count - 1) },
  });
  return (
    <div ref={scroller} className={styles['scroller']}>
      <table
        className={styles['table']}
        aria-label="What comes to each box"
        aria-rowcount={count + 2}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['box']}>
              Box
            </th>
            <th scope="col" className={styles['days']} aria-label={`The next ${DAYS} days`}>
              <Axis days={days} />
            </th>
            <th scope="col" className={styles['next']}>
              Next event
            </th>
            <th scope="col" className={styles['cost']}>
              Projected cost
            </th>
          </tr>
        </thead>
        <tbody
          {...listProps}
          onKeyDown={(event) => {
            if (!goToEdge(event)) listProps.onKeyDown(event);
          }}
        >
          <RowSpace heightPx={view.beforePx} />
          {inView.map((row, i) => (
            <TimelineBox
              key={row.entry.box.id}
              row={row}
              days={days}
              nowMs={nowMs}
              ariaRow={view.first + i + 2}
              isTabStop={row.entry.box.id === tabStop}
            />
          ))}
          <RowSpace heightPx={view.afterPx} />
        </tbody>
        <tfoot>
          <tr aria-rowindex={count + 2}>
            <th scope="row" colSpan={3}>
              All boxes
              {unknownBoxes > 0 && (
                <small>
                  Excludes {formatCount(unknownBoxes, 'box', 'boxes')} without a full price
                </small>
              )}
            </th>
            <td className={styles['cost']}>
              {money.length === 0 && unknownBoxes > 0 ? (
                <Dash why="No box has a price, or none is connected" />
              ) : (
                moneyWords(money) || NOTHING_PRICED
              )}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** The next day by its hours, then the days: each is marked, and every third one named. */
function Axis({ days }: { readonly days: readonly TimelineDay[] }) {
  return (
    <span className={styles['axis']} aria-hidden="true">
      <span style={{ left: 0 }}>now</span>
      {TIMELINE_HOURS.map(({ share, label }) => (
        <span key={label} style={{ left: `${share * 100}%` }}>
          {label}
        </span>
      ))}
      {days.map(({ atMs, share, label }, i) => (
        <span
          key={atMs}
          style={{ left: `${share * 100}%` }}
          data-odd={i % 3 === 0 ? undefined : ''}
          data-near={share < NEAR_SHARE + 0.06 ? '' : undefined}
        >
          {label}
        </span>
      ))}
    </span>
  );
}
