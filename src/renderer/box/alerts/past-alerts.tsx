import { useMemo, useState } from 'react';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { severities, type Severity } from '../../../shared/detectors/finding.ts';
import { entryIdOf } from '../../../shared/detectors/alert-words.ts';
import { SEVERITY_TONES, SEVERITY_WORDS, subjectWords } from '../../fleet/finding-words.ts';
import type { Feed } from '../../state/stream-client.ts';
import type { AlertLog } from '../../../shared/streams/alerts-stream.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { FailedState } from '../../ui/panel-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { costSoFar, lastedMs, spanWords, unseenWords } from './alert-words.ts';
import styles from './past-alerts.module.css';
import { CluesFold } from './finding-card.tsx';

type Wanted = Severity | 'all';

const WANTED: readonly { readonly value: Wanted; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  ...severities.map((severity) => ({ value: severity, label: SEVERITY_WORDS[severity] })),
];

/** What was found on the box and is over, the newest end first. */
export function PastAlerts({ log }: { readonly log: Feed<AlertLog> }) {
  const [wanted, setWanted] = useState<Wanted>('all');
  const [words, setWords] = useState('');
  const all = log.kind === 'live' ? log.state : null;
  const shown = useMemo(() => selectPast(all ?? [], wanted, words), [all, wanted, words]);
  if (log.kind === 'failed') return <FailedState problem={log.problem} />;
  return (
    <section className={styles['past']} aria-labelledby="past-alerts">
      <h2 id="past-alerts">History</h2>
      {all === null && <p className={styles['muted']}>Reading what was kept…</p>}
      {all?.length === 0 && (
        <p className={styles['muted']}>Resolved alerts appear here with their duration and cost.</p>
      )}
      {all !== null && all.length > 0 && (
        <>
          <div className={styles['filters']}>
            <Segmented label="Severity" options={WANTED} value={wanted} onChange={setWanted} />
            <SearchField
              label="Filter history"
              placeholder="Filter by words or id"
              emptyLabel="Show all"
              value={words}
              onValue={setWords}
            />
            <span role="status" className={styles['muted']}>
              {shown.length === all.length
                ? formatCount(all.length, 'alert')
                : `${shown.length} of ${formatCount(all.length, 'alert')}`}
            </span>
          </div>
          {shown.length > 0 && <PastTable alerts={shown} />}
        </>
      )}
    </section>
  );
}

function selectPast(alerts: readonly Alert[], wanted: Wanted, words: string): readonly Alert[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  return alerts.filter(({ worst, finding }) => {
    if (wanted !== 'all' && worst !== wanted) return false;
    const text = [finding.detector, finding.title, finding.headline, subjectWords(finding.subject)];
    const whole = text.join(' ').toLowerCase();
    return parts.every((part) => whole.includes(part));
  });
}

function PastTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  return (
    <table className={classNames(styles['table'], 'figures')} aria-label="Resolved alerts">
      <thead>
        <tr>
          <th scope="col">Alert</th>
          <th scope="col">From – to</th>
          <th scope="col">Lasted</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {alerts.map((alert) => (
          <PastRow key={alert.id} alert={alert} />
        ))}
      </tbody>
    </table>
  );
}

function PastRow({ alert }: { readonly alert: Alert }) {
  const { finding, worst, spans, stage } = alert;
  const tone = SEVERITY_TONES[worst];
  const last = spans.at(-1);
  const unseen = last === undefined ? null : unseenWords(last);
  const { detector, title, headline, subject, clues } = finding;
  return (
    <tr>
      <td className="selectable">
        <span className={styles['what']}>
          <Glyph tone={tone} />
          <span className="sr-only">{SEVERITY_WORDS[worst]}: </span>
          <span>{headline}</span>
        </span>
        <small>
          {subjectWords(subject)}
          {stage.kind === 'resolved' && stage.by === 'person' && ' · marked as resolved by you'}
          {' · '}
          <a href={`#${entryIdOf(detector)}`} aria-label={`Handbook: ${title}`}>
            Handbook
          </a>
        </small>
        <CluesFold clues={clues} />
      </td>
      <td>
        {last !== undefined && spanWords(last)}
        {unseen !== null && <small>{unseen}</small>}
        {spans.length > 1 && (
          <small title={spans.map(spanWords).join('\n')}>
            {formatCount(spans.length, 'time')}, first {spans[0] && spanWords(spans[0])}
          </small>
        )}
      </td>
      <td>{formatDuration(lastedMs(alert))}</td>
      <td>{costSoFar(alert) ?? '–'}</td>
    </tr>
  );
}
