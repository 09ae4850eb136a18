import type { LaunchPlan } from '../../../../shared/runs/launch/launch-plan.ts';
import type { LaunchedRun } from '../../../../shared/runs/launch/launched-run.ts';

export const NOW_MS = 1_800_000_000_000;

export function samplePlan(part: Partial<LaunchPlan> = {}): LaunchPlan {
  return {
    plan: {
      id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
      digest: 'd'.repeat(64),
      expiresAtMs: NOW_MS + 600_000,
    },
    runId: 'r-20270115-080000-0a1b2c3d',
    request: {
      name: 'baseline',
      command: 'python train.py',
      folder: '~/work',
      activate: null,
      env: {},
      results: null,
      successLine: null,
    },
    folder: '/home/me/.local/state/leasehold/runs/r-20270115-080000-0a1b2c3d',
    files: [
      { name: 'command', what: 'The command.', text: 'python train.py\n' },
      { name: 'run.sh', what: 'Keeps the run.', text: '#!/bin/sh\n'.repeat(40) },
      { name: 'exit', what: 'How it ended.', text: null },
    ],
    detacher: 'tmux',
    startLine: 'tmux new-session -d -s r-20270115 sh run.sh',
    checks: [
      {
        id: 'tmux',
        title: 'Detached',
        answer: 'pass',
        says: 'tmux 3.4 is there.',
        gotcha: null,
        anyway: null,
      },
      {
        id: 'gpu',
        title: 'GPU is free',
        answer: 'warn',
        says: 'Process 41 holds 20 GiB of it.',
        gotcha: 'U11',
        anyway: null,
      },
      {
        id: 'disk',
        title: 'Disk space',
        answer: 'unknown',
        says: 'The box did not tell.',
        gotcha: null,
        anyway: null,
      },
    ],
    push: null,
    outlook: { lands: [], hours: null, perHour: null, whole: null, settings: null },
    byHand: 'tmux kill-session -t r-20270115',
    ...part,
  };
}

export function sampleRun(part: Partial<LaunchedRun> = {}): LaunchedRun {
  return {
    id: 'r-20270115-080000-0a1b2c3d',
    name: 'baseline',
    command: 'python train.py --lr 0.1',
    folder: '/home/me/work',
    results: '/home/me/work/out',
    overridden: [],
    place: '/home/me/.local/state/leasehold/runs/r-20270115-080000-0a1b2c3d',
    detacher: 'tmux',
    launchedAtMs: NOW_MS - 3_600_000,
    process: { bootId: 'b1', pid: 41, startTicks: 500 },
    status: { kind: 'running' },
    log: { bytes: 1_200_000, modifiedAtMs: NOW_MS - 4000 },
    ...part,
  };
}
