import { memo } from 'react';
import { formatWhen } from '../../shared/clocks/when.ts';
import { afterEndWords } from '../clocks/after-end-words.ts';
import { useBehindWords } from '../clocks/use-behind-words.ts';
import { clockTone, dueWords, knownWords, mayRunWords } from '../clocks/clock-words.ts';
import { burnWords } from '../../shared/meter/money-words.ts';
import { BurnFigure } from '../costs/cost-figures.tsx';
import { describeBox } from '../fleet/gpu-names.ts';
import { boxChosen } from '../state/view.ts';
import { classNames } from '../ui/class-names.ts';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { NEAR_SHARE, type TimelineDay, type TimelineMark, type TimelineRow } from './timeline.ts';
import styles from './timeline.module.css';

interface TimelineBoxProps {
  readonly row: TimelineRow;
  readonly days: readonly TimelineDay[];
  readonly nowMs: number;
  /** From 2: the head is the first row of the table. */
  readonly ariaRow: number;
  readonly isTabStop: boolean;
}

/** One box: its days as a picture, and everything in the picture as words beside it. */
export const TimelineBox = memo(function TimelineBox({
  row,
  days,
  nowMs,
  ariaRow,
  isTabStop,
}: TimelineBoxProps) {
  const { entry, cost, costUntilMs } = row;
  const { id, name } = entry.box;
  return (
    <tr aria-rowindex={ariaRow}>
      <th scope="row" className={styles['box']}>
        <button
          type="button"
          data-roving={id}
          tabIndex={isTabStop ? 0 : -1}
          title={name}
          onClick={() => boxChosen(id)}
        >
          {name}
        </button>
        <small>{describeBox(entry)}</small>
      </th>
      <td className={styles['days']}>
        <Strip row={row} days={days} nowMs={nowMs} />
      </td>
      <td className={styles['next']}>
        <Next row={row} nowMs={nowMs} />
      </td>
      <td
        className={styles['cost']}
        title={
          cost === null ? undefined : `${burnWords(cost, '')} until ${formatWhen(costUntilMs)}`
        }
      >
        <span className={styles['sum']}>
          <BurnFigure burn={cost} per="" />
        </span>
      </td>
    </tr>
  );
});

/** Hidden from screen readers: the words beside it say the same. */
function Strip({ row, days, nowMs }: Pick<TimelineBoxProps, 'row' | 'days' | 'nowMs'>) {
  const { marks, costUntilMs } = row;
  const end = marks.find(({ atMs }) => atMs === costUntilMs);
  return (
    <div className={styles['strip']} aria-hidden="true">
      {days.map(({ atMs, share, isWeekend }) => (
        <i
          key={atMs}
          className={styles['day']}
          data-weekend={isWeekend ? '' : undefined}
          style={{ left: `${share * 100}%` }}
        />
      ))}
      <i className={styles['day']} data-edge="" style={{ left: `${NEAR_SHARE * 100}%` }} />
      <span
        className={styles['life']}
        data-ends={end === undefined ? undefined : ''}
        style={{ width: `${(end?.share ?? 1) * 100}%` }}
      />
      {marks.map((mark) => (
        <span
          key={mark.clock.id}
          className={styles['mark']}
          title={markWords(mark)}
          style={{ left: `${mark.share * 100}%` }}
        >
          <Glyph tone={clockTone(mark.clock, nowMs)} />
        </span>
      ))}
    </div>
  );
}

function Next({ row, nowMs }: Pick<TimelineBoxProps, 'row' | 'nowMs'>) {
  const { entry, marks, other, mayRun } = row;
  const [first, ...more] = marks;
  const clock = first?.clock ?? other;
  const behind = useBehindWords(entry.box.id);
  const unseen = mayRunWords(mayRun);
  const isUnseen = mayRun.length > 0;
  if (clock === null) {
    return (
      <>
        <span className={styles['line']} title={isUnseen ? unseen.title : undefined}>
          <Glyph tone={isUnseen ? 'unknown' : 'off'} />
          <span>{isUnseen ? `${unseen.words} may be running` : 'Nothing scheduled'}</span>
          {isUnseen && <span className="sr-only">. {unseen.title}</span>}
        </span>
        {behind.short !== null && (
          <small title={behind.title}>
            {behind.short}
            {behind.tone === 'unknown' && <span className="sr-only">. {behind.sentence}</span>}
          </small>
        )}
      </>
    );
  }
  const tone = clockTone(clock, nowMs);
  const { figure, after } = dueWords(clock, nowMs);
  const isOver = first !== undefined && first.atMs <= nowMs;
  const rest = [
    isOver && afterEndWords(entry.link),
    behind.forecast,
    more.length > 0 && `then ${more.length} more`,
    isUnseen && `${formatCount(mayRun.length, 'deadline')} may be running`,
  ].filter((words) => words !== false && words !== null);
  return (
    <>
      <span
        className={styles['line']}
        title={`${clock.event}, ${figure} ${after}: ${clock.trigger} (${knownWords(clock.known)})`}
      >
        <Glyph tone={tone} />
        <span className={styles['event']}>{clock.event}</span>
        <span className={classNames('figures', styles['time'], styles[tone])}>
          {`${figure} ${after}`}
        </span>
      </span>
      {clock.consequence !== clock.event && (
        <small title={clock.consequence}>{clock.consequence}</small>
      )}
      {rest.length > 0 && (
        <small
          title={[
            behind.title,
            rest.join(' · '),
            ...more.map(markWords),
            ...(isUnseen ? [unseen.title] : []),
          ].join('\n')}
        >
          {rest.join(' · ')}
          <span className="sr-only">
            {more.map((mark) => `. ${markWords(mark)}`)}
            {behind.tone === 'unknown' && `. ${behind.sentence}`}
          </span>
        </small>
      )}
    </>
  );
}

function markWords({ clock, atMs }: TimelineMark): string {
  const about = clock.due.kind === 'at' && clock.due.isEstimate ? 'about ' : '';
  return `${about}${formatWhen(atMs)}: ${clock.event}`;
}
