import { line } from '../../detectors/finding.ts';
import { BOX, clear, found, unknown, type LookDetector } from '../look-detector.ts';
import { phrase, says } from '../../detectors/says.ts';

/** RP1 */
export const zeroGpus: LookDetector = {
  id: 'RP1',
  judge({ look, before, traps }) {
    if (!traps.includes('RP1')) return [clear()];
    if (look.cardAddresses.length > 0) return [clear()];
    if (!look.isWhole) return [unknown('the box’s answer ended in the middle')];
    const had = before?.cards ?? null;
    if (had === null) return [unknown('whether the Pod had a card before is not known')];
    if (had === 0) return [clear()];
    return [
      found(BOX, {
        severity: 'critical',
        says: says('RP1', 'no-card'),
        clues: [line(`cards before: ${String(had)}, now: 0`)],
        caveat: phrase('RP1', 'by-the-driver'),
      }),
    ];
  },
};
