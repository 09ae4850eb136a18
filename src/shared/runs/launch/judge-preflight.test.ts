import { expect, it } from 'vitest';
import { answersOf, checkOf, checksOf, LOOK } from './preflight.fixture.ts';
import { readRunPreflight } from './read-run-preflight.ts';
import type { RunPreflight } from './run-preflight.ts';

const NOW = { fromMs: 0, toMs: 0 };
const room = { bytes: 100, freeBytes: 50, inodes: 100, freeInodes: 50 };

it('warns of a step of srun that nobody told its CPUs (SLURM3)', () => {
  const judge = (command: string, env = {}, isSet: RunPreflight['isSet'] = new Set()) =>
    checkOf('srun', { request: { command, env }, look: { isSet } });
  expect(judge('python train.py --mode srunning')).toBeNull();
  for (const command of [
    'srun python -c "import x"',
    'cd a && srun -n 4 python train.py; echo -c 8',
  ]) {
    expect(judge(command)).toMatchObject({ answer: 'warn', gotcha: 'SLURM3' });
  }
  for (const command of [
    'srun -c 8 python train.py',
    'srun --gres=gpu:1 --cpus-per-task=8 python x',
  ]) {
    expect(judge(command)).toMatchObject({ answer: 'pass', gotcha: 'SLURM3' });
  }
  expect(judge('srun python x', { SRUN_CPUS_PER_TASK: '8' })).toMatchObject({ answer: 'pass' });
  const isSet = new Set(['SRUN_CPUS_PER_TASK']);
  expect(judge('srun python x', {}, isSet)).toMatchObject({ answer: 'pass' });
  expect(judge('srun python x', {}, null)).toMatchObject({ answer: 'unknown' });
});

it('passes where all is well, each in a sentence', () => {
  expect(answersOf({})).toEqual([]);
  for (const { says, title } of checksOf()) {
    expect(says).toMatch(/[.]$/);
    expect(title).not.toMatch(/[A-Z]+\d/);
  }
});

it.each<[string, Partial<RunPreflight>, string, string | null]>([
  ['folder', { folder: 'missing' }, 'block', null],
  ['folder', { folder: 'other' }, 'block', null],
  ['folder', { folder: 'closed' }, 'block', null],
  ['folder', { folder: 'unwritable' }, 'warn', null],
  ['folder', { folder: null }, 'unknown', null],
  ['state', { state: 'unwritable' }, 'block', null],
  ['state', { state: null }, 'unknown', null],
  ['state', { home: '' }, 'block', null],
  ['table', { hasTable: false }, 'block', null],
  ['detacher', { detacher: 'nohup' }, 'warn', 'GEN2'],
  ['shell', { shell: 'sh -l' }, 'warn', null],
  ['shell', { shell: null }, 'unknown', null],
  ['shell', { loginEnds: true }, 'block', null],
  ['line-ends', { script: 'returns' }, 'block', 'U26'],
  ['line-ends', { script: 'missing' }, 'warn', null],
  ['activate', { activate: null, isLate: true }, 'unknown', null],
  ['program', { found: '' }, 'block', null],
  ['program', { found: null, isLate: true }, 'unknown', null],
  ['results', { results: { isThere: true, kind: 'other' } }, 'block', null],
  ['results', { results: { isThere: false, kind: 'unwritable' } }, 'warn', null],
  ['results', { results: null }, 'unknown', null],
  ['space', { room: { ...room, freeBytes: 0 } }, 'block', 'U7'],
  ['space', { room: { ...room, freeBytes: 10 } }, 'warn', 'U7'],
  ['space', { room: null }, 'unknown', null],
  ['inodes', { room: { ...room, freeInodes: 0 } }, 'block', 'U7'],
  ['inodes', { room: { ...room, freeInodes: 9 } }, 'warn', 'U7'],
])('%s: %j is %s', (id, look, answer, gotcha) => {
  expect(answersOf({ look })).toEqual([[id, answer, gotcha]]);
});

it('does not look for a program in an environment that failed, nor in shell code', () => {
  expect(answersOf({ look: { activate: 'failed', found: null } })).toEqual([
    ['activate', 'block', null],
    ['program', 'unknown', null],
  ]);
  const request = { command: 'for i in 1; do x; done' };
  expect(answersOf({ look: { found: null }, request })).toEqual([['program', 'unknown', null]]);
});

it('names the entry of a platform only there (AD6)', () => {
  const request = { command: 'python3 train.py' };
  const look = { found: '' };
  expect(answersOf({ look, request, known: { traps: ['AD6'] } })).toEqual([
    ['program', 'block', 'AD6'],
  ]);
  expect(answersOf({ look, request, known: { traps: ['RP9'] } })).toEqual([
    ['program', 'block', null],
  ]);
});

