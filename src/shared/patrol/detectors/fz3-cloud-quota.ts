import { figure, line } from '../../detectors/finding.ts';
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
import { isPlatform } from './platforms.ts';

const PLACES = ['/home/featurize', '/cloud'];
/** Gotcha FZ3: 30 GB, "sum >= 27 GB (suggested)". */
const WARN_FROM_GB = 27;
const LEAVES_BELOW_GB = 25.5;
const QUOTA_GB = 30;

const isThere = (path: string): boolean =>
  PLACES.some((place) => path === place || path.startsWith(`${place}/`));

/** FZ3 */
export const cloudQuota: LookDetector = {
  id: 'FZ3',
  title: '30 GB free cloud quota breaks large writes (Featurize)',
  judge(view) {
    if (!isPlatform(view.platform, 'featurize')) return [clear()];
    const said = fromLogs(view);
    if (said.length > 0) return said;
    const mounts = view.look.mounts.filter(({ path }) => PLACES.includes(path));
    if (mounts.length === 0) {
      return view.platform === 'featurize'
        ? [
            unknown(
              'the cloud storage is no mount of its own, and counting its files would take long',
            ),
          ]
        : [clear()];
    }
    const used = mounts.map(({ usage }) => usage?.usedKiB ?? null);
    const known = used.filter((kib) => kib !== null);
    const usedGB = known.reduce((sum, kib) => sum + (kib * 1024) / 1e9, 0);
    if (usedGB >= (view.wasFound(BOX) ? LEAVES_BELOW_GB : WARN_FROM_GB)) {
      return [quotaNear(usedGB, known.length < used.length)];
    }
    return [
      known.length < used.length
        ? unknown('how full the cloud storage is could not be read')
        : clear(),
    ];
  },
};

const MEANS = 'Free cloud storage is 30 GB: env creation or copies fail or are cut short.';
const FIX = ['Hold a single env there and leave scratch on local disk'];

function quotaNear(usedGB: number, isPart: boolean): LookAnswer {
  return found(BOX, {
    severity: 'warn',
    headline: `${usedGB.toFixed(1)} GB of the cloud storage are used; ${String(QUOTA_GB)} GB are free of charge.`,
    means: MEANS,
    fix: FIX,
    evidence: [figure('Used in work and /cloud', usedGB, 'GB')],
    caveat: isPart ? 'One of the two could not be read: it is more.' : null,
  });
}

function fromLogs(view: LookView): readonly LookAnswer[] {
  return logEnds(view).flatMap(({ run, subject, isGone, end, source }): readonly LookAnswer[] => {
    const ending = readLogEnding(end);
    if (ending?.ending !== 'disk-full' || !isThere(run.folder ?? '')) return [];
    const answer = found(subject, {
      severity: 'warn',
      headline: 'A run in the cloud storage could not write.',
      means: MEANS,
      fix: FIX,
      evidence: [line(ending.line, source)],
      caveat: null,
    });
    return [isGone ? { ...answer, isEvent: true } : answer];
  });
}
