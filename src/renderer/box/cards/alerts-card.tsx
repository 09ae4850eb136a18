import { detectorIds } from '../../../shared/detectors/finding.ts';
import { countChecks, SEVERITY_TONES, SEVERITY_WORDS } from '../../fleet/finding-words.ts';
import { useAwake } from '../../fleet/use-awake.ts';
import { tabChosen } from '../../state/view.ts';
import { formatCount } from '../../ui/format.ts';
import { Card } from './card.tsx';
import styles from './cards.module.css';

export function AlertsCard({ boxId }: { readonly boxId: string }) {
  const { report, findings } = useAwake(boxId);
  const worst = findings[0];
  const { looked, blind } = report === null ? { looked: 0, blind: 0 } : countChecks(report);
  const note = (
    <button type="button" className={styles['link']} onClick={() => tabChosen(boxId, 'alerts')}>
      {findings.length > 0 ? `Show ${formatCount(findings.length, 'alert')}` : 'Show checks'}
    </button>
  );
  const card = { title: 'Alerts', note };
  if (worst !== undefined) {
    const { severity, headline } = worst;
    const tone = SEVERITY_TONES[severity];
    return <Card {...card} tone={tone} answer={SEVERITY_WORDS[severity]} why={headline} />;
  }
  if (looked === 0) {
    const why = report === null ? 'Not checked.' : 'None of the checks could look.';
    return <Card {...card} tone="unknown" answer="Unknown" why={why} />;
  }
  const why = `${looked} of ${detectorIds.length} checks could look${blind > 0 ? `, ${blind} could not` : ''}.`;
  // What could not be looked at is not fine.
  return <Card {...card} tone={blind > 0 ? 'unknown' : 'ok'} answer="Nothing found" why={why} />;
}