it('looks for Python where the profile of the platform has it, and says where that is (AD6)', () => {
  const look = { found: '' };
  const says = (PY: string): string | undefined =>
    checkOf('program', {
      look,
      request: { command: 'python3 train.py' },
      known: {
        platform: 'autodl',
        profile: {
          name: 'AutoDL',
          storage: [],
          watched: [],
          looks: [],
          clocks: [],
          overrides: { extra: { PY } },
        } as never,
      },
    })?.says;
  expect(says('/root/miniconda3/bin/python')).toContain(
    'On AutoDL it is /root/miniconda3/bin/python: use that.',
  );
  expect(says('python of your choice')).toContain('Activate the environment that has it');
});

it('asks nothing of what was not told', () => {
  const ids = checksOf({ request: { results: null, activate: null } });
  expect(ids.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['results']));
  expect(ids.map(({ id }) => id)).not.toEqual(expect.arrayContaining(['activate']));
});

it.each([
  ['folder', { folder: 'missing' }],
  ['folder', { folder: 'closed' }],
  ['folder', { folder: 'other' }],
  ['state', { home: '' }],
  ['state', { state: 'unwritable' }],
  ['table', { hasTable: false }],
] as const)('nobody launches over %s: %j', (id, look) => {
  const check = checksOf({ look }).find((each) => each.id === id);
  expect(check).toMatchObject({ answer: 'block', anyway: null });
});

it('says of every other block what launching anyway means, in the end of a sentence', () => {
  const look: Partial<RunPreflight> = {
    script: 'returns',
    activate: 'failed',
    found: '',
    results: { isThere: true, kind: 'other' },
    room: { ...room, freeBytes: 0, freeInodes: 0 },
  };
  const blocks = checksOf({ look }).filter(({ answer }) => answer === 'block');
  expect(blocks.map(({ id }) => id)).toEqual([
    'line-ends',
    'activate',
    'program',
    'results',
    'space',
    'inodes',
  ]);
  for (const { anyway } of blocks) expect(anyway).toMatch(/^[a-z].*[.]$/);
});

