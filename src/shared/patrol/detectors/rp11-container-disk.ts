import { figure } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { isLocal } from '../../mounts/select-mounts.ts';
import { clear, found, unknown, type LookDetector, type LookSubject } from '../look-detector.ts';
import { says } from '../../detectors/says.ts';

const SUBJECT: LookSubject = { kind: 'mount', path: '/' };
/** "Near 100 %" while the volume is "low" (gotcha RP11); the lines are chosen for Leasehold. */
const NEAR_FULL = { beginsAtPct: 90, leavesBelowPct: 85 };
const LOW = { beginsBelowPct: 50, leavesAtPct: 60 };

/** RP11 */
export const containerDisk: LookDetector = {
  id: 'RP11',
  judge({ look, places, wasFound }) {
    if (places.volume.length === 0) return [clear()];
    const root = look.mounts.find(({ path }) => path === '/');
    const volume = look.mounts.find(({ path }) => places.volume.includes(path));
    if (root === undefined) return [unknown('the box told of no disk')];
    if (root.type !== 'overlay' || volume === undefined) return [clear()];
    const rootPct = root.usage?.usedPct ?? null;
    const volumePct = volume.usage?.usedPct ?? null;
    const was = wasFound(SUBJECT);
    if (rootPct === null) return [unknown(root.because ?? 'the box did not say', SUBJECT)];
    if (rootPct < (was ? NEAR_FULL.leavesBelowPct : NEAR_FULL.beginsAtPct)) return [clear(SUBJECT)];
    if (volumePct === null) return [unknown(volume.because ?? 'the box did not say', SUBJECT)];
    const isLow = volumePct < (was ? LOW.leavesAtPct : LOW.beginsBelowPct);
    if (!isLow && !hasRoomForAll(root, volume)) return [clear(SUBJECT)];
    return [
      found(SUBJECT, {
        severity: 'warn',
        says: says('RP11', 'full'),
        clues: [
          figure('Container disk used', rootPct, '%'),
          figure(`${volume.path} used`, volumePct, '%'),
        ],
      }),
    ];
  },
};

/** The use of a network volume is that of everybody's: there it is room if all of the container disk would fit ten times. */
function hasRoomForAll(root: MeasuredMount, volume: MeasuredMount): boolean {
  const [size, free] = [root.usage?.totalKiB ?? null, volume.usage?.freeKiB ?? null];
  return !isLocal(volume) && size !== null && free !== null && free >= 10 * size;
}
