import { figure, line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { hasUnreadAlive, logEnds, type LogWords } from './log-words.ts';
import { says } from '../../detectors/says.ts';

const RESTARTED =
  /(?:will restart|Restarting) worker group|Rendezvous complete for workers.{0,80}restart_count=[1-9]|failed \(exitcode: -?\d{1,5}\) local_rank: \d{1,5} \(pid: \d{1,10}\) of binary/;
/** The launch is over: what comes after it in the same log is another one. */
const GAVE_UP = /\bChildFailedError\b/;
/** Its weights are no proof: "Loading checkpoint shards" is what each start from a model says. */
const LOADED =
  /\b(?:load(?:ed|ing)|resum(?:ed|ing)|restor(?:ed|ing))\b.{0,80}(?:checkpoint(?! shards)|ckpt|\.pth?\b|training state)/i;
const STEP =
  /(?:^|[\s,{|'"[(])(?:global_)?(?:step|iteration|iter)['"]?\s{0,2}[:=#[(]?\s{0,8}(\d{1,12})\b/i;
const EPOCH = /(?:^|[\s,{|'"[(])epoch['"]?\s{0,2}[:=#[(]?\s{0,2}(\d{1,9})\b/i;
/** These count for themselves. */
const ASIDE = /\b(?:eval\w*|val(?:idation|id)?|test|sanity|warm-?up)\b/i;
/** With fewer done, beginning again loses nothing worth a word (chosen for Leasehold). */
const MANY_STEPS = 20;

/** MN5: from a checkpoint a run goes on a little further back; from its first step it has loaded none. */
export const rewind: LookDetector = {
  id: 'MN5',
  judge(view) {
    const told = logEnds(view).flatMap((words) => {
      const rewound = judgeLog(words);
      if (rewound === null) return [];
      return typeof rewound === 'string'
        ? [unknown(rewound, words.subject)]
        : [answerOf(rewound, words)];
    });
    if (told.length > 0) return told;
    return [hasUnreadAlive(view) ? unknown('the log of a run could not be read') : clear()];
  },
};

interface Rewound {
  readonly unit: 'step' | 'epoch';
  readonly from: number;
  readonly to: number;
  readonly restart: string;
}

/** Null: it was not started again, or goes on where it was. A text: why nobody can tell. */
function judgeLog({ end, isWhole }: LogWords): Rewound | string | null {
  const all = end.split('\n').map((each) => each.slice(0, 2000));
  const at = all.map((each) => RESTARTED.test(each)).lastIndexOf(true);
  if (at < 0) return null;
  const gaveUp = all
    .slice(0, at)
    .map((each) => GAVE_UP.test(each))
    .lastIndexOf(true);
  const launch = all.slice(gaveUp + 1, at);
  const first = launch.findIndex((each) => RESTARTED.test(each));
  const before = first < 0 ? launch : launch.slice(0, first);
  const after = all.slice(at + 1);
  const begins = after.findIndex(
    (each) => !ASIDE.test(each) && (STEP.test(each) || EPOCH.test(each)),
  );
  if (begins < 0) return null; // it is not known yet, and the next look will tell
  const between = after.slice(0, begins);
  if (between.some((each) => GAVE_UP.test(each))) return null;
  const byStep = compare(before, after, STEP);
  const byEpoch = compare(before, after, EPOCH);
  if (byStep === null && byEpoch === null) {
    // Of a launch whose beginning is seen, it had not come to its first step.
    const isSeen = isWhole || gaveUp >= 0;
    return isSeen ? null : 'how far it was before its workers were started again is not told';
  }
  const rewound = judgeFigures(byStep, byEpoch);
  if (rewound === null) return null;
  if (between.some((each) => LOADED.test(each)))
    return 'it says that it loaded a checkpoint, and counts from its first step again';
  return { ...rewound, restart: (all[at] ?? '').trim().slice(0, 240) };
}

interface Moved {
  readonly from: number;
  readonly to: number;
}

function judgeFigures(
  byStep: Moved | null,
  byEpoch: Moved | null,
): Omit<Rewound, 'restart'> | null {
  if (byEpoch !== null && byEpoch.to <= 1 && byEpoch.from > 1) return { unit: 'epoch', ...byEpoch };
  if (byStep !== null && byStep.to <= 1 && byStep.from >= MANY_STEPS && (byEpoch?.to ?? 0) <= 1)
    return { unit: 'step', ...byStep };
  return null;
}

function compare(before: readonly string[], after: readonly string[], form: RegExp): Moved | null {
  const numbers = (lines: readonly string[]): readonly number[] =>
    lines.flatMap((each) => {
      const number = ASIDE.test(each) ? undefined : form.exec(each)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  const [was, is] = [numbers(before), numbers(after)];
  const to = is[0];
  return was.length === 0 || to === undefined ? null : { from: Math.max(...was), to };
}

function answerOf({ unit, from, to, restart }: Rewound, { subject, isGone, source }: LogWords) {
  const answer = found(subject, {
    severity: 'critical',
    says: says('MN5', 'rewound', { unit }),
    clues: [
      line(restart, source),
      figure(`Furthest ${unit} before`, from, `${unit}s`),
      figure(`First ${unit} after it`, to, `${unit}s`),
    ],
  });
  return isGone ? { ...answer, isEvent: true as const } : answer;
}
