import { useState } from 'react';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { formatCount } from '../../ui/format.ts';
import { formatMoment } from './chart-summary.ts';
import styles from './event-list.module.css';
import type { EventMark } from './event-marks.ts';
import type { OverviewModel } from './overview-model.ts';
import { cursorLeft, cursorMoved } from './time-cursor.ts';

/** As many as can be read at a glance; the others on demand. */
const FEW = 3;

interface EventListProps {
  readonly model: OverviewModel;
  /** The chart that explains the event where the cursor goes. */
  readonly noteOn: string;
}

/** What happened in the window, newest first. Pointing at one, or Tab, shows it in the charts. */
export function EventList({ model, noteOn }: EventListProps) {
  const [isAll, setIsAll] = useState(false);
  const { marks, axis } = model;
  if (marks.length === 0) return null;
  const newest = [...marks].reverse();
  const shown = isAll ? newest : newest.slice(0, FEW);
  const show = ({ atMs }: EventMark): void =>
    cursorMoved((atMs - axis.fromMs) / (axis.toMs - axis.fromMs), noteOn);
  return (
    <section className={styles['events']} aria-label="Events in this time">
      <ul>
        {shown.map((mark) => (
          <li key={mark.key}>
            <button
              type="button"
              className={styles['event']}
              onFocus={() => show(mark)}
              onPointerEnter={() => show(mark)}
              onBlur={cursorLeft}
              onPointerLeave={cursorLeft}
            >
              <Glyph tone={mark.tone} />
              <span className="figures">{formatMoment(mark.atMs)}</span>
              <strong>{mark.label}</strong>
              <span className={styles['text']}>{mark.text}</span>
            </button>
            {mark.clue !== null && (
              <code className={styles['clue']}>
                {showHidden(mark.clue.slice(0, MAX_CLUE_CHARS))}
              </code>
            )}
          </li>
        ))}
      </ul>
      {marks.length > FEW && (
        <button type="button" className={styles['more']} onClick={() => setIsAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show all ${formatCount(marks.length, 'event')}`}
        </button>
      )}
    </section>
  );
}

const MAX_CLUE_CHARS = 300;
