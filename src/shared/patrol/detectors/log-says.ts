import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector, type LookDetectorId } from '../look-detector.ts';
import { says, type Says } from '../../detectors/says.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';

/** An entry whose words stand in the last lines of a run's log, also of one that goes on. */
interface LogSays {
  readonly id: LookDetectorId;
  /** `there`: only where the profile has it among the traps. */
  readonly where: 'anywhere' | 'there';
  readonly words: RegExp;
  readonly severity: 'critical' | 'warn' | 'info';
  readonly says: Says;
}

const entries: readonly LogSays[] = [
  {
    id: 'U33',
    where: 'anywhere',
    words: /\bSYNC FAILED\b/,
    severity: 'critical',
    says: says('U33', 'failed'),
  },
  {
    id: 'U40',
    where: 'anywhere',
    words:
      /can't start new thread|pthread_create failed|libgomp: Thread creation failed|Our suggested max number of worker in current system is \d/,
    severity: 'warn',
    says: says('U40', 'run-says'),
  },
  {
    id: 'LAM7',
    where: 'there',
    words: /Defaulting to user installation because normal site-packages is not writeable/,
    severity: 'warn',
    says: says('LAM7', 'for-this-user'),
  },
];

export const logSays: readonly LookDetector[] = entries.map((entry) => ({
  id: entry.id,
  judge(view) {
    const { where, words, severity, says: told } = entry;
    if (where === 'there' && !view.traps.includes(entry.id)) return [clear()];
    const answers = logEnds(view).flatMap(({ subject, isGone, end, source }) => {
      const said = endsWith(end, words);
      if (said === null) return [];
      const clues = [line(said, source)];
      const answer = found(subject, { severity, says: told, clues });
      return [isGone ? { ...answer, isEvent: true as const } : answer];
    });
    if (answers.length > 0) return answers;
    return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
  },
}));
