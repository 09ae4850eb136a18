import { line } from '../../detectors/finding.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import { clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { hasUnreadGone, logEnds } from './log-words.ts';

/** U10 */
export const cudaMemory: LookDetector = {
  id: 'U10',
  title: 'CUDA out of memory is about the card, not the host',
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
        headline: 'A run ended because the card’s memory ran out, not the host’s.',
        means: 'Allocations of all jobs on the card plus fragmentation exceed its memory.',
        fix: [
          'Read free GPU memory before launching',
          'Size the batch to fit next to the other job',
          'Try PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation',
        ],
        evidence: [said],
        caveat: null,
      }),
      isEvent: true as const,
    }));
  },
};
