import { describe, expect, it } from 'vitest';
import { parseDmon } from '../probes/dmon.ts';
import {
  emptyReadings,
  readingsFromWire,
  readingsStream,
  readingsToWire,
  type ReadingsDelta,
  type ReadingsState,
} from './readings-stream.ts';

const { readings } = parseDmon('# gpu sm\n# Idx %\n    0     10 \n    1     20 \n');
const cycle = (atMs: number): ReadingsDelta => ({ kind: 'cycle', atMs, readings });
const cards = (...uuids: readonly string[]): ReadingsDelta => ({
  kind: 'cards',
  cards: uuids.map((uuid, index) => ({ index, uuid })),
});
const fold = (...deltas: readonly ReadingsDelta[]): ReadingsState =>
  deltas.reduce((state, delta) => readingsStream.apply(state, delta), emptyReadings());
const smOf = (state: ReadingsState, index: number): readonly number[] => [
  ...(state.gpus.get(index)?.ring.columns().values.smPct ?? []),
];

describe('readingsStream', () => {
  it('gives a past that has no name yet to the card that is found at its index', () => {
    const state = fold(cycle(1), cards('GPU-a', 'GPU-b'), cycle(2));
    expect(smOf(state, 0)).toEqual([10, 10]);
    expect(state.gpus.get(1)?.uuid).toBe('GPU-b');
  });

  it('moves a past with its card when indices change after a loss', () => {
    // GPU 0 fell off the bus: the card that was GPU 1 is GPU 0 now.
    const state = fold(cards('GPU-a', 'GPU-b'), cycle(1), cards('GPU-b'), cycle(2));
    expect(state.gpus.get(0)?.uuid).toBe('GPU-b');
    expect(smOf(state, 0)).toEqual([20, 10]);
  });

  it('never continues the line of one card with another card', () => {
    const state = fold(cards('GPU-a', 'GPU-b'), cycle(1), cards('GPU-c', 'GPU-b'), cycle(2));
    expect(smOf(state, 0)).toEqual([10]);
    expect(smOf(state, 1)).toEqual([20, 20]);
  });

  it('follows the reasons of a throttled card from either source', () => {
    const samples = [{ index: 0, bits: 0x40, isAnew: false }];
    const state = fold(
      cycle(1),
      { kind: 'throttle', atMs: 1000, samples },
      { kind: 'throttle', atMs: 31_000, samples },
      {
        kind: 'cycle',
        atMs: 32_000,
        readings: readings.map((each) => ({ ...each, throttleBits: 0 })),
      },
    );
    expect(state.gpus.get(0)?.throttle).toEqual([
      { fromMs: 1000, toMs: 32_000, bits: 0x40 },
      { fromMs: 32_000, toMs: 32_000, bits: 0 },
    ]);
  });

  it('does not say of a card that was gone what held it meanwhile', () => {
    const state = fold(
      cycle(1),
      { kind: 'throttle', atMs: 1000, samples: [{ index: 0, bits: 0x40, isAnew: true }] },
      { kind: 'throttle', atMs: 31_000, samples: [{ index: 0, bits: 0, isAnew: true }] },
    );
    expect(state.gpus.get(0)?.throttle).toEqual([
      { fromMs: 1000, toMs: 1000, bits: 0x40 },
      { fromMs: 31_000, toMs: 31_000, bits: 0 },
    ]);
  });

  it('crosses to the window and back unchanged', () => {
    const state = fold(cards('GPU-a', 'GPU-b'), cycle(1), cycle(2));
    const back = readingsFromWire(structuredClone(readingsToWire(state)));
    expect(back.lastAtMs).toBe(2);
    expect(back.gpus.get(1)?.uuid).toBe('GPU-b');
    expect(smOf(back, 1)).toEqual([20, 20]);
  });
});
