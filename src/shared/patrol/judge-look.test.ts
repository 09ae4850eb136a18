import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import { likeShipped } from '../profiles/places.fixture.ts';
import { parseOomKills } from '../probes/oom-kill.ts';
import { parseKernelLog } from '../probes/xid.ts';
import { lookDetectors } from './detectors/catalog.ts';
import type { MissingRun } from './judge-vanished.ts';
import { judgeVanished } from './judge-vanished.ts';
import { judgeLook, judgeUnreachable } from './judge-look.ts';
import { lookDetectorIds, type LookContext, type LookDetectorId } from './look-detector.ts';
import { goneLook, LOOK, mount, RUN, RUN_LOG, untold } from './look.fixture.ts';
import type {
  FillsLook,
  FollowedFile,
  MemoryLook,
  PatrolLook,
  RunInLook,
  WaiterLook,
} from './patrol-look.ts';
import { rememberLook, type PatrolMemory } from './patrol-memory.ts';
import { variants } from '../detectors/says.ts';
import { expectReported } from './reported.fixture.ts';
import { isLookRule } from './select-judged.ts';

const LATER: PatrolLook = {
  ...LOOK,
  atMs: LOOK.atMs + 300_000,
  machine: { ...LOOK.machine, uptimeS: 9300 },
};
const remember = (look: PatrolLook, judged: ReturnType<typeof judgeLook>): PatrolMemory =>
  rememberLook({ look, before: null, alive: [], missing: [], judged }, null);
const BEFORE = remember(LOOK, []);

interface Story {
  readonly id: LookDetectorId;
  readonly what: string;
  readonly answer: 'found' | 'clear' | 'unknown';
  readonly look?: Partial<PatrolLook>;
  /** The look before; null: there was none. */
  readonly before?: PatrolMemory | null;
  readonly context?: Partial<LookContext>;
}

const run = (told: Partial<RunInLook>): Partial<PatrolLook> => ({ runs: [{ ...RUN, ...told }] });
const logged = (end: string | null, start: string | null = ''): Partial<PatrolLook> =>
  run({ logs: [{ ...RUN_LOG, end, start }] });
/** The log has grown by so many bytes since the look before. */
const grown = (end: string, bytes = 400): Partial<PatrolLook> =>
  run({ logs: [{ ...RUN_LOG, bytes: RUN_LOG.bytes + bytes, end }] });
const memory = (told: Partial<MemoryLook>): Partial<PatrolLook> => ({
  memory: LOOK.memory === null ? null : { ...LOOK.memory, ...told },
});
const kernel = (text: string): Partial<PatrolLook> => ({
  kernel: { ...LOOK.kernel, gpuEvents: parseKernelLog(text).rows },
});
const killedByKernel = (pid: number): Partial<PatrolLook> => ({
  kernel: {
    ...LOOK.kernel,
    oomKills: parseOomKills(
      `[ 8000.1] Memory cgroup out of memory: Killed process ${String(pid)} (python) total-vm:1kB`,
    ).rows,
  },
});
const CLOSED: Partial<PatrolLook> = {
  kernel: { ...LOOK.kernel, closedBecause: 'the kernel log is closed to this user' },
};
const used = (usedPct: number) => ({
  usedPct,
  usedKiB: usedPct * 1_000_000,
  freeKiB: (100 - usedPct) * 1_000_000,
});
const full = { ...used(100), freeKiB: 0 };
const inodes = (inodesUsedPct: number) => ({
  inodesUsedPct,
  inodesUsed: inodesUsedPct * 10,
  inodesFree: 1000 - inodesUsedPct * 10,
});
const NO_INODES = {
  inodesTotal: null,
  inodesUsed: null,
  inodesFree: null,
  inodesUsedPct: null,
};
const waiter = (pid: number, command: string, told: Partial<WaiterLook> = {}): WaiterLook => ({
  pid,
  startTicks: pid,
  ageS: 7200,
  command,
  hasTerminal: false,
  follows: null,
  ...told,
});

const tail = (pid: number, path: string, told: Partial<FollowedFile>): WaiterLook =>
  waiter(pid, `tail -f ${path}`, { follows: { path, modifiedAtS: 5, isWritten: false, ...told } });

/** What the tick makes of a run that is not there any more. */
const gone = (end: string | null, change: Partial<PatrolLook> = {}) => {
  const look = { ...goneLook(end, change), atMs: LATER.atMs };
  const missing: MissingRun[] = [{ run: RUN, judgement: judgeVanished(RUN, LOOK, look, null) }];
  return { look, context: { missing } };
};

const ENOSPC = 'OSError: [Errno 28] No space left on device\n';
const checkpoint = (bytes: number, path = '/work/a.pt', modifiedAtS = 950) =>
  ({ kind: 'checkpoint', path, bytes, modifiedAtS }) as const;
