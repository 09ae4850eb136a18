import { line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { hasUnreadGone, logEnds } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** U10 */
export const cudaMemory: LookDetector = {
  id: 'U10',
  judge(view) {
    // A run that goes on has caught it.
    const gone = logEnds(view).filter(({ isGone }) => isGone);
    const told = gone.flatMap(({ subject, end, source }) => {
      const last = readLogEnding(end);
      return last?.failure === 'gpu-memory' ? [{ subject, said: line(last.line, source) }] : [];
    });
    if (told.length === 0) {
      const because = 'the log of a run that is gone could not be read';
      return [hasUnreadGone(view) ? unknown(because) : clear()];
    }
    return told.map(({ subject, said }) => ({
      ...found(subject, {
        severity: 'warn',
        says: says('U10', 'run-ended'),
        clues: [said],
      }),
      isEvent: true as const,
    }));
  },
};
