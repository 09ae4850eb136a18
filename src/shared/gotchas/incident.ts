import { clueText } from '../detectors/clue-text.ts';
import { entryIdOf, type Catalog } from '../detectors/alert-words.ts';
import type { Finding } from '../detectors/finding.ts';
import type { GoneRun } from '../patrol/patrol-state.ts';
import {
  isByLog,
  VANISH_WORDS,
  VERDICT_WORDS,
  vanishHeadline,
  vanishSeverity,
} from '../patrol/remediation.ts';
import type { Incident } from './entry-draft.ts';

/** What an alert rests on, for an entry of the person's own. */
export function incidentOfFinding(finding: Finding, platform: string): Incident {
  const { detector, headline, severity, clues } = finding;
  return {
    text: clues.flatMap((each) => (each.kind === 'line' ? each.line : [])).join('\n'),
    headline,
    severity,
    platform,
    beside: clues.flatMap((each) => (each.kind === 'line' ? [] : clueText(each))).join('\n'),
    takenFor: entryIdOf(detector),
  };
}

/** What the ladder says of a run that is gone. */
export function incidentOfGone(run: GoneRun, platform: string, catalog: Catalog): Incident {
  const { cause, steps, failure, command, holdsGpu } = run;
  const proven = steps.find((step) => step.cause === cause && step.verdict === 'proven');
  const lastLine = proven !== undefined && isByLog(proven) ? proven.because : null;
  const verdicts = steps
    .filter((step) => step.verdict !== 'ruled-out' && !(lastLine !== null && step === proven))
    .map((step) => `${VERDICT_WORDS[step.verdict]}, ${said(step)}`);
  return {
    text: lastLine ?? '',
    headline: vanishHeadline(catalog, cause, failure),
    severity: vanishSeverity(cause, holdsGpu),
    platform,
    beside: [...(command === null ? [] : [`Command: ${command}`]), ...verdicts].join('\n'),
    takenFor: 'U3',
  };
}

const said = ({ cause, because }: GoneRun['steps'][number]): string =>
  `${VANISH_WORDS[cause]}: ${because}`;
