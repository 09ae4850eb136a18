import { figure, line } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import {
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookSubject,
  type LookView,
} from '../look-detector.ts';
import { wholePct } from './disks.ts';
import { judgeInodes } from './inode-lines.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Gotcha AD5 speaks of 100 %; a little before that there is still time to say it (chosen for Leasehold). */
const FULL_FROM_PCT = 95;
const LEAVES_BELOW_PCT = 92;

/** None mounted: another platform's box, unless nobody knows what is mounted. */
function judgeMounts(
  { look }: LookView,
  paths: readonly string[],
  judge: (mount: MeasuredMount) => LookAnswer,
): readonly LookAnswer[] {
  const there = look.mounts.filter(({ path }) => paths.includes(path));
  if (there.length > 0) return there.map(judge);
  return [look.mounts.length === 0 ? unknown('the box told of no disk') : clear()];
}

/** AD4 */
export const sharedInodes: LookDetector = {
  id: 'AD4',
  judge: (view) => judgeMounts(view, view.places['inode-limit'], (mount) => inodesOf(mount, view)),
};

function inodesOf(mount: MeasuredMount, { wasFound }: LookView): LookAnswer {
  const subject: LookSubject = { kind: 'mount', path: mount.path };
  const inodes = judgeInodes(mount, wasFound(subject));
  if (inodes.kind === 'clear') return clear(subject);
  if (inodes.kind === 'unknown') return unknown(inodes.because, subject);
  const bytesPct = mount.usage?.usedPct ?? null;
  return found(subject, {
    severity: inodes.severity,
    says: says('AD4', 'inodes', {
      used:
        inodes.usedPct === null
          ? phrase('AD4', 'none-left')
          : phrase('AD4', 'share-used', { share: wholePct(inodes.usedPct) }),
    }),
    clues: [
      ...inodes.clues,
      ...(bytesPct === null ? [] : [figure(`Bytes used on ${mount.path}`, bytesPct, '%')]),
    ],
  });
}

/** AD5 */
export const hiddenCache: LookDetector = {
  id: 'AD5',
  judge: (view) => judgeMounts(view, view.places['hidden-cache'], (mount) => cacheOn(mount, view)),
};

function cacheOn({ path, usage, because }: MeasuredMount, view: LookView): LookAnswer {
  const subject: LookSubject = { kind: 'mount', path };
  const usedPct = usage?.usedPct ?? null;
  if (usedPct === null) return unknown(because ?? 'the box did not say', subject);
  if (usedPct < (view.wasFound(subject) ? LEAVES_BELOW_PCT : FULL_FROM_PCT)) return clear(subject);
  const { fills } = view.look;
  const folder = fills?.cacheFolder ?? null;
  if (fills === null || folder === null) {
    return unknown('where the model cache lies could not be read', subject);
  }
  if (!folder.startsWith(`${path}/`)) return clear(subject);
  return found(subject, {
    severity: 'warn',
    says: says('AD5', 'full', { used: wholePct(usedPct) }),
    clues: [
      figure(`Used on ${path}`, usedPct, '%'),
      line(`the cache lies in ${folder}`),
      ...fills.models.slice(0, 5).map((model) => figure(model.path, model.bytes / 1e9, 'GB')),
    ],
    caveat: fills.models.length === 0 ? phrase('AD5', 'sizes-unknown') : null,
  });
}
