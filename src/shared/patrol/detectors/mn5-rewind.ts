import { figure, line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { logEnds, type LogWords } from './log-words.ts';

const RESTARTED =
  /(?:will restart|Restarting) worker group|Rendezvous complete for workers.{0,80}restart_count=[1-9]/;
const STEP =
  /(?:^|[\s,{|'"[(])(?:global_)?(?:step|iteration|iter)['"]?\s{0,2}[:=#[(]?\s{0,2}(\d{1,12})\b/i;
const EPOCH = /(?:^|[\s,{|'"[(])epoch['"]?\s{0,2}[:=#[(]?\s{0,2}(\d{1,9})\b/i;
/** With fewer done, beginning again loses nothing worth a word (chosen for Leasehold). */
const MANY_STEPS = 20;

/** MN5: from a checkpoint a run goes on a little further back; from its first step it has loaded none. */
export const rewind: LookDetector = {
  id: 'MN5',
  title: 'torchrun restarts processes, not training state',
  judge(view) {
    const told = logEnds(view).flatMap((words) => {
      const rewound = judgeLog(words.end);
      if (rewound === null) return [];
      if (rewound === 'unknown') {
        return [
          unknown(
            'how far it was before its workers were started again is not told',
            words.subject,
          ),
        ];
      }
      return [answerOf(rewound, words)];
    });
    return told.length > 0 ? told : [clear()];
  },
};

interface Rewound {
  readonly unit: 'step' | 'epoch';
  readonly from: number;
  readonly to: number;
  readonly restart: string;
}

/** Null: it was not started again, or goes on where it was. */
function judgeLog(end: string): Rewound | 'unknown' | null {
  const lines = end.split('\n').map((each) => each.slice(0, 2000));
  const at = lines.map((each) => RESTARTED.test(each)).lastIndexOf(true);
  if (at < 0) return null;
  const first = lines.findIndex((each) => RESTARTED.test(each));
  const before = lines.slice(0, first);
  const after = lines.slice(at + 1);
  const isSilent = !after.some((each) => STEP.test(each) || EPOCH.test(each));
  if (isSilent) return null; // it is not known yet, and the next look will tell
  const byStep = compare(before, after, STEP);
  const byEpoch = compare(before, after, EPOCH);
  if (byStep === null && byEpoch === null) return 'unknown';
  const restart = (lines[at] ?? '').trim().slice(0, 240);
  if (byEpoch !== null && byEpoch.to <= 1 && byEpoch.from > 1)
    return { unit: 'epoch', ...byEpoch, restart };
  if (byStep !== null && byStep.to <= 1 && byStep.from >= MANY_STEPS && (byEpoch?.to ?? 0) <= 1) {
    return { unit: 'step', ...byStep, restart };
  }
  return null;
}

function compare(
  before: readonly string[],
  after: readonly string[],
  form: RegExp,
): { readonly from: number; readonly to: number } | null {
  const numbers = (lines: readonly string[]): readonly number[] =>
    lines.flatMap((each) => {
      const number = form.exec(each)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  const [was, is] = [numbers(before), numbers(after)];
  const to = is[0];
  return was.length === 0 || to === undefined ? null : { from: Math.max(...was), to };
}

function answerOf({ unit, from, to, restart }: Rewound, { subject, isGone, source }: LogWords) {
  const answer = found(subject, {
    severity: 'critical',
    headline: `A run’s workers were started again, and it began anew at its first ${unit}.`,
    means: 'The elastic agent rebuilds the worker group only; loading state is up to the script.',
    fix: [
      'Begin each launch by loading the latest state',
      'Save full state atomically every N steps',
      'Set max-restarts to the expected number of preemptions',
    ],
    evidence: [
      line(restart, source),
      figure(`Furthest ${unit} before`, from, `${unit}s`),
      figure(`First ${unit} after it`, to, `${unit}s`),
    ],
    caveat: null,
  });
  return isGone ? { ...answer, isEvent: true as const } : answer;
}
