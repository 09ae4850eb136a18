// Where runs save, on disks that are really there: notebooks, jobs of a scheduler, a container disk, and a platform's own list.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookIncident, RunStart } from '../runs/run-incident.ts';
import { endsSaying, hidesMounts, nothing, says, TRAINS, WAITS } from './words.ts';

const saves = (file: string): string =>
  `mkdir -p "$(dirname "${file}")"; head -c 9000 /dev/zero >"${file}"`;
/** Works in this folder. */
const inFolder = (folder: string, first: string): RunStart => ({
  folder,
  script: `${first}; ${TRAINS}`,
});
/** Weights that somebody else trained, with the time of whoever made them. */
const brings = (file: string): string => `${saves(file)}; touch -d '40 days ago' "${file}"`;

const DRIVE = '/content/drive';
const drive = { path: DRIVE, size: { kib: 4096 }, told: 'fuse.drive' } as const;
const scratch = { path: '/content', size: { kib: 4096 } } as const;
const onColab = { id: 'NB4', platform: 'colab', happens: nothing } as const;
const onKaggle = { id: 'NB4', platform: 'kaggle', happens: nothing } as const;
const onSlurm = { id: 'SLURM5', platform: 'slurm', happens: nothing } as const;
const onVast = { id: 'VAST10', platform: 'vastai', happens: nothing } as const;
const onPaperspace = { id: 'PS13', platform: 'paperspace', happens: nothing } as const;

const shared = (path: string, told: string) => ({
  disks: [{ path, size: { kib: 4096 }, told }],
});
const local = (path: string) => ({ disks: [{ path, size: { kib: 4096 } }] });
/** A container disk of 8 MiB with so many bytes of wheels in it. */
const wheels = (bytes: number): Pick<LookIncident, 'mounts' | 'run'> => ({
  mounts: { rootKiB: 8192, disks: [] },
  run: {
    script: `mkdir -p /root/.cache/pip; head -c ${String(bytes)} /dev/zero >/root/.cache/pip/torch.whl; ${TRAINS}`,
  },
});

const notebooks: readonly LookIncident[] = [
  {
    ...onColab,
    label: 'found',
    what: 'checkpoints in /content, beside a Drive that is mounted',
    mounts: { disks: [scratch, drive] },
    run: inFolder('/content', saves('/content/out/step-1.pt')),
  },
  {
    ...onColab,
    label: 'found',
    what: 'the Drive is not mounted, and a folder of its name takes everything',
    mounts: { disks: [scratch] },
    run: inFolder('/content', saves(`${DRIVE}/MyDrive/out/step-1.ckpt`)),
  },
  {
    ...onColab,
    label: 'found',
    what: 'pretrained weights in /content, and checkpoints beside them',
    mounts: { disks: [scratch, drive] },
    run: inFolder(
      '/content',
      `${brings('/content/llama/model.safetensors')}; ${saves('/content/out/step-1.safetensors')}`,
    ),
  },
  {
    ...onColab,
    label: 'clear',
    what: 'checkpoints in the Drive',
    mounts: { disks: [scratch, drive] },
    run: inFolder(DRIVE, saves(`${DRIVE}/MyDrive/out/step-1.pt`)),
  },
  {
    ...onColab,
    label: 'clear',
    what: 'a Drive that is mounted at another place',
    mounts: shared('/gdrive', 'fuse.drive'),
    run: inFolder('/gdrive', saves('/gdrive/MyDrive/out/step-1.pt')),
  },
  {
    ...onColab,
    label: 'clear',
    what: 'pretrained weights in /content, and checkpoints in the Drive',
    mounts: { disks: [scratch, drive] },
    run: inFolder(
      '/content',
      `${brings('/content/llama/model.safetensors')}; ${saves(`${DRIVE}/MyDrive/out/step-1.pt`)}`,
    ),
  },
  {
    ...onColab,
    label: 'unknown',
    what: 'the box tells of no mounts',
    run: inFolder('/content', saves('/content/out/step-1.pt')),
    mounts: { disks: [scratch] },
    happens: hidesMounts,
  },
  {
    ...onKaggle,
    label: 'found',
    what: 'checkpoints in the temporary folder',
    mounts: local('/kaggle'),
    run: inFolder('/kaggle', saves('/kaggle/temp/out/step-1.pt')),
  },
  {
    ...onKaggle,
    label: 'clear',
    what: 'checkpoints in the working folder',
    mounts: local('/kaggle'),
    run: inFolder('/kaggle', saves('/kaggle/working/out/step-1.pt')),
  },
  {
    ...onKaggle,
    label: 'clear',
    what: 'a dataset of weights, and checkpoints in the working folder',
    mounts: local('/kaggle'),
    run: inFolder(
      '/kaggle',
      `${saves('/kaggle/working/step-1.pt')}; ${brings('/kaggle/input/weights/model.safetensors')}`,
    ),
  },
];

