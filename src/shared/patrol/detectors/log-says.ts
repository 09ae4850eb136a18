import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector, type LookDetectorId } from '../look-detector.ts';
import { says, type Says } from '../../detectors/says.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';

/** An entry whose words stand in the last lines of a run's log, also of one that goes on. */
interface LogSays {
  readonly id: LookDetectorId;
  /** Only there; null: anywhere. */
  readonly platforms: readonly string[] | null;
  readonly words: RegExp;
  readonly severity: 'critical' | 'warn' | 'info';
  readonly says: Says;
}

const entries: readonly LogSays[] = [
  {
    id: 'U33',
    platforms: null,
    words: /\bSYNC FAILED\b/,
    severity: 'critical',
    says: says('U33', 'failed'),
  },
  {
    id: 'U40',
    platforms: null,
    words:
      /can't start new thread|pthread_create failed|libgomp: Thread creation failed|Our suggested max number of worker in current system is \d/,
    severity: 'warn',
    says: says('U40', 'run-says'),
  },
  {
    id: 'LAM7',
    platforms: ['lambda'],
    words: /Defaulting to user installation because normal site-packages is not writeable/,
    severity: 'warn',
    says: says('LAM7', 'for-this-user'),
  },
];

export const logSays: readonly LookDetector[] = entries.map((entry) => ({
  id: entry.id,
  judge(view) {
    const { platforms, words, severity, says: told } = entry;
    if (platforms !== null && !platforms.includes(view.platform ?? '')) return [clear()];
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
