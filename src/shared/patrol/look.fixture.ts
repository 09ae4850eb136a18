import type { MeasuredMount } from '../mounts/mount.ts';
import type { BesideLook } from './beside-look.ts';
import type { MountUsage } from '../probes/df.ts';
import type { PatrolLook, LogInLook, RunInLook } from './patrol-look.ts';

export const RUN_LOG: LogInLook = {
  stream: 'output',
  path: '/work/train.log',
  isDeleted: false,
  modifiedAtS: 900,
  bytes: 100,
  inode: 7,
  end: 'step 10\n',
  start: '',
};

export const RUN: RunInLook = {
  bootId: 'b1',
  pid: 41,
  startTicks: 500,
  ageS: 600,
  user: 'me',
  command: 'python train.py',
  argumentCount: 2,
  program: '/opt/conda/bin/python3.11',
  folder: '/work',
  holdsGpu: true,
  survivesHangup: true,
  isUnbuffered: true,
  proxy: 'none',
  tracker: 'none',
  keys: [],
  cpuTicks: 900,
  logs: [RUN_LOG],
  tmuxSession: null,
};

/** A disk of 100 GB that is half full, where the test does not say otherwise. */
export function mount(
  path: string,
  told: Partial<MountUsage> & { readonly type?: string } = {},
): MeasuredMount {
  const { type = 'ext4', ...usage } = told;
  return {
    id: path,
    path,
    source: `/dev${path}`,
    type,
    device: `8:${String(path.length)}`,
    isReadOnly: false,
    because: null,
    usage: {
      device: `/dev${path}`,
      mount: path,
      totalKiB: 100_000_000,
      usedKiB: 50_000_000,
      freeKiB: 50_000_000,
      usedPct: 50,
      inodesTotal: 1000,
      inodesUsed: 100,
      inodesFree: 900,
      inodesUsedPct: 10,
      isRounded: false,
      ...usage,
      type,
    },
  };
}

/** The same mount, of which the box did not say how full it is. */
export function untold(path: string, type = 'ext4'): MeasuredMount {
  return { ...mount(path, { type }), usage: null, because: 'it did not answer in time' };
}

export const NOTHING_BESIDE: BesideLook = {
  scripts: [],
  hasUnreadScript: false,
  environments: [],
  torch: null,
  upgrade: null,
  podNames: null,
};

/** A box on which RUN runs. */
export const LOOK: PatrolLook = {
  atMs: 1_000_000,
  machine: {
    bootId: 'b1',
    uptimeS: 9000,
    initStartTicks: 1,
    clockOffsetMs: 0,
    isContainer: true,
  },
  cpu: {
    atS: 9000,
    hostCpus: 64,
    quotaCpus: 8,
    usedS: 100,
    periods: 10,
    throttledPeriods: 0,
    threads: 40,
    load1: 4,
  },
  cpuStalledPct: 0,
  memory: {
    limitBytes: 2 ** 34,
    usedBytes: 2 ** 33,
    oomKills: 3,
    hostOomKills: 9,
    isWholeMachine: false,
    isPartOfHost: true,
    stalledPct: 0,
    hostUsedPct: 50,
  },
  processes: {
    rows: [
      {
        pid: 41,
        parentPid: 1,
        sessionPid: 41,
        hasTerminal: false,
        state: 'S',
        cpuTicks: 900,
        threads: 4,
        residentBytes: 2 ** 30,
        startTicks: 500,
        name: 'python',
      },
    ],
    isWhole: true,
  },
  runs: [RUN],
  knownLogs: new Map(),
  keptEnds: new Map(),
  artefacts: [],
  panes: [],
  mounts: [mount('/'), mount('/work')],
  mountsLeftOut: 0,
  fills: null,
  kernel: {
    closedBecause: null,
    oomKills: [],
    gpuEvents: [],
    fromS: 0,
    toS: 8999,
    leftOut: 0,
  },
  cardAddresses: [],
  beside: NOTHING_BESIDE,
  waiters: [],
  isWhole: true,
  ending: null,
  isCut: false,
  unreadable: [],
};

/** The same box a minute later, without the run; `end`: the last words of its log. */
export function goneLook(end: string | null, changes: Partial<PatrolLook> = {}): PatrolLook {
  return {
    ...LOOK,
    atMs: LOOK.atMs + 60_000,
    processes: { rows: [], isWhole: true },
    runs: [],
    knownLogs: end === null ? new Map() : new Map([[RUN_LOG.path, { ...RUN_LOG, end }]]),
    ...changes,
  };
}
