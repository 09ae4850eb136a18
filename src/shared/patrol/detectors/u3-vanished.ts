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
import {
  notRuledOut,
  VANISH_WORDS,
  VERDICT_WORDS,
  vanishSays,
  vanishSeverity,
} from '../remediation.ts';

/** U3: the ladder's answer. */
export const vanished: LookDetector = {
  id: 'U3',
  judge({ look, before, missing }) {
    if (before === null) return [unknown('this is the first check')];
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
  return {
    ...found(subject, {
      severity: vanishSeverity(cause, run.holdsGpu),
      says: vanishSays(cause, failure),
      clues: [...steps]
        .sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))
        .map(({ cause: step, verdict, because }) =>
          line(`${VERDICT_WORDS[verdict]}: ${VANISH_WORDS[step]} (${because})`),
        ),
      caveat: notRuledOut(cause, steps),
    }),
    isEvent: true,
  };
}

const ORDER = ['proven', 'not-proven', 'ruled-out'] as const;
