import { describe, expect, it } from 'vitest';
import { addThrottleSample, throttleReasonsOf, unknownThrottleBits } from './throttle.ts';

const fold = (...samples: readonly (readonly [number, number])[]) =>
  samples.reduce<ReturnType<typeof addThrottleSample>>(
    (spans, [atMs, bits]) => addThrottleSample(spans, atMs, bits),
    [],
  );

describe('addThrottleSample', () => {
  it('joins equal samples and changes where the new reason was first seen', () => {
    expect(fold([0, 4], [30_000, 4], [60_000, 0], [90_000, 0])).toEqual([
      { fromMs: 0, toMs: 60_000, bits: 4 },
      { fromMs: 60_000, toMs: 90_000, bits: 0 },
    ]);
  });

  it('knows nothing of the time between two samples that are far apart, or of a clock that went back', () => {
    expect(fold([0, 4], [200_000, 4])).toHaveLength(2);
    expect(fold([200_000, 4], [1000, 4])).toHaveLength(2);
  });
});

it('does not reach over a time in which the card was gone', () => {
  const before = addThrottleSample([], 1000, 0x40);
  expect(addThrottleSample(before, 31_000, 0)[0]).toEqual({
    fromMs: 1000,
    toMs: 31_000,
    bits: 0x40,
  });
  expect(addThrottleSample(before, 31_000, 0, true)).toEqual([
    { fromMs: 1000, toMs: 1000, bits: 0x40 },
    { fromMs: 31_000, toMs: 31_000, bits: 0 },
  ]);
});

describe('throttleReasonsOf', () => {
  it('names each bit that NVML documents, and keeps the others apart', () => {
    expect(throttleReasonsOf(0x88).map(({ reason }) => reason)).toEqual([
      'hardware-slowdown',
      'power-brake',
    ]);
    expect(throttleReasonsOf(0)).toEqual([]);
    expect(unknownThrottleBits(0x1ff)).toBe(0);
    expect(unknownThrottleBits(0x208)).toBe(0x200);
  });
});
