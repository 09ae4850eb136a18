import { describe, expect, it } from 'vitest';
import { readRunEndLine } from '../runs/launch/run-end-line.ts';
import { judgeVanished, type KernelSince, type VanishCause } from './judge-vanished.ts';
import { goneLook, LOOK, RUN } from './look.fixture.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import { vanishSays } from './remediation.ts';

const CALM: KernelSince = { oomKills: [], gpuFaults: [] };

const machine = (change: Partial<PatrolLook['machine']>): Partial<PatrolLook> => ({
  machine: { ...LOOK.machine, ...change },
});
const kills = (oomKills: number | null): Partial<PatrolLook> => ({
  memory: LOOK.memory === null ? null : { ...LOOK.memory, oomKills },
});

interface Story {
  readonly what: string;
  readonly cause: VanishCause | null;
  readonly now: PatrolLook;
  readonly run?: RunInLook;
  readonly kernel?: KernelSince | null;
}

const TRACEBACK = 'Traceback (most recent call last):\n  File "t.py", line 3\nKeyError: "loss"\n';

const STORIES: readonly Story[] = [
  {
    what: 'another boot id',
    cause: 'reboot',
    now: goneLook('step 11\n', machine({ bootId: 'b2', uptimeS: 40 })),
  },
  {
    what: 'the same boot and another process 1',
    cause: 'container-restart',
    now: goneLook('step 11\n', machine({ initStartTicks: 99 })),
  },
  { what: 'a counter that rose', cause: 'out-of-memory', now: goneLook('Killed\n', kills(4)) },
  {
    what: 'a counter that rose, and a killed worker in the log',
    cause: 'out-of-memory',
    now: goneLook(
      'RuntimeError: DataLoader worker (pid 50) is killed by signal: Killed.\n',
      kills(4),
    ),
  },
  {
    what: 'a kernel line that names it, where no counter is told',
    cause: 'out-of-memory',
    now: goneLook('step 11\n', kills(null)),
    kernel: {
      ...CALM,
      oomKills: [
        {
          scope: 'container',
          pid: 41,
          processName: 'python',
          line: 'Killed process 41 (python)',
          prefixTime: null,
          uptimeS: null,
        },
      ],
    },
  },
  {
    what: 'a counter that rose for another process, while the log ends with a full disk',
    cause: 'disk-full',
    now: goneLook('OSError: [Errno 28] No space left on device\n', kills(4)),
  },
  { what: '“Killed” and a counter that stands', cause: 'killed', now: goneLook('Killed\n') },
  {
    what: '“Killed” and no counter at all: it may have been either',
    cause: null,
    now: goneLook('Killed\n', { memory: null }),
  },
  {
    what: 'what a shell says in Chinese, and a counter that stands',
    cause: 'killed',
    now: goneLook('run.sh: 行 3:    88 已杀死               python train.py\n'),
  },
  {
    what: 'what a shell says in German, and a counter that stands',
    cause: 'killed',
    now: goneLook('run.sh: Zeile 3:    88 Getötet                 python train.py\n'),
  },
  {
    what: 'what zsh says, and a counter that stands',
    cause: 'killed',
    now: goneLook('[1]  + 88 killed     python train.py\n'),
  },
  {
    what: 'scancel',
    cause: 'killed',
    now: goneLook('slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 ***\n'),
  },
  { what: 'a click program at Ctrl+C', cause: 'killed', now: goneLook('Aborted!\n') },
  {
    what: 'a full disk, in Chinese',
    cause: 'disk-full',
    now: goneLook("cp: 写入 'a.pt' 时出错: 设备上没有空间\n"),
  },
  { what: 'a Ctrl+C', cause: 'killed', now: goneLook('  x = y\nKeyboardInterrupt\n') },
  { what: 'a polite kill', cause: 'killed', now: goneLook('run.sh: line 3: 88 Terminated  x\n') },
  {
    what: 'a hang-up in its own words',
    cause: 'hang-up',
    now: goneLook('Hangup\n'),
    run: { ...RUN, survivesHangup: false },
  },
  {
    what: 'a launch that was not detached, without a word',
    cause: null,
    now: goneLook('step 11\n'),
    run: { ...RUN, survivesHangup: false },
  },
  {
    what: 'a lost card',
    cause: 'gpu-fault',
    now: goneLook('step 11\n'),
    kernel: { ...CALM, gpuFaults: ['NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.'] },
  },
  { what: 'an exception', cause: 'own-error', now: goneLook(TRACEBACK) },
  {
    what: 'a full disk, which ends in a traceback, too',
    cause: 'disk-full',
    now: goneLook(
      'RuntimeError: basic_ios::clear: iostream error\nRuntimeError: unexpected pos 5 vs 4\n',
    ),
  },
  {
    what: 'a time limit',
    cause: 'walltime',
    now: goneLook(
      'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***\nTerminated\n',
    ),
  },
  {
    what: 'a preemption',
    cause: 'preempted',
    now: goneLook('slurmstepd: error: *** STEP 7.0 CANCELLED AT x DUE TO PREEMPTION ***\n'),
  },
  {
    what: 'a marker made in its time',
    cause: 'finished',
    now: goneLook('bye\n', {
      artefacts: [{ path: '/work/out/run.done', kind: 'done', modifiedAtS: 990, bytes: 0 }],
    }),
  },
  {
    what: 'a marker of an earlier run',
    cause: null,
    now: goneLook('bye\n', {
      artefacts: [{ path: '/work/out/run.done', kind: 'done', modifiedAtS: 200, bytes: 0 }],
    }),
  },
  {
    what: 'a marker of another run’s folder that begins with the same letters',
    cause: null,
    now: goneLook('bye\n', {
      artefacts: [{ path: '/work2/run.done', kind: 'done', modifiedAtS: 990, bytes: 0 }],
    }),
  },
  {
    what: 'a tmux pane that kept exit code 0',
    cause: 'finished',
    now: goneLook(null, {
      panes: [{ session: 'train', createdAtS: 1, pid: 40, isDead: true, exitCode: 0 }],
    }),
    run: { ...RUN, logs: [], tmuxSession: 'train' },
  },
  { what: 'a last line that only says it is done', cause: null, now: goneLook('Training done.\n') },
  { what: 'nothing at all', cause: null, now: goneLook(null) },
  {
    what: 'an exception that was caught long before the end',
    cause: null,
    now: goneLook(`${TRACEBACK}${'step\n'.repeat(12)}`),
  },
  {
    what: 'an exception of its own, while the counter rose for another process',
    cause: 'own-error',
    now: goneLook(TRACEBACK, kills(4)),
  },
  {
    what: 'what is said of a child that was killed, and a counter that rose',
    cause: 'out-of-memory',
    now: goneLook('ConnectionResetError: [Errno 104] Connection reset by peer\n', kills(4)),
  },
  {
    what: 'a marker of its first second, which is told without its fraction',
    cause: 'finished',
    now: goneLook('bye\n', {
      artefacts: [{ path: '/work/out/run.done', kind: 'done', modifiedAtS: 399, bytes: 0 }],
    }),
  },
  {
    what: 'an exception in a log that was not written to since it began',
    cause: null,
    now: goneLook(null, {
      knownLogs: new Map([
        ['/work/train.log', { ...RUN.logs[0]!, modifiedAtS: 300, end: TRACEBACK }],
      ]),
    }),
  },
  {
    what: 'a scheduler that counted the kill itself',
    cause: 'out-of-memory',
    now: goneLook('slurmstepd: error: Detected 1 oom_kill event in StepId=5.batch.\n', kills(null)),
  },
  {
    what: 'a log that was emptied since and has another end',
    cause: null,
    now: goneLook(null, {
      knownLogs: new Map([['/work/train.log', { ...RUN.logs[0]!, bytes: 1, end: TRACEBACK }]]),
    }),
  },
  {
    what: 'a log that another run writes to by now',
    cause: null,
    now: goneLook(TRACEBACK, { runs: [{ ...RUN, pid: 99 }] }),
  },
  {
    what: 'a log that is another file by now',
    cause: null,
    now: goneLook(null, {
      knownLogs: new Map([['/work/train.log', { ...RUN.logs[0]!, inode: 8, end: TRACEBACK }]]),
    }),
  },
  {
    what: 'a launched run whose folder keeps exit code 0, whatever its log ends with',
    cause: 'finished',
    now: goneLook('Killed\n', kept('done 0 500 no')),
  },
  {
    what: 'a launched run that failed without a word',
    cause: 'own-error',
    now: goneLook('step 9\n', kept('failed 3 500 no')),
  },
  {
    what: 'a launched run that lacks the text of a success',
    cause: 'own-error',
    now: goneLook('step 9\n', kept('failed 0 500 yes')),
  },
  {
    what: 'a launched run that a person ended',
    cause: 'killed',
    now: goneLook('step 9\n', kept('ended 143 500 no')),
  },
  {
    what: 'a launched run that SIGTERM ended',
    cause: 'killed',
    now: goneLook('step 9\n', kept('failed 143 500 no')),
  },
  {
    what: 'a launched run that SIGKILL ended where memory may have run out',
    cause: null,
    now: goneLook('step 9\n', { ...kept('failed 137 500 no'), memory: null }),
  },
];

