import { figure, line } from '../../detectors/finding.ts';
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

const SHARED = '/root/autodl-fs';
const DATA = '/root/autodl-tmp';
/** Gotcha AD5 speaks of 100 %; a little before that there is still time to say it (chosen for Leasehold). */
const FULL_FROM_PCT = 95;
const LEAVES_BELOW_PCT = 92;

/** No such mount: another platform's box, unless nobody knows what is mounted. */
function withoutMount({ look }: LookView): LookAnswer {
  return look.mounts.length === 0 ? unknown('the box told of no disk') : clear();
}

/** AD4 */
export const sharedInodes: LookDetector = {
  id: 'AD4',
  title: 'Shared filesystem has a hard limit of about 200K inodes',
  judge(view) {
    const mount = view.look.mounts.find(({ path }) => path === SHARED);
    if (mount === undefined) return [withoutMount(view)];
    const subject: LookSubject = { kind: 'mount', path: SHARED };
    const inodes = judgeInodes(mount, view.wasFound(subject));
    if (inodes.kind === 'clear') return [clear(subject)];
    if (inodes.kind === 'unknown') return [unknown(inodes.because, subject)];
    const bytesPct = mount.usage?.usedPct ?? null;
    return [
      found(subject, {
        severity: inodes.severity,
        headline: `The shared filesystem: ${inodes.used}.`,
        means: 'Inodes are capped independently of bytes; per-sample images use them up.',
        fix: [
          'Bound exported images before rendering',
          'Keep mutable work on the data disk',
          'List exact candidates and get a yes before deleting',
        ],
        evidence: [
          ...inodes.evidence,
          ...(bytesPct === null ? [] : [figure(`Bytes used on ${SHARED}`, bytesPct, '%')]),
        ],
        caveat: null,
      }),
    ];
  },
};

/** AD5 */
export const hiddenCache: LookDetector = {
  id: 'AD5',
  title: 'Model cache hidden on the data disk fills it',
  judge(view) {
    const mount = view.look.mounts.find(({ path }) => path === DATA);
    if (mount === undefined) return [withoutMount(view)];
    const subject: LookSubject = { kind: 'mount', path: DATA };
    const usedPct = mount.usage?.usedPct ?? null;
    if (usedPct === null) return [unknown(mount.because ?? 'the box did not say', subject)];
    if (usedPct < (view.wasFound(subject) ? LEAVES_BELOW_PCT : FULL_FROM_PCT)) {
      return [clear(subject)];
    }
    const { fills } = view.look;
    const folder = fills?.cacheFolder ?? null;
    if (fills === null || folder === null) {
      return [unknown('where the model cache lies could not be read', subject)];
    }
    if (!folder.startsWith(`${DATA}/`)) return [clear(subject)];
    return [
      found(subject, {
        severity: 'warn',
        headline: `The data disk is ${wholePct(usedPct)} full, and the model cache lies on it.`,
        means: 'The cache is symlinked there and holds tens of GB.',
        fix: [
          'Audit the cache by model',
          'Point HF_HOME at a folder picked for it',
          'Offer clean or expand, with named targets',
        ],
        evidence: [
          figure(`Used on ${DATA}`, usedPct, '%'),
          line(`the cache lies in ${folder}`),
          ...fills.models.slice(0, 5).map(({ path, bytes }) => figure(path, bytes / 1e9, 'GB')),
        ],
        caveat: fills.models.length === 0 ? 'How large its models are is not known.' : null,
      }),
    ];
  },
};
