import { figure, line } from '../../detectors/finding.ts';
import { isLocal } from '../../mounts/select-mounts.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import type { Artefact, RunLook } from '../patrol-look.ts';
import { diskOf } from './disks.ts';
import { newestOf } from './own-files.ts';

/** Checkpoints of a run that lie where they do not stay. */
interface Rule {
  readonly id: 'CN1' | 'NB4' | 'SLURM5';
  readonly title: string;
  readonly platforms: readonly string[];
  /** Whether it stays there; null: nobody can tell. */
  readonly stays: (path: string, view: LookView) => boolean | null;
  readonly headline: string;
  readonly means: string;
  readonly fix: readonly string[];
}

/** Of Featurize the folder counts, mount or not; elsewhere a name without a mount is the system disk. */
const LASTING_FOLDERS = ['/home/featurize', '/cloud'];

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const rules: readonly Rule[] = [
  {
    id: 'CN1',
    title: 'Chinese rentals: the system disk does not persist',
    platforms: ['matpool', 'gpushare', 'featurize', 'lanrui'],
    stays: (path, view) => {
      const isKept = LASTING_FOLDERS.some((folder) => isBelow(path, folder));
      if (view.platform === 'featurize' && isKept) return true;
      const disk = diskOf(path, view.look);
      return disk === null ? null : disk.path !== '/';
    },
    headline: 'A run saves its checkpoints on the system disk, which does not persist.',
    means: 'Unlike AutoDL, /root resets to the image (Gpushare) or is wiped on return (Featurize).',
    fix: [
      'Direct all output to the mount that persists',
      'Prove it with a test stop before the real run',
    ],
  },
  {
    id: 'NB4',
    title: 'Scratch folders of notebooks do not survive',
    platforms: ['colab', 'kaggle'],
    stays: (path, { platform, look }) => {
      if (platform === 'kaggle') return isBelow(path, '/kaggle/working');
      // Drive may be mounted at any place, and a folder of that name be there without it.
      const disk = diskOf(path, look);
      return disk === null ? null : !isLocal(disk);
    },
    headline:
      'A run saves its checkpoints on scratch, which is gone when the notebook disconnects.',
    means:
      'Only mounted Drive (Colab) and the working folder of a committed version (Kaggle) persist.',
    fix: [
      'Point the durable directory at the surviving path',
      'Never leave the final artifact on scratch',
    ],
  },
  {
    id: 'SLURM5',
    title: 'Checkpoints in TMPDIR vanish when the job ends',
    platforms: ['slurm'],
    stays: (path, { look }) => {
      if (isBelow(path, '/tmp') || isBelow(path, '/var/tmp') || isBelow(path, '/dev/shm'))
        return false;
      const disk = diskOf(path, look);
      if (disk === null) return null;
      if (!isLocal(disk)) return true;
      // On the server of the homes these are a disk of its own.
      return isBelow(path, '/home') ? null : false;
    },
    headline: 'A run saves its checkpoints on a disk of the node, which is erased with the job.',
    means: 'Scratch on the node is erased with the job; the parallel filesystem is what stays.',
    fix: [
      'Write checkpoints to the shared scratch of the user',
      'Never point the durable directory at node-local storage',
    ],
  },
];

export const lostCheckpoints: readonly LookDetector[] = rules.map((rule) => ({
  id: rule.id,
  title: rule.title,
  judge(view) {
    if (!rule.platforms.includes(view.platform ?? '')) return [clear()];
    if (view.look.isCut)
      return [...told(rule, view), unknown('there is more on the box than one look tells')];
    const answers = told(rule, view);
    return answers.length > 0 ? answers : [clear()];
  },
}));

function told(rule: Rule, view: LookView): readonly LookAnswer[] {
  return view.look.runs.flatMap((run) => {
    const newest = newestOf('checkpoint', run, view.look);
    if (newest === null) return [];
    const stays = rule.stays(newest.path, view);
    if (stays === null)
      return [unknown('whether its checkpoints stay where they lie is not told', runSubject(run))];
    if (stays) return [];
    return [
      run.ageS === null
        ? unknown('whether it was this run that wrote them is not told', runSubject(run))
        : answerOf(rule, run, newest, view),
    ];
  });
}

function answerOf(
  { headline, means, fix }: Rule,
  run: RunLook,
  { path, bytes }: Artefact,
  { look }: LookView,
): LookAnswer {
  const disk = diskOf(path, look);
  return found(runSubject(run), {
    severity: 'warn',
    headline,
    means,
    fix,
    evidence: [
      figure(`Newest checkpoint ${path}`, bytes / 1e9, 'GB'),
      ...(disk === null ? [] : [line(`${path} lies on ${disk.path} (${disk.type})`)]),
    ],
    caveat: 'Whether it is copied elsewhere, too, is not known.',
  });
}