const SILENT = { modifiedAtS: LATER.atMs / 1000 - 1200 };
const silent = (told: Partial<RunInLook> = {}): Partial<PatrolLook> =>
  run({ isUnbuffered: false, logs: [{ ...RUN_LOG, ...SILENT }], ...told });
const FILLS: FillsLook = {
  cacheFolder: '/root/.cache/huggingface',
  models: [],
  snapshots: [],
};
const GB = 1e9;

const STORIES: readonly Story[] = [
  {
    id: 'GEN8',
    what: 'an answer that ended in the middle',
    answer: 'found',
    look: { isWhole: false },
  },
  { id: 'GEN8', what: 'an answer without a run', answer: 'clear', look: { runs: [] } },

  {
    id: 'GEN6',
    what: 'another boot id, and the run is gone',
    answer: 'found',
    ...gone(null, { machine: { ...LOOK.machine, bootId: 'b2', uptimeS: 40 } }),
  },
  { id: 'GEN6', what: 'a run that is gone from the same boot', answer: 'clear', ...gone(null) },
  {
    id: 'GEN6',
    what: 'a reboot of a box on which nothing ran',
    answer: 'clear',
    look: { machine: { ...LOOK.machine, bootId: 'b2' }, runs: [] },
    before: { ...BEFORE, runs: [] },
  },
  {
    id: 'GEN6',
    what: 'a reboot after the run had left its marker of success',
    answer: 'clear',
    ...gone('bye\n', {
      machine: { ...LOOK.machine, bootId: 'b2', uptimeS: 40 },
      artefacts: [{ path: '/work/run.done', kind: 'done', modifiedAtS: 990, bytes: 0 }],
    }),
  },
  {
    id: 'GEN6',
    what: 'a box that tells no boot id',
    answer: 'unknown',
    look: { machine: { ...LOOK.machine, bootId: null, initStartTicks: null } },
  },

  { id: 'U3', what: 'a run whose log just stops', answer: 'found', ...gone('step 11\n') },
  {
    id: 'U3',
    what: 'a run that left its marker of success',
    answer: 'clear',
    ...gone('bye\n', {
      artefacts: [{ path: '/work/run.done', kind: 'done', modifiedAtS: 990, bytes: 0 }],
    }),
  },
  {
    id: 'U3',
    what: 'a table of processes that was cut',
    answer: 'unknown',
    ...gone('step 11\n', { processes: { rows: [], isWhole: false } }),
  },

  {
    id: 'U22',
    what: 'a card that fell off the bus',
    answer: 'found',
    look: kernel('[ 8000.1] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.'),
  },
  {
    id: 'U22',
    what: 'a driver that says it is loaded',
    answer: 'clear',
    look: kernel('[ 8000.1] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.54'),
  },
  {
    id: 'U22',
    what: 'a card of another tenant that fell off the bus',
    answer: 'clear',
    look: {
      ...kernel('[ 8000.1] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.'),
      cardAddresses: ['0000:3b:00'],
    },
  },
  { id: 'U22', what: 'a log that is closed', answer: 'unknown', look: CLOSED },

  {
    id: 'U6',
    what: 'a disk without room',
    answer: 'found',
    look: { mounts: [mount('/work', full)] },
  },
  {
    id: 'U6',
    what: 'room for one more checkpoint only',
    answer: 'found',
    look: {
      mounts: [mount('/work', used(97))],
      artefacts: [checkpoint(2 * GB)],
    },
  },
  { id: 'U6', what: 'a write that failed', answer: 'found', look: logged(ENOSPC) },
  { id: 'U6', what: 'the same in the log of a run that is gone', answer: 'found', ...gone(ENOSPC) },
  {
    id: 'U6',
    what: 'a disk that is 97 % full with room for many checkpoints',
    answer: 'clear',
    look: { mounts: [mount('/work', used(97))], artefacts: [checkpoint(GB / 2)] },
  },
  {
    id: 'U6',
    what: 'a large checkpoint of something that does not run',
    answer: 'clear',
    look: { mounts: [mount('/work', used(97))], artefacts: [checkpoint(9 * GB, '/old/a.pt')] },
  },
  {
    id: 'U6',
    what: 'shared memory that is full',
    answer: 'clear',
    look: { mounts: [mount('/'), mount('/dev/shm', full)] },
  },
  {
    id: 'U6',
    what: 'a disk that does not answer',
    answer: 'unknown',
    look: { mounts: [untold('/work')] },
  },
  { id: 'U6', what: 'a box that tells of no disk', answer: 'unknown', look: { mounts: [] } },

  {
    id: 'U7',
    what: 'no inode left',
    answer: 'found',
    look: { mounts: [mount('/work', inodes(100))] },
  },
  {
    id: 'U7',
    what: '91 % of the inodes',
    answer: 'found',
    look: { mounts: [mount('/', inodes(91))] },
  },
  {
    id: 'U7',
    what: 'a cache that fills the disk',
    answer: 'found',
    look: {
      mounts: [mount('/', used(95))],
      fills: { ...FILLS, models: [{ path: 'models--a', bytes: 60 * GB }] },
    },
  },
  {
    id: 'U7',
    what: 'a full disk with a small cache',
    answer: 'clear',
    look: {
      mounts: [mount('/', used(95))],
      fills: { ...FILLS, models: [{ path: 'models--a', bytes: GB }] },
    },
  },
  {
    id: 'U7',
    what: '89 % of the inodes',
    answer: 'clear',
    look: { mounts: [mount('/', inodes(89))] },
  },
  {
    id: 'U7',
    what: 'a local file system that counts none',
    answer: 'clear',
    look: { mounts: [mount('/', { type: 'btrfs', ...NO_INODES })] },
  },
  {
    id: 'U7',
    what: 'a server that counts none',
    answer: 'unknown',
    look: { mounts: [mount('/', { type: 'nfs4', ...NO_INODES })] },
  },

  {
    id: 'AD4',
    what: 'a shared filesystem without inodes',
    answer: 'found',
    look: { mounts: [mount('/root/autodl-fs', inodes(96))] },
  },
  {
    id: 'AD4',
    what: 'a shared filesystem full of bytes',
    answer: 'clear',
    look: { mounts: [mount('/root/autodl-fs', used(97))] },
  },
  {
    id: 'AD4',
    what: 'another disk without inodes',
    answer: 'clear',
    look: { mounts: [mount('/root/autodl-tmp', inodes(96))] },
  },
  {
    id: 'AD4',
    what: 'a shared filesystem that does not answer',
    answer: 'unknown',
    look: { mounts: [untold('/root/autodl-fs')] },
  },

  {
    id: 'AD5',
    what: 'a full data disk with the cache on it',
    answer: 'found',
    look: {
      mounts: [mount('/root/autodl-tmp', used(98))],
      fills: { ...FILLS, cacheFolder: '/root/autodl-tmp/hf' },
    },
  },
  {
    id: 'AD5',
    what: 'a full data disk, and the cache elsewhere',
    answer: 'clear',
    look: { mounts: [mount('/root/autodl-tmp', used(98))], fills: FILLS },
  },
  {
    id: 'AD5',
    what: 'a full data disk of a box without a model cache',
    answer: 'clear',
    look: {
      mounts: [mount('/root/autodl-tmp', used(98))],
      fills: { ...FILLS, cacheFolder: 'none' },
    },
  },
  {
    id: 'AD5',
    what: 'a full data disk on which nobody could look',
    answer: 'unknown',
    look: { mounts: [mount('/root/autodl-tmp', used(98))], fills: { ...FILLS, cacheFolder: null } },
  },

  {
    id: 'RP11',
    what: 'a full container disk beside an empty volume',
    answer: 'found',
    look: {
      mounts: [mount('/', { type: 'overlay', ...used(96) }), mount('/workspace', used(10))],
    },
    context: { platform: 'runpod' },
  },
  {
    id: 'RP11',
    what: 'a full container disk beside a network volume that everybody shares',
    answer: 'found',
    look: {
      mounts: [
        mount('/', { type: 'overlay', ...used(96), totalKiB: 20_000_000 }),
        mount('/workspace', { type: 'fuse.mfs', usedPct: 70, freeKiB: 900_000_000 }),
      ],
    },
  },
  {
    id: 'RP11',
    what: 'both full',
    answer: 'clear',
    look: {
      mounts: [mount('/', { type: 'overlay', ...used(96) }), mount('/workspace', used(80))],
    },
  },
  {
    id: 'RP11',
    what: 'the same on another platform',
    answer: 'clear',
    look: {
      mounts: [mount('/', { type: 'overlay', ...used(96) }), mount('/workspace', used(10))],
    },
    context: { platform: 'vastai' },
  },
  {
    id: 'RP11',
    what: 'a volume that does not answer',
    answer: 'unknown',
    look: { mounts: [mount('/', { type: 'overlay', ...used(96) }), untold('/workspace', 'nfs4')] },
  },

  {
    id: 'FZ3',
    what: '28 GB in both places',
    answer: 'found',
    look: {
      mounts: [mount('/home/featurize', used(20)), mount('/cloud', { usedKiB: 7_900_000 })],
    },
  },
  {
    id: 'FZ3',
    what: 'a write that failed there',
    answer: 'found',
    look: run({
      folder: '/home/featurize/work',
      logs: [{ ...RUN_LOG, end: 'OSError: [Errno 122] Disk quota exceeded\n' }],
    }),
  },
  { id: 'FZ3', what: 'a write that failed elsewhere', answer: 'clear', look: logged(ENOSPC) },
  {
    id: 'FZ3',
    what: '20 GB',
    answer: 'clear',
    look: { mounts: [mount('/cloud', used(19))] },
  },
  {
    id: 'FZ3',
    what: 'storage that is no mount',
    answer: 'unknown',
    context: { platform: 'featurize' },
  },

  {
    id: 'MP1',
    what: 'snapshots on a full netdisk',
    answer: 'found',
    look: {
      mounts: [mount('/mnt', used(93))],
      fills: { ...FILLS, snapshots: [{ path: '/mnt/env.snap', bytes: 2 * GB }] },
    },
    context: { platform: 'matpool' },
  },
  {
    id: 'MP1',
    what: 'a full netdisk without one',
    answer: 'clear',
    look: { mounts: [mount('/mnt', used(93))], fills: FILLS },
  },
  {
    id: 'MP1',
    what: 'a full netdisk at which nobody looked',
    answer: 'unknown',
    look: { mounts: [mount('/mnt', used(93))] },
  },

  {
    id: 'U9',
    what: '93 % of the limit',
    answer: 'found',
    look: memory({ usedBytes: 0.93 * 2 ** 34 }),
  },
  { id: 'U9', what: 'a counter that rose', answer: 'found', look: memory({ oomKills: 5 }) },
  {
    id: 'U9',
    what: '89 % of the limit',
    answer: 'clear',
    look: memory({ usedBytes: 0.89 * 2 ** 34 }),
  },
  {
    id: 'U9',
    what: 'a kill that only the machine counts, and the box is the machine',
    answer: 'found',
    look: memory({ oomKills: null, hostOomKills: 10, isWholeMachine: true }),
    before: { ...BEFORE, oomKills: null },
  },
  {
    id: 'U9',
    what: 'the same in a part of a machine',
    answer: 'unknown',
    look: memory({ oomKills: null, hostOomKills: 10 }),
    before: { ...BEFORE, oomKills: null },
  },
  {
    id: 'U9',
    what: 'a run of this box that the kernel’s log names',
    answer: 'found',
    ...gone('step 11\n', killedByKernel(RUN.pid)),
  },
  {
    id: 'U9',
    what: 'another tenant’s process that the kernel’s log names',
    answer: 'clear',
    ...gone('Killed\n', killedByKernel(4711)),
  },
  { id: 'U9', what: 'a neighbour’s kill', answer: 'clear', look: memory({ hostOomKills: 10 }) },
  {
    id: 'U9',
    what: 'no limit that is told',
    answer: 'unknown',
    look: memory({ limitBytes: null }),
  },
  {
    id: 'U9',
    what: 'no counter that is told',
    answer: 'unknown',
    look: memory({ oomKills: null }),
  },

  {
    id: 'AD8',
    what: 'four times as much while it validates',
    answer: 'found',
    look: { ...memory({ usedBytes: 2 ** 33 }), ...grown('epoch 1\nValidation: 3/90\n') },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  },
  ...[
    ['a bar of its validation', 'Validating:   3%|▎         | 12/400 [00:03<01:54,  3.39it/s]'],
    ['Hugging Face’s words', '***** Running Evaluation *****'],
    ['the figures of a validation', "{'eval_loss': 2.1, 'epoch': 1.0}"],
    ['Keras', '100/100 - 9s - loss: 0.31 - val_loss: 0.40'],
    ['Chinese', '第 1 轮验证开始'],
  ].map(([what = '', said = '']): Story => ({
    id: 'AD8',
    what: `four times as much, and ${what}`,
    answer: 'found',
    look: { ...memory({ usedBytes: 2 ** 33 }), ...grown(`${said}\n`) },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  })),
  {
    id: 'AD8',
    what: 'four times as much, long after the validation',
    answer: 'clear',
    look: {
      ...memory({ usedBytes: 2 ** 33 }),
      ...grown(`Validation: done\n${'step\n'.repeat(90)}`),
    },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  },
  {
    id: 'AD8',
    what: 'four times as much, and a plan to validate',
    answer: 'clear',
    look: {
      ...memory({ usedBytes: 2 ** 33 }),
      ...grown('Namespace(eval_steps=500)\n--do_eval --eval-batch-size 8\nvalidate every 500\n'),
    },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  },
  {
    id: 'AD8',
    what: 'four times as much while it trains',
    answer: 'clear',
    look: { ...memory({ usedBytes: 2 ** 33 }), ...logged('epoch 1\nstep 3/90\n') },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  },
  {
    id: 'AD8',
    what: 'four times as much, and a log that could not be read',
    answer: 'unknown',
    look: { ...memory({ usedBytes: 2 ** 33 }), ...logged(null) },
    before: { ...BEFORE, usedBytes: 2 ** 31 },
  },
  {
    id: 'AD8',
    what: 'a run that has just begun',
    answer: 'clear',
    look: { ...memory({ usedBytes: 2 ** 33 }), ...logged('Validation sanity check\n') },
    before: { ...BEFORE, usedBytes: 2 ** 31, runs: [] },
  },
  {
    id: 'AD8',
    what: 'a look that was long ago',
    answer: 'unknown',
    look: memory({ usedBytes: 2 ** 33 }),
    before: { ...BEFORE, usedBytes: 2 ** 31, atMs: 1 },
  },

  {
    id: 'U10',
    what: 'a run that ended with it',
    answer: 'found',
    ...gone('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n'),
  },
  {
    id: 'U10',
    what: 'a run that goes on after it',
    answer: 'clear',
    look: logged('torch.OutOfMemoryError: CUDA out of memory. Retrying\n'),
  },
  { id: 'U10', what: 'the host’s memory', answer: 'clear', ...gone('Killed\n') },
  { id: 'U10', what: 'a log that could not be read', answer: 'unknown', ...gone(null) },
  {
    id: 'U10',
    what: 'two runs that are gone, and the log of one that could be read',
    answer: 'unknown',
    look: gone('Killed\n').look,
    context: {
      missing: [
        ...gone('Killed\n').context.missing,
        ...gone(null).context.missing.map((each) => ({
          ...each,
          run: { ...each.run, pid: 9, logs: [] },
        })),
      ],
    },
  },

  {
    id: 'U35',
    what: 'a tracker that gave up',
    answer: 'found',
    look: logged('step 10\n', 'wandb: ERROR No API key configured. Use `wandb login` to log in.\n'),
  },
  {
    id: 'U35',
    what: 'an offline run without a folder',
    answer: 'found',
    look: run({ tracker: 'offline', ageS: 3600 }),
  },
  {
    id: 'U35',
    what: 'an offline run with its folder',
    answer: 'clear',
    look: {
      ...run({ tracker: 'offline', ageS: 3600 }),
      artefacts: [
        { kind: 'tracker', path: '/work/wandb/offline-run-1', modifiedAtS: 1200, bytes: 0 },
      ],
    },
  },
  {
    id: 'U35',
    what: 'a tracker that began',
    answer: 'clear',
    look: logged('step 10\n', 'wandb: Syncing run northern-sky-1\n'),
  },
  {
    id: 'U35',
    what: 'a tracker that gave up at its login',
    answer: 'found',
    look: logged('step 10\n', 'wandb: W&B disabled due to login timeout.\n'),
  },
  {
    id: 'U35',
    what: 'a tracker that began, in colours',
    answer: 'clear',
    look: run({
      tracker: 'online',
      ageS: 3600,
      logs: [
        { ...RUN_LOG, start: '\u001b[34mwandb\u001b[0m: Tracking run with wandb version 0.19\n' },
      ],
    }),
  },
  {
    id: 'U35',
    what: 'a copy that has the person’s environment',
    answer: 'clear',
    look: run({ tracker: 'offline', ageS: 3600, program: '/usr/bin/rsync' }),
  },
  { id: 'U35', what: 'a run without one', answer: 'clear', look: run({ tracker: 'none' }) },
  {
    id: 'U35',
    what: 'a run that has just begun',
    answer: 'unknown',
    look: run({ tracker: 'offline', ageS: 60 }),
  },

  {
    id: 'U37',
    what: 'a figure that is too large',
    answer: 'found',
    ...gone(
      'ValueError: Image size of 1200x80000 pixels is too large. It must be less than 2^16 in each direction.\n',
    ),
  },
  {
    id: 'U37',
    what: 'a figure that is too large for a newer backend',
    answer: 'found',
    look: logged(
      'Image size of 640x9000000 pixels is too large. It must be less than 2^23 in each\n',
    ),
  },
  {
    id: 'U37',
    what: 'another ValueError',
    answer: 'clear',
    look: logged('ValueError: Image size 3\n'),
  },
  { id: 'U37', what: 'a log that could not be read', answer: 'unknown', look: logged(null) },
  { id: 'U37', what: 'a run that is gone with its log', answer: 'unknown', ...gone(null) },

  {
    id: 'U43',
    what: 'a silent log and a checkpoint after it',
    answer: 'found',
    look: { ...silent(), artefacts: [checkpoint(GB, '/work/a.pt', 1290)] },
  },
  {
    id: 'U43',
    what: 'a silent log and a busy CPU',
    answer: 'found',
    look: silent({ cpuTicks: 30_000 }),
  },
  {
    id: 'U43',
    what: 'a silent log and a busy card',
    answer: 'found',
    look: silent(),
    context: { isGpuWorking: true },
  },
  {
    id: 'U43',
    what: 'a run that prints each line at once',
    answer: 'clear',
    look: silent({ isUnbuffered: true, cpuTicks: 30_000 }),
  },
  {
    id: 'U43',
    what: 'a log of a minute ago',
    answer: 'clear',
    look: run({ isUnbuffered: false, logs: [{ ...RUN_LOG, modifiedAtS: 1240 }] }),
  },
  {
    id: 'U43',
    what: 'a log of before the clock was set forward',
    answer: 'clear',
    look: {
      ...run({ isUnbuffered: false, cpuTicks: 30_000, logs: [{ ...RUN_LOG, modifiedAtS: 1290 }] }),
      machine: { ...LATER.machine, clockOffsetMs: 3_600_000 },
    },
  },
  { id: 'U43', what: 'a silent log, and nothing moves', answer: 'unknown', look: silent() },
  {
    id: 'U43',
    what: 'a silent log after an older checkpoint',
    answer: 'unknown',
    look: { ...silent(), artefacts: [checkpoint(GB, '/work/a.pt', 40)] },
  },

  {
    id: 'GS2',
    what: 'a job through the accelerator',
    answer: 'found',
    look: run({ proxy: 'turbo.gpushare.com' }),
    context: { platform: 'gpushare' },
  },
  {
    id: 'GS2',
    what: 'a download through it',
    answer: 'clear',
    look: run({ proxy: 'turbo.gpushare.com', holdsGpu: false, ageS: 60 }),
    context: { platform: 'gpushare' },
  },
  {
    id: 'GS2',
    what: 'a large model that is downloaded through it for hours',
    answer: 'clear',
    look: run({
      proxy: 'turbo.gpushare.com',
      holdsGpu: false,
      ageS: 9000,
      command: 'python /opt/bin/hf download x',
    }),
    context: { platform: 'gpushare' },
  },
  {
    id: 'GS2',
    what: 'another platform’s accelerator',
    answer: 'clear',
    look: run({ proxy: 'turbo.gpushare.com' }),
    context: { platform: 'autodl' },
  },
  { id: 'GS2', what: 'another proxy', answer: 'clear', look: run({ proxy: 'other' }) },
  { id: 'GS2', what: 'no proxy', answer: 'clear', look: run({ proxy: 'none' }) },
  { id: 'GS2', what: 'a closed environment', answer: 'unknown', look: run({ proxy: null }) },

  {
    id: 'U16',
    what: 'two that wait for processes that are gone',
    answer: 'found',
    look: {
      waiters: [
        waiter(7, 'bash -c while kill -0 900; do sleep 30; done'),
        waiter(8, 'tail --pid=901 -f /dev/null'),
      ],
    },
  },
  {
    id: 'U16',
    what: 'two that follow logs that nobody writes',
    answer: 'found',
    look: {
      waiters: [waiter(7, 'tail -f /work/old.log'), waiter(8, 'tail -n 5 -F /work/older.log')],
    },
  },
  {
    id: 'U16',
    what: 'three for one marker',
    answer: 'found',
    look: {
      waiters: [1, 2, 3].map((pid) =>
        waiter(pid, 'sh -c until [ -e /work/DONE ]; do sleep 60; done'),
      ),
    },
  },
  {
    id: 'U16',
    what: 'one for each run',
    answer: 'clear',
    look: {
      waiters: [
        waiter(7, 'bash -c while kill -0 41; do sleep 30; done'),
        waiter(8, 'tail -f /work/train.log'),
      ],
    },
  },
  {
    id: 'U16',
    what: 'two that follow logs of long ago, which nobody has open',
    answer: 'found',
    look: { waiters: [7, 8].map((pid) => tail(pid, `/work/${String(pid)}.log`, {})) },
  },
  {
    id: 'U16',
    what: 'two that follow what another process writes',
    answer: 'clear',
    look: {
      waiters: [7, 8].map((pid) => tail(pid, `/work/${String(pid)}.log`, { isWritten: true })),
    },
  },
  {
    id: 'U16',
    what: 'two that follow what was written a moment ago',
    answer: 'clear',
    look: {
      waiters: [7, 8].map((pid) => tail(pid, `/work/${String(pid)}.log`, { modifiedAtS: 1290 })),
    },
  },
  {
    id: 'U16',
    what: 'what keeps a container alive, and what follows logs of the system and of an editor',
    answer: 'clear',
    look: {
      waiters: [
        waiter(1, 'tail -f /dev/null'),
        waiter(7, 'tail -f /dev/null'),
        tail(8, '/var/log/syslog', {}),
        tail(9, '/root/.vscode-server/data/logs/1/remoteagent.log', {}),
      ],
    },
  },
  {
    id: 'U16',
    what: 'two services on a box on which nothing runs',
    answer: 'clear',
    look: {
      runs: [],
      waiters: [
        waiter(7, 'bash -c while true; do [ -d /work ] && rsync -a /work /backup; sleep 60; done'),
        waiter(8, 'sh -c while :; do if [ -e /work/stop ]; then sync; fi; sleep 60; done'),
      ],
    },
  },
  {
    id: 'U16',
    what: 'a person who looks at two ends of one log',
    answer: 'clear',
    look: {
      waiters: [7, 8].map((pid) => waiter(pid, 'tail -f /work/train.log', { hasTerminal: true })),
    },
  },
  {
    id: 'U16',
    what: 'loops that work and sleep',
    answer: 'clear',
    look: {
      waiters: [7, 8].map((pid) => waiter(pid, 'bash -c while true; do sync_all; sleep 60; done')),
    },
  },
  {
    id: 'U16',
    what: 'a table of processes that was cut',
    answer: 'unknown',
    look: { processes: { ...LOOK.processes, isWhole: false } },
  },

  {
    id: 'U41',
    what: 'a loaded host around a calm box',
    answer: 'found',
    look: { cpu: { ...LOOK.cpu!, load1: 300 } },
  },
  {
    id: 'U41',
    what: 'a full host around a roomy box',
    answer: 'found',
    look: memory({ hostUsedPct: 96, usedBytes: 2 ** 32 }),
  },
  {
    id: 'U41',
    what: 'a loaded host whose load is this box’s own',
    answer: 'clear',
    look: { cpu: { ...LOOK.cpu!, load1: 300 }, cpuStalledPct: 80 },
  },
  {
    id: 'U41',
    what: 'a machine of one’s own',
    answer: 'clear',
    look: {
      cpu: { ...LOOK.cpu!, load1: 300, quotaCpus: 'unlimited' },
      ...memory({ isPartOfHost: false }),
    },
  },
  {
    id: 'U41',
    what: 'a loaded host, and no pressure that is told',
    answer: 'unknown',
    look: { cpu: { ...LOOK.cpu!, load1: 300, usedS: null }, cpuStalledPct: null },
  },
  {
    id: 'U41',
    what: 'the same where the box uses little of its quota',
    answer: 'found',
    look: { cpu: { ...LOOK.cpu!, load1: 300, usedS: 400 }, cpuStalledPct: null },
  },
  {
    id: 'U41',
    what: 'the same where the box uses all of its quota',
    answer: 'clear',
    look: { cpu: { ...LOOK.cpu!, load1: 300, usedS: 2400 }, cpuStalledPct: null },
  },
  {
    id: 'U41',
    what: 'all CPUs of a host, a part of its memory, and a load that is far above',
    answer: 'found',
    look: { cpu: { ...LOOK.cpu!, load1: 300, quotaCpus: 'unlimited' } },
  },
  {
    id: 'U41',
    what: 'a host with more CPUs than its load, of which the box has few',
    answer: 'found',
    look: { cpu: { ...LOOK.cpu!, load1: 180, hostCpus: 256 } },
  },
  {
    id: 'U41',
    what: 'a host that others use as well',
    answer: 'clear',
    look: { cpu: { ...LOOK.cpu!, load1: 40, hostCpus: 128 } },
  },
];

