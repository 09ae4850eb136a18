import { figure } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector, type LookSubject } from '../look-detector.ts';
import { gigabytes } from './disks.ts';
import { says } from '../../detectors/says.ts';

const SUBJECT: LookSubject = { kind: 'mount', path: '/' };
/** Gotcha VAST10: "use% >= 85 (suggested)". */
const WARN_FROM_PCT = 85;
/** Caches come and go (chosen for Leasehold). */
const LEAVES_BELOW_PCT = 80;

/** VAST10 */
export const fixedDisk: LookDetector = {
  id: 'VAST10',
  judge({ look, traps, wasFound }) {
    if (!traps.includes('VAST10')) return [clear()];
    const root = look.mounts.find(({ path }) => path === '/');
    if (root === undefined) return [unknown('the box told of no disk')];
    const usedPct = root.usage?.usedPct ?? null;
    if (usedPct === null) return [unknown(root.because ?? 'the box did not say', SUBJECT)];
    if (usedPct < (wasFound(SUBJECT) ? LEAVES_BELOW_PCT : WARN_FROM_PCT)) return [clear(SUBJECT)];
    const freeKiB = root.usage?.freeKiB ?? null;
    return [
      found(SUBJECT, {
        severity: 'warn',
        says: says('VAST10', 'full'),
        clues: [
          figure('Container disk used', usedPct, '%'),
          ...(freeKiB === null ? [] : [figure('Free on /', gigabytes(freeKiB), 'GB')]),
        ],
      }),
    ];
  },
};
