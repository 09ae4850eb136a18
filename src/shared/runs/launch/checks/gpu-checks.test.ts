import { describe, expect, it } from 'vitest';
import { problem } from '../../../problem.ts';
import type { GpuProcess } from '../../../telemetry/gpu-facts.ts';
import type { KnownBox, KnownFinding } from '../known-box.ts';
import { CARD, checkOf, knownFacts, NOW_MS, TORCH } from '../preflight.fixture.ts';
import type { RunPreflight } from '../run-preflight.ts';

const SECOND = { ...CARD, index: 1, uuid: 'GPU-1' };
const job = (told: Partial<GpuProcess> = {}): GpuProcess => ({
  gpu: 'GPU-0',
  pid: 41,
  name: 'python',
  memoryMiB: 20_480,
  user: 'root',
  command: 'python train.py',
  ageS: 60,
  ...told,
});
const held = (...processes: GpuProcess[]): Partial<KnownBox> =>
  knownFacts({ gpus: [CARD, SECOND], processes: { kind: 'known', processes } });
const finding = (told: Partial<KnownFinding>): Partial<KnownBox> => ({
  findings: [
    {
      detector: 'U22',
      severity: 'critical',
      headline: 'Xid 79: GPU 0 fell off the bus.',
      lastSeenMs: NOW_MS - 30_000,
      notSeenBecause: null,
      ...told,
    },
  ],
});
const failed = (code: Parameters<typeof problem>[0]): Partial<KnownBox> => ({
  gpus: { facts: null, problem: { atMs: NOW_MS, problem: problem(code, 'The tool said no.') } },
});

describe('the GPUs', () => {
  it('answer, and the check says when they did', () => {
    expect(checkOf('gpus')).toMatchObject({
      answer: 'pass',
      says: '1 GPU (NVIDIA H100 80GB HBM3) answers, read 12 s ago.',
    });
  });

  it('are unknown where nothing was read, where that is long ago, and where there is no tool', () => {
    const nothing = { gpus: { facts: null, problem: null } };
    expect(checkOf('gpus', { known: nothing })).toMatchObject({ answer: 'unknown' });
    const old = knownFacts({ atMs: NOW_MS - 600_000 });
    expect(checkOf('gpus', { known: old })?.says).toContain('10 min ago');
    expect(checkOf('gpus', { known: old })).toMatchObject({ answer: 'unknown' });
    expect(checkOf('gpus', { known: failed('no-gpu-tool') })).toMatchObject({ answer: 'unknown' });
    for (const known of [nothing, old, failed('no-gpu-tool')]) {
      expect(checkOf('holders', { known })).toBeNull();
      expect(checkOf('faults', { known })).toBeNull();
    }
  });

  it.each([
    ['driver-mismatch', 'DRIVER'],
    ['gpu-tool-hangs', 'DRIVER'],
    ['no-gpu', 'U31'],
  ] as const)('block with %s', (code, gotcha) => {
    expect(checkOf('gpus', { known: failed(code) })).toMatchObject({ answer: 'block', gotcha });
  });

  it('are unknown on a box whose look found no card because it has no tool to ask', () => {
    const gpuProblem = problem('no-gpu-tool', 'nvidia-smi is not installed.');
    expect(checkOf('gpus', { known: { ...knownFacts({ gpus: [] }), gpuProblem } })).toMatchObject({
      answer: 'unknown',
      says: 'nvidia-smi is not installed.',
    });
  });

  it('block where one of them is in trouble, and warn where there is none (U31)', () => {
    const lost = knownFacts({ gpus: [CARD, { ...SECOND, trouble: 'GPU is lost' }] });
    expect(checkOf('gpus', { known: lost })).toMatchObject({
      answer: 'block',
      says: 'GPU 1 does not answer: GPU is lost.',
    });
    expect(checkOf('gpus', { known: knownFacts({ gpus: [] }) })).toMatchObject({
      answer: 'warn',
      gotcha: 'U31',
    });
  });

  it('block after an Xid or an ECC fault that lasts, with its age and what hides it now (U22)', () => {
    expect(checkOf('faults', { known: finding({}) })).toMatchObject({
      answer: 'block',
      gotcha: 'U22',
      says: 'Xid 79: GPU 0 fell off the bus. Seen 30 s ago.',
      anyway: expect.any(String) as string,
    });
    const hidden = finding({ detector: 'ecc', severity: 'warn', notSeenBecause: 'it is gone' });
    expect(checkOf('faults', { known: hidden })).toMatchObject({
      answer: 'warn',
      gotcha: 'ECC',
      says: expect.stringContaining('not checked since: it is gone') as string,
    });
    expect(checkOf('faults', { known: finding({ severity: 'info' }) })).toMatchObject({
      answer: 'pass',
    });
    expect(checkOf('faults', { known: finding({ detector: 'U24' }) })).toMatchObject({
      answer: 'pass',
    });
    expect(checkOf('gpus', { known: finding({ detector: 'driver' }) })).toMatchObject({
      answer: 'block',
      gotcha: 'DRIVER',
    });
  });

  it('have a past that is not ruled out where the kernel log is closed', () => {
    const outcome = { kind: 'cannot-rule-out', because: 'the log is closed' } as const;
    const known = knownFacts({ kernelLog: { outcome, events: [], source: null } });
    expect(checkOf('faults', { known })).toMatchObject({ answer: 'unknown', gotcha: 'U22' });
  });
});

