import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** Newer plotting backends go up to 2^23. */
const TOO_LARGE = /Image size .{1,80} must be less than 2\^(?:16|23)\b/;

/** U37 */
export const hugeImage: LookDetector = {
  id: 'U37',
  judge(view) {
    const told = logEnds(view).flatMap(({ subject, isGone, end, source }) => {
      const said = endsWith(end, TOO_LARGE);
      if (said === null) return [];
      const answer = found(subject, {
        severity: 'info',
        says: says('U37', 'too-large'),
        clues: [line(said, source)],
      });
      return [isGone ? { ...answer, isEvent: true as const } : answer];
    });
    if (told.length > 0) return told;
    return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
  },
};
