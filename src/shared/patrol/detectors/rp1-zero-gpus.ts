import { line } from '../../detectors/finding.ts';
import { BOX, clear, found, unknown, type LookDetector } from '../look-detector.ts';

/** RP1 */
export const zeroGpus: LookDetector = {
  id: 'RP1',
  title: 'A stopped Pod may come back with zero GPUs',
  judge({ look, before, platform }) {
    if (platform !== 'runpod') return [clear()];
    if (look.cardAddresses.length > 0) return [clear()];
    if (!look.isWhole) return [unknown('the box’s answer ended in the middle')];
    const had = before?.cards ?? null;
    if (had === null) return [unknown('whether the Pod had a card before is not known')];
    if (had === 0) return [clear()];
    return [
      found(BOX, {
        severity: 'critical',
        headline: 'The Pod came back without a GPU.',
        means: 'It stays bound to its host and someone else rented the card.',
        fix: [
          'Use a zero-GPU start only to rescue data',
          'Terminate instead of stop; start on a fresh host',
          'Put anything durable on a Network Volume',
        ],
        evidence: [line(`cards before: ${String(had)}, now: 0`)],
        caveat: 'The driver’s own list is what tells it.',
      }),
    ];
  },
};
