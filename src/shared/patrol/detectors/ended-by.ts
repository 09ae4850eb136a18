import { line } from '../../detectors/finding.ts';
import { readLogEnding, type LastWords } from '../../triage/log-endings.ts';
import {
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookDetectorId,
  type LookView,
} from '../look-detector.ts';
import { hasUnreadAlive, hasUnreadGone, logEnds, type LogWords } from './log-words.ts';
import type { Says } from '../../detectors/says.ts';

/** An entry of the catalog whose words stand at the end of a run's own log. */
export interface EndedBy {
  readonly id: LookDetectorId;
  /** `there`: only where the profile has it among the traps. Where nobody said which platform it is, none of those is looked for. */
  readonly where: 'anywhere' | 'there';
  /** Whether a run that is still there may say it: one that waits for a rank goes on for half an hour. */
  readonly isToldWhileAlive: boolean;
  readonly fits: (said: LastWords, told: LogWords, view: LookView) => boolean;
  readonly severity: 'critical' | 'warn' | 'info';
  readonly says: Says;
}

/** The rule of one such entry: the words are those of the one list of failures (src/shared/triage/failure-words.ts). */
export function endedBy(entry: EndedBy): LookDetector {
  const { id, where, isToldWhileAlive, fits } = entry;
  return {
    id,
    judge(view) {
      if (where === 'there' && !view.traps.includes(id)) return [clear()];
      const told = logEnds(view)
        .filter(({ isGone }) => isGone || isToldWhileAlive)
        .flatMap((words) => {
          const said = readLogEnding(words.end);
          return said !== null && fits(said, words, view) ? [answerOf(entry, said, words)] : [];
        });
      if (told.length > 0) return told;
      if (hasUnreadGone(view)) return [unknown('the log of a run that is gone could not be read')];
      return [
        isToldWhileAlive && hasUnreadAlive(view)
          ? unknown('the log of a run could not be read')
          : clear(),
      ];
    },
  };
}

function answerOf(
  { severity, says }: EndedBy,
  said: LastWords,
  { subject, isGone, source }: LogWords,
): LookAnswer {
  const clues = [line(said.line, source)];
  const answer = found(subject, { severity, says, clues, caveat: said.caveat });
  return isGone ? { ...answer, isEvent: true } : answer;
}
