import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';

/** U33 */
export const syncFailed: LookDetector = {
  id: 'U33',
  title: 'A "synced" line that never checked the copy',
  judge(view) {
    const told = logEnds(view).flatMap(({ subject, isGone, end, source }) => {
      const said = endsWith(end, /\bSYNC FAILED\b/);
      if (said === null) return [];
      const answer = found(subject, {
        severity: 'critical',
        headline: 'A run says that its results were not copied.',
        means:
          'The durable directory lacks what the run made, for instance when the durable mount is out of inodes.',
        fix: [
          'On failure say so loudly and keep the data-disk copy as the source of truth',
          'Trust nothing until a local pull is verified',
        ],
        evidence: [line(said, source)],
        caveat: null,
      });
      return [isGone ? { ...answer, isEvent: true as const } : answer];
    });
    if (told.length > 0) return told;
    return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
  },
};
