import { line } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { endsWith, hasUnreadLogs, logEnds } from './log-words.ts';

/** Newer plotting backends go up to 2^23. */
const TOO_LARGE = /Image size .{1,80} must be less than 2\^(?:16|23)\b/;

/** U37 */
export const hugeImage: LookDetector = {
  id: 'U37',
  title: 'Huge result grids exceed the image size limit of 2^16 pixels',
  judge(view) {
    const told = logEnds(view).flatMap(({ subject, isGone, end, source }) => {
      const said = endsWith(end, TOO_LARGE);
      if (said === null) return [];
      const answer = found(subject, {
        severity: 'info',
        headline: 'A figure was too large to be drawn; the summary may be missing.',
        means:
          'A composite figure with one row per sample crashes on a large test set and often takes the summary save with it.',
        fix: ['Cap rows and shard the output (U25)', 'Save the summary before drawing'],
        evidence: [line(said, source)],
        caveat: null,
      });
      return [isGone ? { ...answer, isEvent: true as const } : answer];
    });
    if (told.length > 0) return told;
    return [hasUnreadLogs(view) ? unknown('a run’s log could not be read') : clear()];
  },
};
