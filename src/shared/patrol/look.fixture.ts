import type { PatrolLook, RunLog, RunLook } from './patrol-look.ts';

export const RUN_LOG: RunLog = {
  stream: 'output',
  path: '/work/train.log',
  isDeleted: false,
  modifiedAtS: 900,
  bytes: 100,
  inode: 7,
  end: 'step 10\n',
};

export const RUN: RunLook = {
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
  logs: [RUN_LOG],
  tmuxSession: null,
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
  cpu: null,
  memory: {
    limitBytes: 2 ** 34,
    usedBytes: 2 ** 33,
    oomKills: 3,
    hostOomKills: 9,
    stalledPct: 0,
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
        startTicks: 500,
        name: 'python',
      },
    ],
    isWhole: true,
  },
  runs: [RUN],
  knownLogs: new Map(),
  artefacts: [],
  panes: [],
  isWhole: true,
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