const judge = ({
  look = {},
  before = BEFORE,
  context = {},
}: Omit<Story, 'id' | 'what' | 'answer'>) =>
  judgeLook({ ...LATER, ...look }, before, {
    missing: [],
    isGpuWorking: null,
    ...likeShipped(context.platform ?? null),
    ...context,
  });

/** A finding outweighs what could not be looked at, and that outweighs silence. */
function sumOf(judged: ReturnType<typeof judgeLook>, id: LookDetectorId): Story['answer'] {
  const kinds = judged.filter(({ detector }) => detector === id).map(({ answer }) => answer.kind);
  expect(kinds).not.toEqual([]);
  return kinds.includes('found') ? 'found' : kinds.includes('unknown') ? 'unknown' : 'clear';
}

it.each(STORIES)('$id: $what → $answer', ({ id, answer, ...given }) => {
  expect(sumOf(judge(given), id)).toBe(answer);
});

it.each(STORIES.filter(({ id }) => isLookRule(id)))(
  '$id: $what → a finding of its own: $answer',
  ({ id, answer, ...given }) => {
    expectReported({ ...LATER, ...given.look }, judge(given), id, answer);
  },
);

describe('the rules over a look', () => {
  it('are all clear of a healthy box, also at its first look but for what needs two', () => {
    expect(new Set(judge({}).map(({ answer }) => answer.kind))).toEqual(new Set(['clear']));
    const first = judge({ before: null }).filter(({ answer }) => answer.kind !== 'clear');
    expect(first.map(({ detector, answer }) => [detector, answer.kind])).toEqual([
      ['GEN6', 'unknown'],
      ['U3', 'unknown'],
      ['AD8', 'unknown'],
    ]);
  });

  it('are each told once, and have a found, a clear and an unknown case', () => {
    expect(lookDetectors.map(({ id }) => id)).toEqual(lookDetectorIds);
    // The others have theirs in judge-further.test.ts.
    for (const id of lookDetectorIds.slice(0, lookDetectorIds.indexOf('GEN1'))) {
      const answers = STORIES.filter((story) => story.id === id).map(({ answer }) => answer);
      // A look that came is never "perhaps no look".
      const wanted = id === 'GEN8' ? ['clear', 'found'] : ['clear', 'found', 'unknown'];
      expect([...new Set(answers)].sort()).toEqual(wanted);
    }
  });

  it('name a sentence and clues of everything that they find', () => {
    const found = STORIES.filter(({ answer }) => answer === 'found').flatMap((story) =>
      judge(story).flatMap(({ detector, answer }) =>
        answer.kind === 'found' ? [{ detector, ...answer }] : [],
      ),
    );
    expect(found.length).toBeGreaterThanOrEqual(lookDetectorIds.indexOf('GEN1'));
    for (const { detector, says, clues } of found) {
      expect(Object.keys(variants[detector])).toContain(says.variant);
      expect(clues.length).toBeGreaterThan(0);
    }
  });

  it('call nothing clear that an answer which ended in the middle does not tell', () => {
    const cut = judge({ look: { isWhole: false } });
    expect(cut.filter(({ answer }) => answer.kind === 'clear')).toEqual([]);
    expect(sumOf(judge({ look: { isWhole: false, mounts: [mount('/', full)] } }), 'U6')).toBe(
      'found',
    );
  });

  it('say of a box that does not answer that nothing is known', () => {
    const judged = judgeUnreachable(BEFORE, problem('connect-timeout', 'It did not answer.'), 5);
    expect(judged.filter(({ answer }) => answer.kind !== 'unknown')).toMatchObject([
      { detector: 'GEN8', answer: { kind: 'found' } },
    ]);
    expect(judged).toHaveLength(lookDetectors.length);
  });
});