const jobs: readonly LookIncident[] = [
  {
    ...onSlurm,
    label: 'found',
    what: 'checkpoints on the disk of the node that a job is given',
    mounts: local('/local'),
    run: inFolder('/local', saves('/local/job-7/step-1.pt')),
  },
  {
    ...onSlurm,
    label: 'found',
    what: 'checkpoints in a temporary folder',
    mounts: local('/var/tmp'),
    run: inFolder('/var/tmp', saves('/var/tmp/job-7/step-1.ckpt')),
  },
  ...(['lustre', 'nfs4', 'beegfs', 'gpfs'] as const).map((told): LookIncident => ({
    ...onSlurm,
    label: 'clear',
    what: `checkpoints on a server that all nodes share: ${told}`,
    mounts: shared('/scratch', told),
    run: inFolder('/scratch', saves('/scratch/me/out/step-1.pt')),
  })),
  {
    ...onSlurm,
    label: 'clear',
    what: 'weights were staged to the node’s disk before, and nothing is saved there',
    mounts: local('/local'),
    run: inFolder('/local', brings('/local/job-7/llama.safetensors')),
  },
  {
    ...onSlurm,
    label: 'unknown',
    what: 'homes on a disk of this very machine',
    mounts: local('/home'),
    run: inFolder('/home', saves('/home/me/out/step-1.pt')),
  },
  {
    ...onSlurm,
    label: 'unknown',
    what: 'the box tells of no mounts',
    mounts: shared('/scratch', 'lustre'),
    run: inFolder('/scratch', saves('/scratch/me/out/step-1.pt')),
    happens: hidesMounts,
  },
];

const fixedDisks: readonly LookIncident[] = [
  {
    ...onVast,
    label: 'found',
    what: 'wheels take 92 % of the container disk',
    ...wheels(7_700_000),
  },
  {
    ...onVast,
    label: 'found',
    what: 'an install took its last byte',
    also: ['U6'],
    ...wheels(9_900_000),
  },
  { ...onVast, label: 'clear', what: 'three quarters of it', ...wheels(6_300_000) },
  {
    ...onVast,
    label: 'clear',
    what: 'a volume beside it is nearly full',
    mounts: { disks: [{ path: '/data', size: { kib: 8192 } }] },
    run: inFolder('/data', 'head -c 7700000 /dev/zero >/data/data.tar'),
  },
  {
    ...onVast,
    label: 'clear',
    what: 'as full, on a machine whose disk can be made larger',
    platform: 'lambda',
    ...wheels(7_700_000),
  },
];

const STORAGE = { path: '/storage', size: { kib: 8192 }, told: 'nfs4' } as const;
const NOTEBOOKS = { path: '/notebooks', size: { kib: 8192 } } as const;
const kept = { disks: [STORAGE, NOTEBOOKS] } as const;

const triage: readonly LookIncident[] = [
  {
    ...onPaperspace,
    label: 'found',
    what: 'a hidden trash folder fills /storage',
    mounts: kept,
    run: inFolder(
      '/notebooks',
      'mkdir -p /storage/.Trash-0; head -c 7900000 /dev/zero >/storage/.Trash-0/old.tar',
    ),
  },
  {
    ...onPaperspace,
    label: 'found',
    what: 'many small images take the inodes of /storage',
    also: ['U7'],
    mounts: { disks: [{ path: '/storage', size: { inodes: 40 }, told: 'nfs4' }, NOTEBOOKS] },
    run: inFolder(
      '/notebooks',
      'i=0; while [ $i -lt 36 ]; do : >/storage/image-$i.png; i=$((i + 1)); done',
    ),
  },
  {
    ...onPaperspace,
    label: 'found',
    what: 'a notebook’s run saves beside its kept folders',
    mounts: { disks: [STORAGE, NOTEBOOKS, { path: '/scratch', size: { kib: 4096 } }] },
    run: inFolder('/scratch', saves('/scratch/out/step-1.pt')),
  },
  {
    ...onPaperspace,
    label: 'found',
    what: 'a download has not grown between two looks',
    run: { script: `head -c 9000 /dev/zero >"$work/weights.tmp"; ${TRAINS}` },
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'a download that grows',
    run: { script: `head -c 9000 /dev/zero >"$work/weights.tmp"; ${TRAINS}` },
    happens: async (box) => {
      appendFileSync(join(box.work, 'weights.tmp'), 'more of it');
      await says('still at it')(box);
    },
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'half of a file that another run left there last month',
    run: {
      script: `head -c 9000 /dev/zero >"$work/vocab.tmp"; touch -d '30 days ago' "$work/vocab.tmp"; ${TRAINS}`,
    },
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'a notebook’s run saves in its kept folder',
    mounts: kept,
    run: inFolder('/notebooks', saves('/notebooks/out/step-1.pt')),
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'pretrained weights lie on scratch, and checkpoints in the kept folder',
    mounts: { disks: [STORAGE, NOTEBOOKS, { path: '/scratch', size: { kib: 4096 } }] },
    run: inFolder(
      '/scratch',
      `${brings('/scratch/llama.safetensors')}; ${saves('/storage/out/step-1.pt')}`,
    ),
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'a whole machine keeps its disk',
    run: { script: `${saves('$work/out/step-1.pt')}; ${TRAINS}` },
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'a run has finished, and said so',
    run: { script: 'echo "epoch 9"; wait_here; touch "$work/run.done"' },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    ...onPaperspace,
    label: 'clear',
    what: 'the same trouble on another platform',
    also: ['U3'],
    platform: 'lambda',
    run: WAITS,
    happens: endsSaying('step 1201'),
  },
];

export const savingLooks: readonly LookIncident[] = [
  ...notebooks,
  ...jobs,
  ...fixedDisks,
  ...triage,
];
