import { figure, line } from '../../detectors/finding.ts';
import { BOX, clear, found, unknown, type LookDetector } from '../look-detector.ts';
import type { RunInLook } from '../patrol-look.ts';
import { isSameProcess } from '../../runs/process-ref.ts';
import { hasUnreadLogs, lastLineWith, logEnds } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** Gotcha AD8: "more than 3x within minutes, around the first validation (ratio suggested)". */
const JUMP = 3;
const WITHIN_MS = 15 * 60_000;
/** Three times of next to nothing is next to nothing (chosen for Leasehold). */
const LEAST_RISE_SHARE = 0.1;
/** As a word of its own or as the first part of one: "Validating:", "val_loss", "[eval]", "***** Running Evaluation *****". */
const SPEAKS_OF_VALIDATION =
  /(?<![a-z])(?:validat(?:ion|ing|e)|valid|val|eval(?:uat(?:ion|ing|e))?)(?![a-z])|验证|驗證|评估|評估/i;
/** A plan is no validation: "--eval-steps 500", "evaluation_strategy='steps'", "will evaluate every 500 steps". */
const PLANS_IT =
  /(?:eval\w*|valid\w*|val)[-_ ]?(?:[-_]steps?|strategy|interval|every|freq\w*|batch[-_ ]?size|file|path|dir|delay)\b|--?do[-_]eval|\bevery \d/i;

/** AD8 */
export const firstValidation: LookDetector = {
  id: 'AD8',
  judge(view) {
    const { look, before } = view;
    const is = look.memory?.usedBytes ?? null;
    const limit = look.memory?.limitBytes ?? null;
    if (before === null) return [unknown('this is the first check')];
    const was = before.usedBytes;
    if (is === null || was === null) return [unknown('the memory in use is not told')];
    const tookMs = look.atMs - before.atMs;
    if (tookMs > WITHIN_MS) return [unknown('the last check was too long ago to see a jump')];
    const isJump = is > JUMP * was;
    const isMuch = typeof limit !== 'number' || is - was >= LEAST_RISE_SHARE * limit;
    if (!isJump || !isMuch) return [clear()];
    // A run that has just begun loads its model and its data, and that is no spike of a validation.
    const words = logEnds(view).flatMap(({ run, end, source }) => {
      const earlier = before.runs.find((each) => isSameProcess(each, run));
      const fresh = earlier === undefined ? '' : saidSince(end, earlier, run);
      const done = fresh.split('\n').filter((each) => !PLANS_IT.test(each));
      const words = lastLineWith(done.join('\n'), SPEAKS_OF_VALIDATION);
      return words === null ? [] : [line(words, source)];
    });
    const [said] = words;
    if (said === undefined) {
      return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
    }
    return [
      {
        ...found(BOX, {
          severity: 'warn',
          says: says('AD8', 'rose', { from: gb(was), to: gb(is) }),
          clues: [
            figure('Memory used', is / 1e9, 'GB'),
            figure('At the check before', was / 1e9, 'GB'),
            figure('Between them', tookMs / 60_000, 'min'),
            ...(typeof limit === 'number' ? [figure('Limit', limit / 1e9, 'GB')] : []),
            said,
          ],
        }),
        isEvent: true,
      },
    ];
  },
};

/** What the log has grown by since; a byte is at most one character, so never too little. */
function saidSince(end: string, earlier: Pick<RunInLook, 'logs'>, { logs }: RunInLook): string {
  const grownBy = logs.map(({ inode, bytes, end: each }) => {
    const was = earlier.logs.find((log) => log.inode === inode)?.bytes ?? 0;
    return each === end ? bytes - Math.min(was, bytes) : null;
  });
  const grown = grownBy.find((each) => each !== null) ?? null;
  // Of a run that is gone the log is told apart from it.
  if (grown === null) return end;
  return grown === 0 ? '' : end.slice(-grown);
}

const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
