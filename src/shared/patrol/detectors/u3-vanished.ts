import { line } from '../../detectors/finding.ts';
import type { MissingRun } from '../judge-vanished.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import { remediesOf, VANISH_WORDS, vanishWordsOf, vanishSeverity } from '../remediation.ts';

/** U3: the ladder's answer. */
export const vanished: LookDetector = {
  id: 'U3',
  title: 'A vanished process has four possible causes; OOM is only one',
  judge({ look, before, missing }) {
    if (before === null) return [unknown('this is the first look')];
    if (missing.length > 0) return missing.map(judgeRun);
    return look.processes.isWhole ? [clear()] : [unknown('the box did not tell of its processes')];
  },
};

function judgeRun({ run, judgement }: MissingRun): LookAnswer {
  const subject = runSubject(run);
  if (judgement.kind === 'running') return clear(subject);
  if (judgement.kind === 'unknown') return unknown(judgement.because, subject);
  const { cause, steps, failure } = judgement;
  if (cause === 'finished') return clear(subject);
  const open = steps.filter(({ verdict }) => verdict === 'not-proven');
  return {
    ...found(subject, {
      severity: vanishSeverity(cause, run.holdsGpu),
      headline: `A run is gone: ${cause === null ? 'why is not proven' : vanishWordsOf(cause, failure)}.`,
      means:
        cause === null
          ? 'The log stops and the process is gone; nothing that could be looked at proves why.'
          : 'It did not finish: nothing shows that it did, and this shows why.',
      fix: remediesOf(cause, failure).map(({ step }) => step),
      evidence: [...steps]
        .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
        .map(({ cause: step, verdict, because }) =>
          line(`${VERDICT[verdict]}: ${VANISH_WORDS[step]} (${because})`),
        ),
      caveat:
        cause === null && open.length > 0
          ? `Not proven, and not ruled out: ${open.map((step) => VANISH_WORDS[step.cause]).join(', ')}.`
          : null,
    }),
    isEvent: true,
  };
}

const ORDER = ['proven', 'not-proven', 'ruled-out'] as const;
const VERDICT = {
  proven: 'proven',
  'not-proven': 'not proven',
  'ruled-out': 'ruled out',
} as const;
