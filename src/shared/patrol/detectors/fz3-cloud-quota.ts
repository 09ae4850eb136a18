import { figure, line } from '../../detectors/finding.ts';
import type { MeasuredMount } from '../../mounts/mount.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  BOX,
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import { logEnds } from './log-words.ts';
import { isUnsaid } from '../../profiles/platform-names.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Gotcha FZ3: 30 GB, "sum >= 27 GB (suggested)". */
const WARN_FROM_GB = 27;
const LEAVES_BELOW_GB = 25.5;
const QUOTA_GB = 30;

/** FZ3 */
export const cloudQuota: LookDetector = {
  id: 'FZ3',
  judge(view) {
    const { quota } = view.places;
    if (quota.length === 0) return [clear()];
    const said = fromLogs(view);
    if (said.length > 0) return said;
    const mounts = view.look.mounts.filter(({ path }) => quota.includes(path));
    if (mounts.length === 0) {
      return isUnsaid(view.platform)
        ? [clear()]
        : [
            unknown(
              'the cloud storage is no mount of its own, and counting its files would take long',
            ),
          ];
    }
    const used = mounts.map(({ usage }) => usage?.usedKiB ?? null);
    const known = used.filter((kib) => kib !== null);
    const usedGB = known.reduce((sum, kib) => sum + (kib * 1024) / 1e9, 0);
    if (usedGB >= (view.wasFound(BOX) ? LEAVES_BELOW_GB : WARN_FROM_GB)) {
      return [quotaNear(usedGB, mounts)];
    }
    return [
      known.length < used.length
        ? unknown('how full the cloud storage is could not be read')
        : clear(),
    ];
  },
};

function quotaNear(usedGB: number, mounts: readonly MeasuredMount[]): LookAnswer {
  const isPart = mounts.some(({ usage }) => (usage?.usedKiB ?? null) === null);
  const where = mounts.map(({ path }) => path).join(' and ');
  return found(BOX, {
    severity: 'warn',
    says: says('FZ3', 'near', { used: usedGB.toFixed(1), quota: QUOTA_GB }),
    clues: [figure(`Used in ${where}`, usedGB, 'GB')],
    caveat: isPart ? phrase('FZ3', 'half-read') : null,
  });
}

function fromLogs(view: LookView): readonly LookAnswer[] {
  return logEnds(view).flatMap(({ run, subject, isGone, end, source }): readonly LookAnswer[] => {
    const ending = readLogEnding(end);
    const folder = run.folder ?? '';
    const isThere = view.places.quota.some(
      (place) => folder === place || folder.startsWith(`${place}/`),
    );
    if (ending?.ending !== 'disk-full' || !isThere) return [];
    const answer = found(subject, {
      severity: 'warn',
      says: says('FZ3', 'run-failed'),
      clues: [line(ending.line, source)],
    });
    return [isGone ? { ...answer, isEvent: true } : answer];
  });
}
