import { describe, expect, it } from 'vitest';
import { judgePreflight } from '../judge-preflight.ts';
import { checkOf, KNOWN, LOOK, REQUEST } from '../preflight.fixture.ts';
import type { RunPreflight } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';

const GIB = 1024 ** 3;
const cpu = (quotaCpus: number | 'unlimited' | null): Pick<RunPreflight, 'cpu'> => ({
  cpu: LOOK.cpu === null ? null : { ...LOOK.cpu, quotaCpus },
});
const memory = (limitBytes: number, usedBytes: number | null): Pick<RunPreflight, 'memory'> => ({
  memory: LOOK.memory === null ? null : { ...LOOK.memory, limitBytes, usedBytes },
});

it('tells which slice of the CPUs the box grants, and how many threads the run takes (U40)', () => {
  const says = (look: Partial<RunPreflight>, request = {}) => checkOf('threads', { look, request });
  expect(checkOf('threads')).toMatchObject({ answer: 'pass', gotcha: 'U40' });
  expect(says(cpu(8))).toMatchObject({
    answer: 'pass',
    gotcha: 'U40',
    says: 'The box may use 8 of 64 CPUs. The run sets OMP_NUM_THREADS=8, unless its environment has it.',
  });
  expect(says(cpu(0.5))?.says).toContain('OMP_NUM_THREADS=1,');
  expect(says(cpu(40))?.says).toContain('OMP_NUM_THREADS=40,');
  expect(says(cpu(65))?.says).toBe('The box may use all its 64 CPUs.');
  const isSet = 'The box may use 8 of 64 CPUs, and OMP_NUM_THREADS is set.';
  expect(says({ ...cpu(8), isSet: new Set(['OMP_NUM_THREADS']) })?.says).toBe(isSet);
  expect(says(cpu(8), { env: { OMP_NUM_THREADS: '4' } })?.says).toBe(isSet);
  expect(says(cpu(8), { command: 'accelerate  launch x.py' })?.says).toBe(
    'The box may use 8 of 64 CPUs; accelerate launch sets the threads of each process.',
  );
  expect(says(cpu(null))).toMatchObject({ answer: 'unknown' });
});

it('says what memory is left, and warns where it is little (U9)', () => {
  expect(checkOf('memory')).toMatchObject({
    answer: 'pass',
    gotcha: 'U9',
    says: '60.0 GiB of the 64.0 GiB that this container may use are free.',
  });
  expect(checkOf('memory', { look: memory(8 * GIB, 6 * GIB) })).toMatchObject({ answer: 'warn' });
  expect(checkOf('memory', { look: memory(8 * GIB, null) })).toMatchObject({ answer: 'unknown' });
  expect(checkOf('memory', { look: { memory: null } })).toMatchObject({ answer: 'unknown' });
});

it('counts threads and memory for so many cells as run at once', () => {
  const slots = [0, 1, 2, 3].map((index) => [{ index, uuid: `GPU-${String(index)}` }]);
  const says = (id: string, look: Partial<RunPreflight>, request: Partial<RunRequest> = {}) =>
    judgePreflight({ ...REQUEST, ...request }, { ...LOOK, ...look }, KNOWN, {
      runs: 9,
      slots,
    }).find((check) => check.id === id);
  const threads = (cpus: number, of: string) =>
    `The box may use ${of}. Each of the 4 cells at once sets OMP_NUM_THREADS=${String(cpus)}, unless its environment has it.`;
  expect(says('threads', cpu(8))?.says).toBe(threads(2, '8 of 64 CPUs'));
  expect(says('threads', cpu('unlimited'))?.says).toBe(threads(16, 'all its 64 CPUs'));
  const workers = { workers: { count: 3, gib: 4 } };
  expect(says('memory', {}, workers)).toMatchObject({
    answer: 'block',
    says: expect.stringContaining('64 GiB in all') as string,
  });
  expect(checkOf('memory', { request: workers })).toMatchObject({ answer: 'pass' });
  expect(says('time', {}, { hours: 2 })?.says).toContain('6 h');
});

it('warns where processes can share next to nothing', () => {
  expect(checkOf('shared-memory')).toMatchObject({ answer: 'pass' });
  expect(checkOf('shared-memory', { look: { sharedBytes: 64 * 1024 ** 2 } })).toMatchObject({
    answer: 'warn',
    says: expect.stringContaining('0.1 GiB') as string,
  });
  expect(checkOf('shared-memory', { look: { sharedBytes: null } })).toBeNull();
});

it('says that the output is not buffered, unless the person takes that back (U43)', () => {
  expect(checkOf('unbuffered')).toMatchObject({ answer: 'pass', gotcha: 'U43' });
  expect(checkOf('unbuffered', { request: { env: { PYTHONUNBUFFERED: '' } } })).toMatchObject({
    answer: 'warn',
  });
});

describe('the clock of the box', () => {
  it.each<[number | null, string, string]>([
    [null, 'unknown', 'did not tell'],
    [0, 'pass', 'agrees'],
    [4000, 'pass', 'agrees'],
    [150_000, 'warn', 'at least 2 min ahead of'],
    [-7_200_000, 'warn', 'at least 2 h behind'],
    [-5 * 86_400_000, 'warn', 'at least 5 d behind'],
  ])('that is off by %j ms: %s', (leastSkewMs, answer, says) => {
    expect(checkOf('clock', { look: { leastSkewMs } })).toMatchObject({
      answer,
      says: expect.stringContaining(says) as string,
    });
  });
});