it('reads what a box answers, and nothing where that is not whole', () => {
  const said = `home /root
table yes
detacher setsid
shell bash -l
cron cron enabled
state open
folder open
room 4096 100 50 10 5
results later-open
results-room 4096 10 5 0 0
script plain
cell-script 1 returns
cell-script 0 hostile
cell-script 7 plain
folder-at /root/w
folder-disk server:/home nfs4 100 50 50 50% /root
results-at /root/w/out
files late 5000
arch aarch64
cpu cpus 64
cpu group
cpu max 800000 100000
memory host MemTotal:       24684092 kB
memory host MemAvailable:   21978476 kB
memory group
memory max 1073741824
memory current 1048576
shared 4096 16384 16384 10 5
wants requirements.txt
pins torch==2.1.0
pods pod WANDB_API_KEY
pods pod read
activate passed
found /usr/bin/python
set HF_TOKEN
set OMP_NUM_THREADS
login asked
login begun
login told
at-work 7 deep/train.py
at-work told
taken GPU-1
taken $(x)
netrc wandb
key taken api.wandb.ai:443
key taken api.wandb.ai $(x)
named 0-kind open
named 0-at /mnt/a b
named 0-disk host:/x nfs4 100 10 90 10% /mnt
named 0-files more 100000
state-at /home/me
state-disk /dev/sdb ext4 400 396 4 99% /home
state-room 4096 100 1 10 5
named 2-kind late
named 3-kind hostile
named 99-kind open
named 2-files $(x)
python 3.11.2
has wandb
secret A file -rw------- 9 own
secret B file -rw-r--r-- 9 own
secret C file -rw------- 0 own
secret D file -rw------- 9 foreign
secret E gone
secret F x; rm
route 2 curl 6 000
route 0 curl 22 403
route 3 wget 1
now 100
program hf /usr/bin/hf
program aws
requirements 3 1 2 part numpy
route 4 none
torch at /env/torch/__init__.py
driver 0 12080 2
build 2.5.1+cu124 12.4 None
sees True 2
cards sm_80,sm_90 sm_80,compute_90
whole`
    .split('\n')
    .map((line) => `MARK ${line}\n`);
  expect(
    readRunPreflight(
      `motd\n${said.join('')}`,
      'MARK',
      { fromMs: 60_000, toMs: 61_000 },
      {
        named: ['/mnt/a b', 'gone', '/late', '/hostile'],
        scripts: ['a.sh', 'b.sh'],
      },
    ),
  ).toEqual({
    home: '/root',
    leastSkewMs: 39_000,
    programs: new Map([
      ['hf', true],
      ['aws', false],
    ]),
    hasTable: true,
    resultsRoom: { bytes: 40_960, freeBytes: 20_480, inodes: 0, freeInodes: 0 },
    secrets: new Map([
      ['A', 'there'],
      ['B', 'open'],
      ['C', 'empty'],
      ['D', 'other'],
      ['E', 'gone'],
    ]),
    routes: [
      { kind: 'answered' },
      null,
      { kind: 'failed', because: 'its name is not known there' },
      { kind: 'unknown', because: 'wget ended with exit code 1' },
      { kind: 'unknown', because: 'the box has neither curl nor wget' },
    ],
    detacher: 'setsid',
    shell: 'bash -l',
    cron: { kind: 'cron', startsWithBox: true },
    state: 'open',
    folder: 'open',
    room: { bytes: 409_600, freeBytes: 204_800, inodes: 10, freeInodes: 5 },
    results: { isThere: false, kind: 'open' },
    script: 'plain',
    cellScripts: new Map([['b.sh', 'returns']]),
    activate: 'passed',
    found: '/usr/bin/python',
    isLate: false,
    loginEnds: false,
    folderDisk: { path: '/root/w', type: 'nfs4', mount: '/root' },
    resultsDisk: { path: '/root/w/out', type: null, mount: null },
    copy: null,
    copyDisk: null,
    copyRoom: null,
    files: { kind: 'late', count: 5000 },
    stateDisk: { path: '/home/me', type: 'ext4', mount: '/home' },
    stateRoom: { bytes: 409_600, freeBytes: 4096, inodes: 10, freeInodes: 5 },
    ...{ dataDisk: null, dataRoom: null },
    dataFiles: null,
    named: [
      {
        ...{ name: '/mnt/a b', kind: 'open' },
        disk: { path: '/mnt/a b', type: 'nfs4', mount: '/mnt' },
        files: { kind: 'more', count: 100_000 },
      },
      { name: '/late', kind: 'late', disk: null, files: null },
    ],
    arch: 'aarch64',
    cpu: {
      ...LOOK.cpu,
      atS: null,
      hostCpus: 64,
      quotaCpus: 8,
    },
    memory: {
      limitBytes: 1_073_741_824,
      usedBytes: 1_048_576,
      oomKills: null,
      hostOomKills: null,
      isWholeMachine: false,
      isPartOfHost: true,
      stalledPct: null,
      hostUsedPct: expect.any(Number) as number,
    },
    sharedBytes: 67_108_864,
    packages: {
      ...{ wants: 'requirements.txt', locks: null, torchPin: 'torch==2.1.0' },
      requirements: { packages: 3, loose: 1, named: ['numpy'], unhashed: 2, isWhole: false },
    },
    isSet: new Set(['HF_TOKEN', 'OMP_NUM_THREADS']),
    taken: new Set(['GPU-1']),
    atWork: [{ pid: 7, script: 'deep/train.py' }],
    hasNetrc: true,
    trackerKey: null,
    podNames: ['WANDB_API_KEY'],
    python: {
      version: '3.11.2',
      has: ['wandb'],
      isLate: false,
      torch: {
        at: '/env/torch/__init__.py',
        driver: { code: 0, cuda: '12.8', gpus: 2 },
        build: { version: '2.5.1+cu124', cuda: '12.4', isHip: false },
        sees: { isAvailable: true, gpus: 2 },
        cards: { own: ['sm_80', 'sm_90'], built: ['sm_80', 'compute_90'] },
        broken: null,
      },
    },
  });
  expect(readRunPreflight(said.slice(0, -1).join(''), 'MARK', NOW)).toBeNull();
  expect(
    readRunPreflight('MARK home /root\nMARK detacher setsid\nMARK whole\n', 'MARK', NOW),
  ).toMatchObject({
    leastSkewMs: null,
    hasTable: false,
    room: null,
    folder: null,
    results: null,
    folderDisk: null,
    files: null,
    cpu: null,
    memory: null,
    isSet: null,
    podNames: null,
    python: null,
  });
});

it('does not blame the login shell for a folder that a push has yet to make', () => {
  const checks = checksOf({ look: { folder: 'missing', found: null, room: null } });
  const says = (id: string): string | undefined => checks.find((check) => check.id === id)?.says;
  expect(says('program')).toContain('the folder that it runs in is not there yet');
  expect(says('space')).toContain('it is not there yet');
});
