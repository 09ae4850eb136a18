import { evidenceText } from '../detectors/evidence-text.ts';
import type { Finding } from '../detectors/finding.ts';
import type { GoneRun } from '../patrol/patrol-state.ts';
import { isByLog, VANISH_WORDS, vanishSeverity, vanishWordsOf } from '../patrol/remediation.ts';
import type { Incident } from './entry-draft.ts';

/** What an alert rests on, for an entry of the person's own. */
export function incidentOfFinding(finding: Finding, platform: string): Incident {
  const { detector, headline, severity, evidence } = finding;
  return {
    text: evidence.flatMap((each) => (each.kind === 'line' ? each.line : [])).join('\n'),
    headline,
    severity,
    platform,
    beside: evidence.flatMap((each) => (each.kind === 'line' ? [] : evidenceText(each))).join('\n'),
    takenFor: detector,
  };
}

/** What the ladder says of a run that is gone. */
export function incidentOfGone(run: GoneRun, platform: string): Incident {
  const { cause, steps, failure, command, holdsGpu } = run;
  const proven = steps.find((step) => step.cause === cause && step.verdict === 'proven');
  const lastLine = proven !== undefined && isByLog(proven) ? proven.because : null;
  const verdicts = steps
    .filter((step) => step.verdict !== 'ruled-out' && !(lastLine !== null && step === proven))
    .map((step) => `${step.verdict === 'proven' ? 'proven' : 'not proven'}, ${said(step)}`);
  return {
    text: lastLine ?? '',
    headline:
      cause === null
        ? 'A run is gone, and why is not proven'
        : `A run is gone: ${vanishWordsOf(cause, failure)}`,
    severity: vanishSeverity(cause, holdsGpu),
    platform,
    beside: [...(command === null ? [] : [`Command: ${command}`]), ...verdicts].join('\n'),
    takenFor: 'U3',
  };
}

const said = ({ cause, because }: GoneRun['steps'][number]): string =>
  `${VANISH_WORDS[cause]}: ${because}`;
