// Disks that a platform has at a place of its own. They are real, and really full.
import type { LookIncident } from '../runs/run-incident.ts';
import { at, hidesMounts, nothing, TRAINS, WAITS } from './words.ts';

const fills = (commands: string): { readonly script: string } => ({
  script: `${commands}; ${TRAINS}`,
});
const zeros = (bytes: number, file: string): string =>
  `mkdir -p "$(dirname '${file}')"; head -c ${String(bytes)} /dev/zero >'${file}'`;
const files = (count: number, folder: string): string =>
  `i=0; while [ $i -lt ${String(count)} ]; do touch '${folder}'/image-$i.png; i=$((i + 1)); done`;

const SHARED = '/root/autodl-fs';
const DATA = '/root/autodl-tmp';
const CACHE_ON_DATA = `mkdir -p "$home/.cache" ${DATA}/hf; ln -s ${DATA}/hf "$home/.cache/huggingface"`;
const MODEL = `${DATA}/hf/hub/models--meta--llama/blobs/weights`;

export const platformDisks: readonly LookIncident[] = [
  {
    id: 'RP11',
    label: 'found',
    what: 'wheels fill the container’s disk, and the volume is empty',
    mounts: { rootKiB: 8192, disks: [{ path: '/workspace', size: { kib: 65_536 } }] },
    run: fills(zeros(7_900_000, '/root/.cache/pip/torch.whl')),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'found',
    what: 'an install took the last byte of the container’s disk',
    also: ['U6'],
    mounts: { rootKiB: 8192, disks: [{ path: '/workspace', size: { kib: 65_536 } }] },
    run: fills(`${zeros(9_900_000, '/opt/conda/pkgs/torch.tar')} 2>/dev/null`),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'clear',
    what: 'the volume is full as well',
    mounts: { rootKiB: 8192, disks: [{ path: '/workspace', size: { kib: 8192 } }] },
    run: fills(
      `${zeros(7_900_000, '/root/.cache/pip/torch.whl')}; ${zeros(7_900_000, '/workspace/data.tar')}`,
    ),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'clear',
    what: 'the container’s disk is 85 % full',
    mounts: { rootKiB: 8192, disks: [{ path: '/workspace', size: { kib: 65_536 } }] },
    run: fills(zeros(7_100_000, '/root/.cache/pip/torch.whl')),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'clear',
    what: 'the volume is full, and the container’s disk has room',
    mounts: { disks: [{ path: '/workspace', size: { kib: 8192 } }] },
    run: fills(zeros(7_900_000, '/workspace/data.tar')),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'clear',
    what: 'a full root and a roomy /workspace on a platform that has another trap',
    also: ['VAST10'],
    platform: 'vastai',
    mounts: { rootKiB: 8192, disks: [{ path: '/workspace', size: { kib: 65_536 } }] },
    run: fills(zeros(7_900_000, '/root/.cache/pip/torch.whl')),
    happens: nothing,
  },
  {
    id: 'RP11',
    label: 'unknown',
    what: 'the box tells of no mounts',
    platform: 'runpod',
    run: WAITS,
    happens: hidesMounts,
  },

  {
    id: 'AD4',
    label: 'found',
    what: 'images of samples take 92 % of the shared disk’s inodes, and few bytes',
    also: ['U7'],
    mounts: { disks: [{ path: SHARED, size: { inodes: 40 } }] },
    run: fills(files(36, SHARED)),
    happens: nothing,
  },
  {
    id: 'AD4',
    label: 'found',
    what: 'no inode is left, and a run says so',
    also: ['U7'],
    mounts: { disks: [{ path: SHARED, size: { inodes: 40 } }] },
    run: { folder: SHARED, script: `${files(60, SHARED)}; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'AD4',
    label: 'clear',
    what: 'the shared disk is nearly full of bytes, with inodes left',
    mounts: { disks: [{ path: SHARED, size: { kib: 4096 } }] },
    run: fills(zeros(3_900_000, `${SHARED}/data.tar`)),
    happens: nothing,
  },
  {
    id: 'AD4',
    label: 'clear',
    what: 'it is the data disk that has few inodes left',
    also: ['U7'],
    mounts: {
      disks: [
        { path: SHARED, size: { inodes: 400 } },
        { path: DATA, size: { inodes: 40 } },
      ],
    },
    run: fills(files(37, DATA)),
    happens: nothing,
  },
  {
    id: 'AD4',
    label: 'clear',
    what: '70 % of the shared disk’s inodes',
    mounts: { disks: [{ path: SHARED, size: { inodes: 40 } }] },
    run: fills(files(27, SHARED)),
    happens: nothing,
  },
  {
    id: 'AD4',
    label: 'unknown',
    what: 'the box tells of no mounts',
    run: WAITS,
    happens: hidesMounts,
  },

  {
    id: 'AD5',
    label: 'found',
    what: 'the model cache is a link to the data disk and fills it',
    also: ['U7'],
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(`${CACHE_ON_DATA}; ${zeros(8_100_000, MODEL)}`),
    happens: nothing,
  },
  {
    id: 'AD5',
    label: 'found',
    what: 'three models and a run’s own files, to the last byte',
    also: ['U7', 'U6'],
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(
      `${CACHE_ON_DATA}; ${zeros(3_000_000, MODEL)}; ${zeros(2_500_000, `${DATA}/hf/hub/models--a--b/blobs/x`)}; ${zeros(9_000_000, `${DATA}/run/out.bin`)} 2>/dev/null`,
    ),
    happens: nothing,
  },
  {
    id: 'AD5',
    label: 'clear',
    what: 'the data disk is full, and the cache lies in the home folder',
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(`mkdir -p "$home/.cache/huggingface/hub"; ${zeros(8_100_000, `${DATA}/data.tar`)}`),
    happens: nothing,
  },
  {
    id: 'AD5',
    label: 'clear',
    what: 'the data disk is full on a box that has no model cache at all',
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(zeros(8_100_000, `${DATA}/data.tar`)),
    happens: nothing,
  },
  {
    id: 'AD5',
    label: 'clear',
    what: 'the cache lies on the data disk, which has room',
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(`${CACHE_ON_DATA}; ${zeros(4_000_000, MODEL)}`),
    happens: nothing,
  },
  {
    id: 'AD5',
    label: 'unknown',
    what: 'the data disk is full, and where the cache lies is not answered',
    mounts: { disks: [{ path: DATA, size: { kib: 8192 } }] },
    run: fills(`${CACHE_ON_DATA}; ${zeros(8_100_000, MODEL)}`),
    happens: at((box) => box.doesNotReturn('readlink', 'huggingface')),
  },

  {
    id: 'FZ3',
    label: 'found',
    what: '16 GB in work and 12 GB in /cloud',
    mounts: {
      disks: [
        { path: '/home/featurize', size: { gb: 40 } },
        { path: '/cloud', size: { gb: 40 } },
      ],
    },
    run: fills('fallocate -l 16GB /home/featurize/env.tar; fallocate -l 12GB /cloud/data.tar'),
    happens: nothing,
  },
  {
    id: 'FZ3',
    label: 'found',
    what: 'an environment that is made there has no room any more',
    also: ['U6'],
    mounts: { disks: [{ path: '/home/featurize', size: { kib: 256 } }] },
    run: {
      folder: '/home/featurize',
      script: `echo solving; head -c 900000 /dev/zero >env.tar; wait_here`,
    },
    happens: nothing,
  },
  {
    id: 'FZ3',
    label: 'clear',
    what: '20 GB in both',
    platform: 'featurize',
    mounts: {
      disks: [
        { path: '/home/featurize', size: { gb: 40 } },
        { path: '/cloud', size: { gb: 40 } },
      ],
    },
    run: fills('fallocate -l 12GB /home/featurize/env.tar; fallocate -l 8GB /cloud/data.tar'),
    happens: nothing,
  },
  {
    id: 'FZ3',
    label: 'clear',
    what: '28 GB in a folder of that name on another platform',
    platform: 'autodl',
    mounts: { disks: [{ path: '/cloud', size: { gb: 40 } }] },
    run: fills('fallocate -l 28GB /cloud/data.tar'),
    happens: nothing,
  },
  {
    id: 'FZ3',
    label: 'clear',
    what: 'a write failed beside the cloud storage',
    also: ['U6'],
    platform: 'featurize',
    mounts: {
      disks: [
        { path: '/cloud', size: { gb: 40 } },
        { path: '/scratch', size: { kib: 256 } },
      ],
    },
    run: { folder: '/scratch', script: `head -c 900000 /dev/zero >x.bin; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'FZ3',
    label: 'unknown',
    what: 'the cloud storage is no mount of its own',
    platform: 'featurize',
    run: WAITS,
    happens: nothing,
  },

  {
    id: 'MP1',
    label: 'found',
    what: 'a saved environment takes 92 % of the netdisk',
    mounts: { disks: [{ path: '/mnt', size: { kib: 16_384 } }] },
    run: fills(zeros(15_500_000, '/mnt/env.snap')),
    happens: nothing,
  },
  {
    id: 'MP1',
    label: 'found',
    what: 'two snapshots in a folder, and no byte is left',
    also: ['U6'],
    platform: 'matpool',
    mounts: { disks: [{ path: '/mnt', size: { kib: 32_768 } }] },
    run: fills(
      `${zeros(12_000_000, '/mnt/saved/a.snap')}; ${zeros(11_000_000, '/mnt/saved/b.snap')}; ${zeros(20_000_000, '/mnt/data.tar')} 2>/dev/null`,
    ),
    happens: nothing,
  },
  {
    id: 'MP1',
    label: 'clear',
    what: 'the netdisk is full of data',
    mounts: { disks: [{ path: '/mnt', size: { kib: 16_384 } }] },
    run: fills(zeros(15_500_000, '/mnt/data.tar')),
    happens: nothing,
  },
  {
    id: 'MP1',
    label: 'clear',
    what: 'a snapshot on a netdisk that has room',
    platform: 'matpool',
    mounts: { disks: [{ path: '/mnt', size: { kib: 65_536 } }] },
    run: fills(zeros(15_500_000, '/mnt/env.snap')),
    happens: nothing,
  },
  {
    id: 'MP1',
    label: 'clear',
    what: 'a small file of that kind on a full netdisk',
    mounts: { disks: [{ path: '/mnt', size: { kib: 16_384 } }] },
    run: fills(`${zeros(15_000_000, '/mnt/data.tar')}; ${zeros(500_000, '/mnt/notes.snap')}`),
    happens: nothing,
  },
  {
    id: 'MP1',
    label: 'unknown',
    what: 'no netdisk is mounted',
    platform: 'matpool',
    run: WAITS,
    happens: nothing,
  },

  {
    id: 'U6',
    label: 'found',
    what: 'no room for two more checkpoints of a run',
    mounts: { disks: [{ path: '/data', size: { kib: 16_384 } }] },
    run: { folder: '/data', script: `${zeros(6_000_000, '/data/step-1.pt')}; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'U6',
    label: 'clear',
    what: 'a disk that is 85 % full, and one of the system at 100 %',
    mounts: {
      disks: [
        { path: '/data', size: { kib: 8192 } },
        { path: '/snap/core/1', size: { kib: 256 } },
      ],
    },
    run: fills(
      `${zeros(7_100_000, '/data/data.tar')}; ${zeros(900_000, '/snap/core/1/core')} 2>/dev/null; mount -o remount,ro /snap/core/1`,
    ),
    happens: nothing,
  },
  {
    id: 'U6',
    label: 'clear',
    what: 'a disk that nobody can write to is full',
    mounts: { disks: [{ path: '/datasets', size: { kib: 256 } }] },
    run: fills(`${zeros(900_000, '/datasets/images')} 2>/dev/null; mount -o remount,ro /datasets`),
    happens: at((box) => box.showMounts()),
  },
  {
    id: 'U7',
    label: 'found',
    what: 'a hidden cache fills the disk of a run with few files',
    mounts: { disks: [{ path: '/data', size: { kib: 8192 } }] },
    run: fills(
      `mkdir -p "$home/.cache" /data/hf; ln -s /data/hf "$home/.cache/huggingface"; ${zeros(7_800_000, '/data/hf/hub/models--x--y/blobs/w')}`,
    ),
    happens: nothing,
  },
  {
    id: 'U7',
    label: 'clear',
    what: 'a disk that is nearly full of a run’s own files, with a small cache beside them',
    mounts: { disks: [{ path: '/data', size: { kib: 8192 } }] },
    run: fills(
      `mkdir -p "$home/.cache" /data/hf; ln -s /data/hf "$home/.cache/huggingface"; ${zeros(500_000, '/data/hf/hub/models--x--y/blobs/w')}; ${zeros(7_300_000, '/data/data.tar')}`,
    ),
    happens: nothing,
  },
];