function kept(line: string): Partial<PatrolLook> {
  return { keptEnds: new Map([['/work/train.log', readRunEndLine(line)!]]) };
}

describe('a run that is gone', () => {
  it('has the fixed answer to what its log says, and none to a reboot', () => {
    const OOM = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n';
    const judged = judgeVanished(RUN, LOOK, goneLook(OOM), CALM);
    expect(judged).toMatchObject({ cause: 'own-error', failure: 'gpu-memory' });
    expect(vanishSays('own-error', 'gpu-memory')).toMatchObject({
      variant: 'failure',
      values: {
        failure: { phrase: 'failure-gpu-memory' },
        answer: { phrase: 'answer-gpu-memory' },
      },
    });
    expect(vanishSays('own-error', 'code-or-config').variant).toBe('own-failure');
    expect(vanishSays('reboot', 'gpu-memory')).toEqual({ variant: 'reboot', values: {} });
    const rebooted = judgeVanished(RUN, LOOK, goneLook(OOM, machine({ bootId: 'b2' })), CALM);
    expect(rebooted).toMatchObject({ cause: 'reboot', failure: null });
  });

  it.each(STORIES)('$what → $cause', ({ now, cause, run = RUN, kernel = CALM }) => {
    const judged = judgeVanished(run, LOOK, now, kernel);
    expect(judged).toMatchObject({ kind: 'gone', cause });
    if (judged.kind !== 'gone') throw new Error('unreachable');
    const provenSteps = judged.steps.filter(({ verdict }) => verdict === 'proven');
    expect(provenSteps.some((step) => step.cause === cause)).toBe(cause !== null);
    for (const { because } of judged.steps) expect(because).not.toBe('');
  });

  it('rules nothing out that could not be read', () => {
    const judged = judgeVanished(
      RUN,
      { ...LOOK, memory: null, machine: { ...LOOK.machine, bootId: null, initStartTicks: null } },
      goneLook(null, { memory: null }),
      null,
    );
    if (judged.kind !== 'gone') throw new Error(judged.kind);
    const open = judged.steps.filter(({ verdict }) => verdict === 'not-proven');
    expect(open.map(({ cause }) => cause)).toEqual([
      'finished',
      'reboot',
      'container-restart',
      'walltime',
      'preempted',
      'out-of-memory',
      'gpu-fault',
      'disk-full',
      'own-error',
      'killed',
    ]);
  });
});

