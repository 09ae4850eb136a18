import type { PreflightCheck } from './launch-plan.ts';
import { judgePreflight } from './judge-preflight.ts';
import type { KnownBox } from './known-box.ts';
import { nothingKnown } from './known-box.fixture.ts';
import type { RunPreflight, TorchLook } from './run-preflight.ts';
import type { RunRequest } from './run-request.ts';
import { details, facts } from '../../detectors/box.fixture.ts';
import type { BoxGpuFacts, GpuDetails } from '../../telemetry/gpu-facts.ts';

const GIB = 1024 ** 3;

export const REQUEST: RunRequest = {
  name: 'a run',
  command: 'python train.py',
  folder: '~/w',
  activate: 'source env/bin/activate',
  env: {},
  results: 'out',
  successLine: null,
};

export const TORCH: TorchLook = {
  at: '/root/w/env/lib/python3.11/site-packages/torch/__init__.py',
  driver: { code: 0, cuda: '12.8', gpus: 1 },
  build: { version: '2.5.1+cu124', cuda: '12.4', isHip: false },
  sees: { isAvailable: true, gpus: 1 },
  cards: { own: ['sm_90'], built: ['sm_80', 'sm_90'] },
  broken: null,
};

/** A box on which all is well. */
export const LOOK: RunPreflight = {
  home: '/root',
  hasTable: true,
  detacher: 'tmux',
  leastSkewMs: 0,
  shell: 'bash -l',
  cron: null,
  state: 'open',
  stateDisk: { path: '/root', type: 'ext4', mount: '/' },
  stateRoom: { bytes: 100 * GIB, freeBytes: 50 * GIB, inodes: 1000, freeInodes: 900 },
  folder: 'open',
  room: { bytes: 100 * GIB, freeBytes: 50 * GIB, inodes: 1000, freeInodes: 900 },
  results: { isThere: false, kind: 'open' },
  resultsRoom: { bytes: 100 * GIB, freeBytes: 50 * GIB, inodes: 1000, freeInodes: 900 },
  script: null,
  cellScripts: new Map(),
  activate: 'passed',
  found: '/root/w/env/bin/python',
  isLate: false,
  loginEnds: false,
  folderDisk: { path: '/root/w', type: 'ext4', mount: '/' },
  resultsDisk: { path: '/root/w/out', type: 'ext4', mount: '/' },
  copy: null,
  copyDisk: null,
  copyRoom: null,
  files: null,
  dataDisk: null,
  dataRoom: null,
  dataFiles: null,
  named: [],
  arch: 'x86_64',
  cpu: {
    atS: 1,
    hostCpus: 64,
    quotaCpus: 'unlimited',
    usedS: null,
    periods: null,
    throttledPeriods: null,
    threads: null,
    load1: null,
  },
  memory: {
    limitBytes: 64 * GIB,
    usedBytes: 4 * GIB,
    oomKills: 0,
    hostOomKills: 0,
    isPartOfHost: true,
    isWholeMachine: false,
    stalledPct: null,
    hostUsedPct: null,
  },
  sharedBytes: 32 * GIB,
  packages: { wants: null, locks: 'uv.lock', torchPin: null, requirements: null },
  programs: new Map(),
  isSet: new Set(),
  taken: new Set(),
  atWork: null,
  hasNetrc: false,
  trackerKey: null,
  podNames: null,
  secrets: new Map(),
  routes: [],
  python: { version: '3.11.2', has: [], torch: TORCH, isLate: false },
};

export const NOW_MS = 1_800_000_000_000;
export const CARD: GpuDetails = details({ memoryUsedMiB: 4, memoryTotalMiB: 81_559 });

export function knownFacts(told: Partial<BoxGpuFacts> = {}): Pick<KnownBox, 'gpus'> {
  return {
    gpus: {
      facts: facts({
        atMs: NOW_MS - 12_000,
        gpus: [CARD],
        processes: { kind: 'known', processes: [] },
        kernelLog: { outcome: { kind: 'clear' }, events: [], source: 'dmesg' },
        ...told,
      }),
      problem: null,
    },
  };
}

/** A box of which is known that all is well. */
export const KNOWN: KnownBox = nothingKnown({ nowMs: NOW_MS, ...knownFacts() });

interface Differs {
  readonly look?: Partial<RunPreflight>;
  readonly request?: Partial<RunRequest>;
  readonly known?: Partial<KnownBox>;
}

export function checksOf({ look, request, known }: Differs = {}): readonly PreflightCheck[] {
  return judgePreflight({ ...REQUEST, ...request }, { ...LOOK, ...look }, { ...KNOWN, ...known });
}

/** What one check says, with its answer and its entry; null: the question does not arise. */
export function checkOf(id: string, differs: Differs = {}): PreflightCheck | null {
  return checksOf(differs).find((check) => check.id === id) ?? null;
}

/** Everything but what passed. */
export function answersOf(differs: Differs): readonly (readonly [string, string, string | null])[] {
  return checksOf(differs).flatMap(({ id, answer, gotcha }) =>
    answer === 'pass' ? [] : [[id, answer, gotcha] as const],
  );
}