describe('a number at its line', () => {
  it.each([
    [
      'U9',
      memory({ usedBytes: 0.92 * 2 ** 34 }),
      memory({ usedBytes: 0.87 * 2 ** 34 }),
      memory({ usedBytes: 0.8 * 2 ** 34 }),
    ],
    [
      'U7',
      { mounts: [mount('/', inodes(91))] },
      { mounts: [mount('/', inodes(89))] },
      { mounts: [mount('/', inodes(80))] },
    ],
    [
      'U6',
      { mounts: [mount('/', { totalKiB: 10_000_000, freeKiB: 0 })] },
      { mounts: [mount('/', { totalKiB: 10_000_000, freeKiB: 100_000 })] },
      { mounts: [mount('/', { totalKiB: 10_000_000, freeKiB: 400_000 })] },
    ],
  ] as const)('%s does not flap', (id, over, between, under) => {
    expect(sumOf(judge({ look: between }), id)).toBe('clear');
    const first = judge({ look: over });
    const kept = remember({ ...LATER, ...over }, first);
    const second = judge({ look: { ...between, atMs: LATER.atMs + 1 }, before: kept });
    expect(sumOf(second, id)).toBe('found');
    const since = second.find((each) => each.detector === id && each.answer.kind === 'found');
    expect(since?.sinceMs).toBe(LATER.atMs);
    expect(sumOf(judge({ look: under, before: kept }), id)).toBe('clear');
  });
});