describe('a run that is not gone', () => {
  it('is there by its number and its start', () => {
    expect(judgeVanished(RUN, LOOK, { ...LOOK, atMs: 2_000_000 }, CALM)).toEqual({
      kind: 'running',
    });
  });

  it('is not the process that has its number by now', () => {
    const other = LOOK.processes.rows.map((row) => ({ ...row, startTicks: 900 }));
    const now = goneLook('Killed\n', { processes: { rows: other, isWhole: true } });
    expect(judgeVanished(RUN, LOOK, now, CALM).kind).toBe('gone');
  });

  it('is gone when only its entry waits for its parent', () => {
    const zombie = LOOK.processes.rows.map((row) => ({ ...row, state: 'Z' }));
    const now = goneLook('Killed\n', { processes: { rows: zombie, isWhole: true } });
    expect(judgeVanished(RUN, LOOK, now, CALM)).toMatchObject({ kind: 'gone', cause: 'killed' });
  });

  it.each([
    ['an answer that ended in the middle', { isWhole: false }],
    ['a table that was cut', { processes: { rows: [], isWhole: false } }],
  ])('is unknown after %s', (_what, change) => {
    expect(judgeVanished(RUN, LOOK, goneLook(TRACEBACK, change), CALM)).toMatchObject({
      kind: 'unknown',
    });
  });
});
