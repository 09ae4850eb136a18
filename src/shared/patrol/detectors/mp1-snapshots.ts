import { figure } from '../../detectors/finding.ts';
import {
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookSubject,
} from '../look-detector.ts';
import type { FillsLook } from '../patrol-look.ts';
import { isUnsaid } from '../../profiles/platform-names.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { says } from '../../detectors/says.ts';

/** Gotcha MP1: "use% >= 90 of the 5 GB (suggested)". */
const WARN_FROM_PCT = 90;

/** MP1 */
export const snapshots: LookDetector = {
  id: 'MP1',
  judge({ look, platform, places }) {
    if (places.snapshots.length === 0) return [clear()];
    const disks = look.mounts.filter(({ path }) => places.snapshots.includes(path));
    if (disks.length > 0) return disks.map((disk) => judgeDisk(disk, look.fills));
    if (look.mounts.length === 0) return [unknown('the box told of no disk')];
    return [isUnsaid(platform) ? clear() : unknown('the netdisk is not mounted')];
  },
};

function judgeDisk({ path, usage, because }: MeasuredMount, fills: FillsLook | null): LookAnswer {
  const subject: LookSubject = { kind: 'mount', path };
  const usedPct = usage?.usedPct ?? null;
  if (usedPct === null) return unknown(because ?? 'the box did not say', subject);
  // Below that nobody looks for them, so there is no other line where it leaves.
  if (usedPct < WARN_FROM_PCT) return clear(subject);
  if (fills === null) return unknown('what fills it was not looked for', subject);
  const files = fills.snapshots.filter((file) => file.path.startsWith(`${path}/`));
  if (files.length === 0) return clear(subject);
  return found(subject, {
    severity: 'warn',
    says: says('MP1', 'full'),
    clues: [
      figure(`${path} used`, usedPct, '%'),
      ...files.slice(0, 5).map((file) => figure(file.path, file.bytes / 1e9, 'GB')),
    ],
  });
}
