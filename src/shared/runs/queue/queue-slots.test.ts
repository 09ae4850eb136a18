import { describe, expect, it } from 'vitest';
import { details } from '../../detectors/box.fixture.ts';
import type { BoxGpuFacts, GpuDetails, GpuProcess } from '../../telemetry/gpu-facts.ts';
import { nothingKnown } from '../launch/known-box.fixture.ts';
import { knownFacts, NOW_MS } from '../launch/preflight.fixture.ts';
import type { GpuNeed } from '../launch/run-needs.ts';
import { planSlots } from './queue-slots.ts';
import { cardsByLine, roundsOf, slotLine } from './workload.ts';

const card = (index: number, told: Partial<GpuDetails> = {}): GpuDetails =>
  details({ index, memoryUsedMiB: 4, memoryTotalMiB: 81_559, ...told });
const CARDS = [0, 1, 2, 3].map((index) => card(index));
const job = (index: number, memoryMiB: number | null): GpuProcess => ({
  ...{ gpu: `GPU-${String(index)}`, pid: 41, name: 'python', memoryMiB },
  ...{ user: null, command: null, ageS: null },
});

interface Differs {
  readonly gpus?: GpuNeed;
  readonly env?: Readonly<Record<string, string>>;
  readonly activate?: string;
  readonly commands?: readonly string[];
  readonly told?: Partial<BoxGpuFacts>;
  readonly isSet?: ReadonlySet<string> | null;
  readonly taken?: readonly string[];
}

function planned({ gpus = { count: 1 }, env = {}, activate, told, ...more }: Differs = {}) {
  const { commands = Array.from({ length: 9 }, () => 'python train.py') } = more;
  const { isSet = new Set<string>(), taken = [] } = more;
  const { slots, judged, need } = planSlots({
    request: { gpus, env, activate: activate ?? null },
    commands,
    known: nothingKnown({ nowMs: NOW_MS, ...knownFacts({ gpus: CARDS, ...told }) }),
    look: { isSet, taken: new Set(taken) },
  });
  return { lines: slots.map(slotLine), answer: judged?.answer, says: judged?.says, need };
}

