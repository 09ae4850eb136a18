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
import type { Artefact, RunInLook } from '../patrol-look.ts';
import { phrase, says } from '../../detectors/says.ts';
import { diskOf } from './disks.ts';
import { newestOf } from './own-files.ts';

/** Checkpoints of a run that lie where they do not stay. */
interface Rule {
  readonly id: 'CN1' | 'NB4' | 'SLURM5';
  /** Whether it stays there; null: nobody can tell. */
  readonly stays: (path: string, view: LookView) => boolean | null;
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const isKept = (path: string, { places }: LookView): boolean =>
  places.kept.some((folder) => isBelow(path, folder));

const rules: readonly Rule[] = [
  {
    id: 'CN1',
    stays: (path, view) => {
      // Such a folder counts, mount or not; any other name without a mount is the system disk.
      if (isKept(path, view)) return true;
      const disk = diskOf(path, view.look);
      return disk === null ? null : disk.path !== '/';
    },
  },
  {
    id: 'NB4',
    stays: (path, view) => {
      if (view.places.kept.length > 0) return isKept(path, view);
      // Drive may be mounted at any place, and a folder of that name be there without it.
      const disk = diskOf(path, view.look);
      return disk === null ? null : !isLocal(disk);
    },
  },
  {
    id: 'SLURM5',
    stays: (path, { look }) => {
      if (isBelow(path, '/tmp') || isBelow(path, '/var/tmp') || isBelow(path, '/dev/shm'))
        return false;
      const disk = diskOf(path, look);
      if (disk === null) return null;
      if (!isLocal(disk)) return true;
      // On the server of the homes these are a disk of its own.
      return isBelow(path, '/home') ? null : false;
    },
  },
];

/** The entries that say what a platform takes away with a stop or a job. */
export const lossEntries: readonly string[] = rules.map(({ id }) => id);

export const lostCheckpoints: readonly LookDetector[] = rules.map((rule) => ({
  id: rule.id,
  judge(view) {
    if (!view.traps.includes(rule.id)) return [clear()];
    if (view.look.isCut)
      return [...told(rule, view), unknown('there is more on the box than one check reads')];
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
  { id }: Rule,
  run: RunInLook,
  { path, bytes }: Artefact,
  { look }: LookView,
): LookAnswer {
  const disk = diskOf(path, look);
  return found(runSubject(run), {
    severity: 'warn',
    says: says(id, 'lost'),
    clues: [
      figure(`Newest checkpoint ${path}`, bytes / 1e9, 'GB'),
      ...(disk === null ? [] : [line(`${path} lies on ${disk.path} (${disk.type})`)]),
    ],
    caveat: phrase(id, 'copy-unknown'),
  });
}