it('begins anew for a run that has the numbers of an earlier life of the machine, and goes on with what was kept without it', () => {
  const told = run({ command: 'python train.py --api-key=sk-0123456789abcdef0123456789abcdef' });
  const kept = remember({ ...LOOK, ...told }, judge({ look: { ...told, atMs: LOOK.atMs } }));
  const sinceMs = (look: Partial<PatrolLook>, before: PatrolMemory): number | null | undefined =>
    judge({ look, before }).find((each) => each.detector === 'U34' && each.answer.kind === 'found')
      ?.sinceMs;
  expect(sinceMs(told, kept)).toBe(LOOK.atMs);
  const withoutLife = kept.found.map((each) => ({ ...each, key: each.key.replace(/@.*$/, '') }));
  expect(withoutLife.map(({ key }) => key)).toContain('U34 41/500');
  expect(sinceMs(told, { ...kept, found: withoutLife })).toBe(LOOK.atMs);
  const other = run({ ...told.runs?.[0], bootId: 'b2' });
  expect(sinceMs(other, kept)).toBe(LATER.atMs);
  // A look that does not tell the life says nothing against it.
  const untoldLife = run({ ...told.runs?.[0], bootId: null });
  expect(sinceMs(untoldLife, kept)).toBe(LOOK.atMs);
});
