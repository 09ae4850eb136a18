import { detectorIds } from '../../../shared/detectors/finding.ts';
import { countChecks, SEVERITY_TONES, SEVERITY_WORDS } from '../../fleet/finding-words.ts';
import { useAwake } from '../../fleet/use-awake.ts';
import { tabChosen } from '../../state/view.ts';
import { capital, formatCount } from '../../ui/format.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { Card } from './card.tsx';
import { NextStep } from './next-step.tsx';
import { checkStep } from './next-steps.ts';
import styles from './cards.module.css';

export function AlertsCard({ entry }: { readonly entry: BoxEntry }) {
  const { box, link } = entry;
  const boxId = box.id;
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
    const { severity, short, headline } = worst;
    const answer = (
      <span className={styles['event']}>
        <span className="sr-only">{SEVERITY_WORDS[severity]}: </span>
        {capital(short)}
      </span>
    );
    return <Card {...card} tone={SEVERITY_TONES[severity]} answer={answer} why={headline} />;
  }
  if (looked === 0) {
    const why = report === null ? 'Not checked.' : 'None of the checks could run.';
    const step = checkStep(boxId, link, report !== null);
    const answer = step === null ? 'Checking…' : <NextStep {...step} />;
    return <Card {...card} tone={step === null ? 'wait' : 'unknown'} answer={answer} why={why} />;
  }
  const why = `${looked} of ${detectorIds.length} checks ran${blind > 0 ? ` (${blind} need more data)` : ''}.`;
  // What could not be looked at is not fine.
  return <Card {...card} tone={blind > 0 ? 'unknown' : 'ok'} answer="All clear" why={why} />;
}
