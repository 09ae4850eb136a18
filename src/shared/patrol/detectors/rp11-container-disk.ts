import { figure } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { isLocal } from '../../mounts/select-mounts.ts';
import { clear, found, unknown, type LookDetector, type LookSubject } from '../look-detector.ts';
import { isPlatform } from './platforms.ts';

const VOLUME = '/workspace';
const SUBJECT: LookSubject = { kind: 'mount', path: '/' };
/** "Near 100 %" while the volume is "low" (gotcha RP11); the lines are chosen for Leasehold. */
const NEAR_FULL = { beginsAtPct: 90, leavesBelowPct: 85 };
const LOW = { beginsBelowPct: 50, leavesAtPct: 60 };

/** RP11 */
export const containerDisk: LookDetector = {
  id: 'RP11',
  title: 'The small container disk fills while the volume is empty',
  judge({ look, platform, wasFound }) {
    if (!isPlatform(platform, 'runpod')) return [clear()];
    const root = look.mounts.find(({ path }) => path === '/');
    const volume = look.mounts.find(({ path }) => path === VOLUME);
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
        headline: 'The container disk is nearly full, while the volume has room.',
        means:
          'pip, conda, apt and model caches default to the overlay disk (about 5 GB unless raised).',
        fix: [
          'Send HF_HOME and PIP_CACHE_DIR to /workspace',
          'Raise container disk at creation',
          'Empty ~/.local/share/Trash and /workspace/.Trash* after deleting in Jupyter',
        ],
        evidence: [
          figure('Container disk used', rootPct, '%'),
          figure(`${VOLUME} used`, volumePct, '%'),
        ],
        caveat: null,
      }),
    ];
  },
};

/** The use of a network volume is that of everybody's: there it is room if all of the container disk would fit ten times. */
function hasRoomForAll(root: MeasuredMount, volume: MeasuredMount): boolean {
  const [size, free] = [root.usage?.totalKiB ?? null, volume.usage?.freeKiB ?? null];
  return !isLocal(volume) && size !== null && free !== null && free >= 10 * size;
}
