import { entryIdOf } from '../../shared/detectors/alert-words.ts';
import { useMemo } from 'react';
import type { Alert } from '../../shared/alerts/alert.ts';
import { SEVERITY_TONES, SEVERITY_WORDS, subjectWords } from '../fleet/finding-words.ts';
import { selectAllAlerts, selectEntries, useAlerts, useFleet } from '../state/feeds.ts';
import { alertsChosen } from '../state/view.ts';
import { Elapsed } from '../ui/age.tsx';
import { Glyph } from '../ui/glyph.tsx';
import styles from './entry-alerts.module.css';

interface EntryAlert {
  readonly boxId: string;
  readonly boxName: string;
  readonly alert: Alert;
}

/** Where this very trap is found at the moment: the way back to the alert that led here. */
export function EntryAlerts({ id }: { readonly id: string }) {
  const byBox = useAlerts(selectAllAlerts);
  const entries = useFleet(selectEntries);
  const found = useMemo(
    () =>
      entries.flatMap(({ box }): readonly EntryAlert[] =>
        (byBox[box.id] ?? [])
          .filter(({ finding }) => entryIdOf(finding.detector) === id)
          .map((alert) => ({ boxId: box.id, boxName: box.name, alert })),
      ),
    [byBox, entries, id],
  );
  if (found.length === 0) return null;
  return (
    <section className={styles['alerts']} aria-labelledby="found-now">
      <h3 id="found-now">Found now</h3>
      <ul>
        {found.map(({ boxId, boxName, alert }) => (
          <li key={`${boxId} ${alert.id}`}>
            <button type="button" onClick={() => alertsChosen(boxId)}>
              <Glyph tone={SEVERITY_TONES[alert.finding.severity]} />
              <span>
                <span className="sr-only">{SEVERITY_WORDS[alert.finding.severity]}: </span>
                <strong>{boxName}</strong>, {subjectWords(alert.finding.subject)}
              </span>{' '}
              <span className={styles['since']}>
                for <Elapsed sinceMs={alert.finding.sinceMs} />
                {alert.stage.kind === 'snoozed' && ', snoozed'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
