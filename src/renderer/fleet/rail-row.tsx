import { memo } from 'react';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { ClockMark } from '../clocks/clock-mark.tsx';
import { useClockSummary } from '../clocks/use-clock-summary.ts';
import { selectIsAsking, useQuestions } from '../state/feeds.ts';
import { boxChosen } from '../state/view.ts';
import { classNames } from '../ui/class-names.ts';
import { useClockParts } from '../ui/clock.ts';
import { CutName } from '../ui/cut-name.tsx';
import { formatQuantity } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { describeStatus } from './box-status.ts';
import { describeBox } from './gpu-names.ts';
import { useAwake } from './use-awake.ts';
import { FindingMark } from './worst-finding.tsx';
import styles from './rail.module.css';

interface RailRowProps {
  readonly entry: FleetEntry;
  /** From 1, of `count`: not all of them are in the page. */
  readonly place: number;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
}

/** Renders again only when its own box changed, or its words do with the time that passes. */
export const RailRow = memo(function RailRow({
  entry,
  place,
  count,
  isCurrent,
  isTabStop,
}: RailRowProps) {
  const isAsking = useQuestions(selectIsAsking(entry.box.id));
  const { tone, word, detail, smPct } = useClockParts((nowMs) =>
    describeStatus(entry, nowMs, isAsking),
  );
  const { id, name } = entry.box;
  const isAlarming = tone === 'warn' || tone === 'danger';
  // A known load comes first; otherwise what is wrong does, with its detail below. Where that has none, the word below says it all.
  const isUnknown = smPct === null && detail === null;
  const figure = isUnknown ? null : smPct === null ? word : formatQuantity(smPct, '%');
  const found = useAwake(id).findings[0];
  // What is found now says more than the word for a load, also for one that a lost card does not tell; other states say what
  // hides it.
  const isSeen = smPct !== null || (tone === 'unknown' && found?.notSeenBecause === null);
  const finding = isSeen ? found : undefined;
  const clock = useClockSummary(id);
  // An end that is near counts more than the load; one that is far is shown where there is no load.
  const isNear = clock?.tone === 'warn' || clock?.tone === 'danger';
  const shownClock =
    clock !== null && (isNear || (isUnknown && clock.atMs !== null)) ? clock : null;
  const second = shownClock !== null && smPct !== null ? figure : (detail ?? word);
  return (
    <li aria-posinset={place} aria-setsize={count}>
      <button
        type="button"
        className={styles['row']}
        aria-current={isCurrent ? 'page' : undefined}
        data-box
        data-roving={id}
        tabIndex={isTabStop ? 0 : -1}
        title={name}
        onClick={() => boxChosen(id)}
      >
        <Glyph tone={tone} />
        <span className={styles['line']}>
          <CutName name={name} className={styles['name']} />
          {shownClock !== null ? (
            <ClockMark clock={shownClock} />
          ) : (
            figure !== null && (
              <span className={classNames(styles['figure'], 'figures')}>{figure}</span>
            )
          )}
        </span>
        <span className={styles['line']}>
          <span className={styles['place']}>{describeBox(entry)}</span>
          <span className={classNames(styles['word'], 'figures', isAlarming && styles[tone])}>
            {finding === undefined ? second : <FindingMark finding={finding} />}
          </span>
        </span>
      </button>
    </li>
  );
});
