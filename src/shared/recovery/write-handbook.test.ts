import { describe, expect, it } from 'vitest';
import { USUAL_WAY } from '../boxes/usual-way.ts';
import type { Clock } from '../clocks/clock.ts';
import { LOOK, RUN } from '../patrol/look.fixture.ts';
import { rememberLook, type PatrolMemory } from '../patrol/patrol-memory.ts';
import { sampleGotcha } from '../gotchas/catalog.fixture.ts';
import { toMarkdown } from './page.ts';
import { writeHandbook, type RecoveryKnowledge } from './write-handbook.ts';

const NOW = Date.parse('2026-11-22T06:12:00Z');
const HOUR_MS = 3_600_000;
const CLOCK: Clock = {
  id: 'yours.end',
  danger: 'data',
  event: 'Rental ends',
  trigger: 'end that was agreed',
  consequence: 'the disk is erased',
  loses: [{ name: 'data disk', path: '/root/data' }],
  due: { kind: 'at', atMs: NOW + 5 * HOUR_MS, isEstimate: false },
  known: { kind: 'told' },
  readAt: 'the console',
  stops: null,
  entry: null,
};
const FIRST = { before: null, alive: [], missing: [], judged: [] };
const LOOKED = {
  ...LOOK,
  atMs: NOW - 240_000,
  artefacts: [
    {
      path: '/work/last.pt',
      kind: 'checkpoint' as const,
      modifiedAtS: NOW / 1000 - 600,
      bytes: 3 * 2 ** 20,
    },
  ],
};
const CATALOG = new Map([
  ['GEN2', sampleGotcha({ id: 'GEN2', title: 'A launch dies', fix: ['Start inside tmux'] })],
  [
    'U3',
    sampleGotcha({
      id: 'U3',
      alert: {
        short: 'run gone',
        commands: [],
        says: {},
        phrases: { 'shows-reboot': 'Another boot id.', 'answer-reboot': 'Check its disks.' },
      },
    }),
  ],
]);
const KNOWN: RecoveryKnowledge = {
  box: {
    ...USUAL_WAY,
    id: '7b0e1c9a-0000-4000-8000-000000000000',
    name: 'train-a',
    platform: 'autodl',
    address: { host: 'gpu.example', port: 2222, user: 'root' },
    tags: [],
    addedAtMs: 0,
  },
  hostKey: { type: 'ssh-ed25519', fingerprint: 'SHA256:abc' },
  profile: null,
  memory: rememberLook({ look: LOOKED, ...FIRST }, null),
  memoryFault: null,
  clocks: [CLOCK],
  clocksLack: null,
  catalog: CATALOG,
  atMs: NOW,
};
const write = (change: Partial<RecoveryKnowledge> = {}): string =>
  toMarkdown(
    writeHandbook({ ...KNOWN, ...change }, (text) => text.replace(/s3cret/g, '[redacted]')),
  );
const memoryOf = (run: Partial<typeof RUN>) =>
  rememberLook({ look: { ...LOOKED, runs: [{ ...RUN, ...run }] }, ...FIRST }, null);

describe('writeHandbook', () => {
  it('tells how to reach the box, what to ask first, what ran, and how to go on', () => {
    const page = write();
    for (const line of [
      'ssh -p 2222 root@gpu.example',
      'SHA256:abc',
      'ps -o pid,lstart,etime,stat,args -p 41',
      'Another boot id means that the machine was rebooted',
      'oom_kill stood at 3.',
      '### Run 1: python, process 41',
      'tmux new-session -A -s resume-41\ncd /work\npython train.py >>/work/train.log 2>&1',
      'tail -n 40 /work/train.log',
      '| checkpoint | `/work/last.pt` | 3.0 MiB | 2026-11-22 06:02 UTC | 10 min |',
      'Rental ends (end that was agreed): the disk is erased | 2026-11-22 11:12 UTC | data disk (/root/data)',
      'GEN2, A launch dies: Start inside tmux.',
      'at 2026-11-22 06:08 UTC, 4 min before this was written',
    ]) {
      expect(page).toContain(line);
    }
  });

  it('says a deadline of the person’s own once', () => {
    const due = 'the paper is due';
    const own = { ...CLOCK, event: due, trigger: 'your own deadline', consequence: due };
    expect(write({ clocks: [own] })).toContain('| the paper is due (your own deadline) |');
  });

  it('says what is not known instead of leaving it out', () => {
    const page = write({ memory: null, hostKey: null, clocks: [], clocksLack: 'Balance unknown.' });
    expect(page).toContain('This box has not been checked');
    expect(page).toContain('was never confirmed');
    expect(page).toMatch(/## Runs\n\nNot known/);
    expect(page).toMatch(/## Markers and checkpoints\n\nNot known/);
    expect(page).toContain('None is known to run. That is not the same as none.');
    expect(page).toContain('Balance unknown.');
    const memoryFault = 'Part of what the last checks saw cannot be read.';
    expect(write({ memory: null, memoryFault })).toContain(`is not known. ${memoryFault}`);
    expect(write({ memoryFault })).toContain(`is not in here. ${memoryFault}`);
  });

  it('resumes in the session that it had, and says why where the command is not known', () => {
    expect(write({ memory: memoryOf({ tmuxSession: "my 'run" }) })).toContain(
      String.raw`tmux new-session -A -s 'my '\''run'`,
    );
    expect(write({ memory: memoryOf({ argumentCount: 1 }) })).toContain(
      'Resume command: not known: one of its arguments holds a blank',
    );
  });

  it('tells which runs are gone, why, and what to do', () => {
    const gone: PatrolMemory['gone'][number] = {
      key: '41/500 1',
      bootId: 'b1',
      pid: 41,
      startTicks: 500,
      command: 'python train.py',
      folder: '/work',
      user: 'me',
      holdsGpu: true,
      sinceMs: NOW - HOUR_MS,
      lastSeenMs: NOW - 600_000,
      missedMs: NOW - 300_000,
      cause: 'reboot',
      steps: [],
      failure: null,
      alike: [],
      twins: [],
      tmuxSession: null,
      workedUntilMs: null,
      log: null,
      lastLines: [],
      checkpoint: null,
    };
    const memory = { ...memoryOf({}), runs: [], gone: [gone, { ...gone, cause: null }] };
    const page = write({ memory });
    expect(page).toContain('### Gone: process 41, last seen 2026-11-22 06:02 UTC');
    expect(page).toContain('- Confirmed: The box was rebooted. Check its disks.');
    expect(page).toContain('- Cause unknown.');
  });

  it('holds no secret and nothing that cannot be seen, wherever the box put it', () => {
    const page = write({
      memory: memoryOf({
        command: 'python s3cret',
        folder: '/w/s3cret\u202e\n# heading',
        program: '/s3cret\u001b[2J',
        tmuxSession: 's3cret',
        logs: [{ ...RUN.logs[0]!, path: '/s3cret`\n## x' }],
      }),
    });
    expect(page).not.toMatch(/s3cret|\u202e|\u001b|^# heading|^## x/m);
    expect(page).toContain('a secret stood in it and was taken out');
  });
});