describe('cells at once', () => {
  it('are as many as the free cards go round', () => {
    expect(planned()).toEqual({
      lines: ['GPU-0', 'GPU-1', 'GPU-2', 'GPU-3'],
      answer: 'pass',
      says: '4 cells at once, each with 1 GPU of its own: GPU 0, GPU 1, GPU 2 and GPU 3.',
      need: { count: 1 },
    });
    expect(planned({ gpus: { count: 2 } })).toMatchObject({
      lines: ['GPU-0,GPU-1', 'GPU-2,GPU-3'],
      says: '2 cells at once, each with 2 GPUs of its own: GPUs 0+1 and GPUs 2+3.',
    });
    // One card is left over.
    expect(planned({ gpus: { count: 3 } }).lines).toEqual(['GPU-0,GPU-1,GPU-2']);
    expect(planned({ gpus: { count: 1, cells: 2 } }).lines).toEqual(['GPU-0', 'GPU-1']);
    expect(planned({ commands: ['a', 'b', 'c'] }).lines).toHaveLength(3);
    expect(planned({ env: { CUDA_VISIBLE_DEVICES: '1,3' } }).lines).toEqual(['GPU-1', 'GPU-3']);
  });

  it.each<readonly [string, Differs, string]>([
    [
      'a process is on it',
      { told: { processes: { kind: 'known', processes: [job(1, 40_000)] } } },
      'process 41 is on it',
    ],
    [
      'a process holds nobody knows how much',
      { told: { processes: { kind: 'known', processes: [job(1, null)] } } },
      'process 41 is on it',
    ],
    [
      'its memory is in use',
      { told: { gpus: [card(0), card(1, { memoryUsedMiB: 9000 }), card(2)] } },
      'its memory is in use',
    ],
    [
      'it does not tell its memory',
      { told: { gpus: [card(0), card(1, { memoryUsedMiB: null })] } },
      'not told',
    ],
    [
      'it is lost',
      { told: { gpus: [card(0), card(1, { trouble: 'GPU is lost' })] } },
      'does not answer',
    ],
    ['MIG is on', { told: { gpus: [card(0), card(1, { migMode: 'Enabled' })] } }, 'MIG is on'],
    [
      'it has no name',
      { told: { gpus: [card(0), card(1, { uuid: '$(reboot)' })] } },
      'which card it is',
    ],
    ['another queue has it', { taken: ['GPU-1'] }, 'another queue has it'],
  ])('leave a card out where %s', (_what, differs, why) => {
    const { lines, says } = planned(differs);
    expect(lines).toContain('GPU-0');
    expect(lines.join()).not.toMatch(/GPU-1|reboot/);
    expect(says).toContain(`GPU 1 is left out, because`);
    expect(says).toContain(why);
  });

  it('leave out the cards that do not fit', () => {
    const gpus = [card(0, { name: 'NVIDIA A100' }), card(1), card(2, { memoryTotalMiB: 1000 })];
    expect(planned({ gpus: { count: 1, names: ['H100'], gib: 40 }, told: { gpus } }).lines).toEqual(
      ['GPU-1'],
    );
  });

  it.each<readonly [string, Differs, string | undefined, string | undefined]>([
    ['nobody said how many GPUs each needs', { gpus: { names: ['H100'] } }, undefined, undefined],
    ['the box has no GPU', { told: { gpus: [] } }, undefined, undefined],
    ['too few are free', { gpus: { count: 8 } }, 'warn', 'a cell needs 8 GPUs, and 4 are free'],
    [
      'a cell says itself which',
      { commands: ['a', 'CUDA_VISIBLE_DEVICES=1 python b.py'] },
      'warn',
      'a cell sets',
    ],
    [
      'the environment does',
      { activate: 'export CUDA_VISIBLE_DEVICES=1' },
      'warn',
      'the environment sets',
    ],
    [
      'the login shell does',
      { isSet: new Set(['CUDA_VISIBLE_DEVICES']) },
      'warn',
      'the login shell sets',
    ],
    ['nobody knows whether it does', { isSet: null }, 'warn', 'is not known'],
    [
      'cards were chosen by name',
      { env: { CUDA_VISIBLE_DEVICES: 'MIG-1' } },
      'warn',
      'otherwise than by their numbers',
    ],
    [
      'what is on the cards is not known',
      { told: { processes: { kind: 'unknown', because: 'no table' } } },
      'unknown',
      'no table',
    ],
    ['the cards were read too long ago', { told: { atMs: 0 } }, 'unknown', 'too long ago'],
    ['the cards are no NVIDIA ones', { told: { vendor: 'amd' } }, 'warn', 'NVIDIA GPUs only'],
  ])('are one where %s', (_what, differs, answer, says) => {
    const found = planned(differs);
    expect(found.lines).toEqual([]);
    expect(found.answer).toBe(answer);
    if (says !== undefined) expect(found.says).toContain(says);
  });

  it('may be more the next time, unless the cells find their cards by themselves', () => {
    expect(planned({ gpus: { count: 8 } }).need).toEqual({ count: 8 });
    expect(planned({ activate: 'CUDA_VISIBLE_DEVICES=1' }).need).toBeNull();
    expect(
      planned({ commands: ['echo $CUDA_VISIBLE_DEVICES ${CUDA_VISIBLE_DEVICES}'] }).lines,
    ).toEqual(['GPU-0']);
  });
});

it('cells side by side take as long as the longest row of them', () => {
  const slots = [0, 1, 2].map((index) => [{ index, uuid: `GPU-${String(index)}` }]);
  expect(roundsOf({ runs: 7, slots })).toBe(3);
  expect(roundsOf({ runs: 7, slots: [] })).toBe(7);
});

it('cards are told by the numbers that they have now', () => {
  expect(cardsByLine('GPU-2', CARDS)).toBe('GPU 2');
  expect(cardsByLine('GPU-1,GPU-3', CARDS)).toBe('GPUs 1+3');
  expect(cardsByLine('GPU-1,GPU-deadbeef-0000', CARDS)).toBe('GPU 1 + GPU-deadbeef');
});
