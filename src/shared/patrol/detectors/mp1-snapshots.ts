import { figure } from '../../detectors/finding.ts';
import { clear, found, unknown, type LookDetector, type LookSubject } from '../look-detector.ts';
import { isPlatform } from './platforms.ts';

const NETDISK = '/mnt';
/** Gotcha MP1: "use% >= 90 of the 5 GB (suggested)". */
const WARN_FROM_PCT = 90;

/** MP1 */
export const snapshots: LookDetector = {
  id: 'MP1',
  title: 'Snapshots eat the 5 GB netdisk (Matpool)',
  judge({ look, platform }) {
    if (!isPlatform(platform, 'matpool')) return [clear()];
    const disk = look.mounts.find(({ path }) => path === NETDISK);
    if (disk === undefined) {
      if (look.mounts.length === 0) return [unknown('the box told of no disk')];
      return platform === 'matpool' ? [unknown('the netdisk is not mounted')] : [clear()];
    }
    const subject: LookSubject = { kind: 'mount', path: NETDISK };
    const usedPct = disk.usage?.usedPct ?? null;
    if (usedPct === null) return [unknown(disk.because ?? 'the box did not say', subject)];
    // Below that nobody looks for them, so there is no other line where it leaves.
    if (usedPct < WARN_FROM_PCT) return [clear(subject)];
    if (look.fills === null) return [unknown('what fills it was not looked for', subject)];
    const { snapshots: files } = look.fills;
    if (files.length === 0) return [clear(subject)];
    return [
      found(subject, {
        severity: 'warn',
        headline: 'The netdisk is nearly full, and snapshots lie on it.',
        means: 'Snapshot files (.snap) are stored in the netdisk and count against 5 GB.',
        fix: ['Delete old .snap files; keep the latest'],
        evidence: [
          figure(`${NETDISK} used`, usedPct, '%'),
          ...files.slice(0, 5).map(({ path, bytes }) => figure(path, bytes / 1e9, 'GB')),
        ],
        caveat: null,
      }),
    ];
  },
};