describe('the fabric between the GPUs', () => {
  const fabric = (count: number, fabricState: string | null, fabricStatus: string | null) =>
    knownFacts({
      gpus: Array.from({ length: count }, (_, index) => ({
        ...{ ...CARD, index, uuid: `GPU-${String(index)}` },
        ...{ fabricState, fabricStatus },
      })),
    });
  const python = (isAvailable: boolean) => ({
    python: {
      ...{ version: '3.11.2', has: [], isLate: false },
      torch: { ...TORCH, sees: { isAvailable, gpus: isAvailable ? 8 : 0 } },
    },
  });
  const judge = (known: Partial<KnownBox>, look: Partial<RunPreflight> = python(false)) =>
    checkOf('fabric', { known, look });

  it('is up, or blocks a launch by name before CUDA could start (MN1)', () => {
    expect(judge(fabric(8, 'Completed', 'Success'))).toMatchObject({
      ...{ answer: 'pass', gotcha: 'MN1' },
    });
    expect(judge(fabric(8, 'In Progress', null))).toMatchObject({
      ...{ answer: 'block', gotcha: 'MN1' },
      says: expect.stringContaining('GPU 0 is “In Progress”') as string,
      anyway: expect.any(String) as string,
    });
    expect(judge(fabric(8, 'Completed', 'Insufficient Resources'))).toMatchObject({
      answer: 'block',
    });
  });

  it('blocks nothing that torch can use, and of a single card nobody knows', () => {
    const known = fabric(8, 'In Progress', null);
    expect(judge(known, python(true))).toMatchObject({ answer: 'warn', gotcha: 'MN1' });
    expect(judge(fabric(1, 'Not Started', null))).toMatchObject({ answer: 'unknown' });
  });

  it('is no question where there is none, or nothing was read', () => {
    for (const none of [fabric(8, null, null), fabric(2, 'Not Supported', null)]) {
      expect(judge(none)).toBeNull();
    }
    expect(judge({ gpus: { facts: null, problem: null } })).toBeNull();
  });
});

it('a Pod without a GPU is told as such, and so is one whose GPU a run does not reach (K8S6)', () => {
  const traps = ['K8S6'];
  expect(checkOf('gpus', { known: { ...failed('no-gpu'), traps } })).toMatchObject({
    ...{ answer: 'block', gotcha: 'K8S6' },
  });
  const torch = { ...TORCH, sees: { isAvailable: false, gpus: 0 } };
  const look = { python: { version: '3.11.2', has: [], torch, isLate: false } };
  expect(checkOf('cuda', { look, known: { traps } })).toMatchObject({
    ...{ answer: 'block', gotcha: 'K8S6' },
  });
  expect(checkOf('cuda', { look })).toMatchObject({ gotcha: 'U31' });
});

describe('who is on the GPUs', () => {
  it('is nobody, or a run with its number and its memory, and what is free (GEN7)', () => {
    expect(checkOf('holders')).toMatchObject({ answer: 'pass', gotcha: 'GEN7' });
    expect(checkOf('holders', { known: held(job(), job({ pid: 42 })) })).toMatchObject({
      answer: 'warn',
      gotcha: 'GEN7',
      says: 'GPU 0 is used by process 41 (python train.py), which holds 20.0 GiB, with 1 more, read 12 s ago. Free: CUDA_VISIBLE_DEVICES=1.',
    });
    // A monitor holds a little.
    expect(checkOf('holders', { known: held(job({ memoryMiB: 200 })) })).toMatchObject({
      answer: 'pass',
    });
    expect(checkOf('holders', { known: held(job({ memoryMiB: null })) })).toMatchObject({
      answer: 'warn',
    });
  });

  it('counts only on the cards that the run takes', () => {
    const known = held(job());
    const answer = (part: object): unknown => checkOf('holders', { known, request: part })?.answer;
    expect(answer({ env: { CUDA_VISIBLE_DEVICES: '1' } })).toBe('pass');
    expect(answer({ command: 'CUDA_VISIBLE_DEVICES=1 python train.py' })).toBe('pass');
    expect(answer({ env: { CUDA_VISIBLE_DEVICES: '0,1' } })).toBe('warn');
    expect(answer({ env: { CUDA_VISIBLE_DEVICES: 'GPU-1' } })).toBe('warn');
    expect(answer({ env: { CUDA_VISIBLE_DEVICES: '7' } })).toBe('warn');
  });

  it('is somebody who is not to be seen, where memory is in use and nobody listed (U11)', () => {
    const known = knownFacts({ gpus: [{ ...CARD, memoryUsedMiB: 30_720 }] });
    expect(checkOf('holders', { known })).toMatchObject({
      answer: 'warn',
      gotcha: 'U11',
      says: expect.stringContaining('30.0 GiB') as string,
    });
  });

  it('is not known where the box does not tell it', () => {
    const processes = { kind: 'unknown', because: 'not told' } as const;
    for (const told of [
      { processes },
      { gpus: [{ ...CARD, migMode: 'Enabled' }] },
      { gpus: [{ ...CARD, memoryUsedMiB: null }] },
    ]) {
      expect(checkOf('holders', { known: knownFacts(told) })).toMatchObject({ answer: 'unknown' });
    }
  });
});
