import { useId, type ReactNode } from 'react';
import { detectorIds } from '../../../shared/detectors/finding.ts';
import { countChecks, SEVERITY_TONES, SEVERITY_WORDS } from '../../fleet/finding-words.ts';
import { selectReport, useFindings } from '../../state/feeds.ts';
import { tabChosen } from '../../state/view.ts';
import { formatCount } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import styles from './cards.module.css';

/** The three questions of every box. What cannot be answered is "unknown", never "clear" or "$0". */
export function Cards({ boxId }: { readonly boxId: string }) {
  return (
    <div className={styles['cards']}>
      <Card
        title="Danger clock"
        note="Not connected yet"
        tone="unknown"
        answer="Unknown"
        why="No clock is watched for this box in this version."
      />
      <Card
        title="Cost meter"
        note="Not connected yet"
        tone="unknown"
        answer="Unknown"
        why="No price or bill is read for this box in this version."
      />
      <AlertsCard boxId={boxId} />
    </div>
  );
}

function AlertsCard({ boxId }: { readonly boxId: string }) {
  const report = useFindings(selectReport(boxId));
  const worst = report?.findings[0];
  const { looked, blind } = report === null ? { looked: 0, blind: 0 } : countChecks(report);
  const note = (
    <button type="button" className={styles['link']} onClick={() => tabChosen(boxId, 'alerts')}>
      {report !== null && report.findings.length > 0
        ? `Show ${formatCount(report.findings.length, 'finding')}`
        : 'Show checks'}
    </button>
  );
  const card = { title: 'Alerts', note };
  if (worst !== undefined) {
    const { severity, headline } = worst;
    const tone = SEVERITY_TONES[severity];
    return <Card {...card} tone={tone} answer={SEVERITY_WORDS[severity]} why={headline} />;
  }
  if (looked === 0) {
    const why = report === null ? 'Not looked at yet.' : 'None of the checks could look.';
    return <Card {...card} tone="unknown" answer="Unknown" why={why} />;
  }
  const why = `${looked} of ${detectorIds.length} checks could look${blind > 0 ? `, ${blind} could not` : ''}.`;
  // What could not be looked at is not fine.
  return <Card {...card} tone={blind > 0 ? 'unknown' : 'ok'} answer="Nothing found" why={why} />;
}

interface CardProps {
  readonly title: string;
  readonly note: ReactNode;
  readonly tone: Tone;
  readonly answer: string;
  readonly why: string;
}

function Card({ title, note, tone, answer, why }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>{title}</h2>
        {typeof note === 'string' ? <span>{note}</span> : note}
      </div>
      <p className={styles['answer']}>
        <Glyph tone={tone} /> {answer}
      </p>
      <p className={styles['why']} title={why}>
        {why}
      </p>
    </section>
  );
}
