import { describe, expect, it } from 'vitest';
import { bucketMsFor, thinOut, within, type TierColumns } from './history-points.ts';

function seconds(values: readonly number[], startMs = 0): TierColumns {
  return {
    atMs: values.map((_, i) => startMs + i * 1000),
    counts: null,
    columns: { smPct: { min: values, mean: values, max: values } },
  };
}

describe('bucketMsFor', () => {
  it.each([
    [15 * 60_000, 300, 1000],
    [30 * 86_400_000, 300, 3_600_000],
    [5 * 60_000, 4, 10_000],
    [0, 300, 60_000],
  ])('keeps a range of %d ms within %d points', (spanMs, maxPoints, stepMs) => {
    const bucketMs = bucketMsFor({ fromMs: 500, toMs: 500 + spanMs }, maxPoints, stepMs);
    expect(bucketMs % stepMs).toBe(0);
    const touched = Math.floor((500 + spanMs) / bucketMs) - Math.floor(500 / bucketMs) + 1;
    expect(touched * 2).toBeLessThanOrEqual(maxPoints);
  });
});

describe('thinOut', () => {
  it('keeps a spike of one sample, the exact mean, and nothing where nothing was reported', () => {
    const values = Array.from({ length: 100 }, (_, i) => (i === 37 ? 99 : 1));
    const all = thinOut(seconds(values), { fromMs: 0, toMs: 99_000 }, 50_000);
    expect([...all.atMs]).toEqual([0, 50_000]);
    expect([...(all.columns.smPct?.max ?? [])]).toEqual([99, 1]);
    expect([...(all.columns.smPct?.min ?? [])]).toEqual([1, 1]);
    expect(all.columns.smPct?.mean[0]).toBeCloseTo((49 + 99) / 50, 4);
    const none = thinOut(seconds([NaN, NaN]), { fromMs: 0, toMs: 1000 }, 10_000);
    expect([...(none.columns.smPct?.mean ?? [])]).toEqual([NaN]);
  });

  it('weighs the mean by how many samples each bucket of a tier has', () => {
    const tier: TierColumns = {
      atMs: [0, 10_000],
      counts: [9, 1],
      columns: { smPct: { min: [10, 0], mean: [10, 0], max: [10, 0] } },
    };
    expect(thinOut(tier, { fromMs: 0, toMs: 20_000 }, 20_000).columns.smPct?.mean[0]).toBe(9);
  });

  it('does not change a shape that wanders to the left', () => {
    const values = Array.from({ length: 60 }, (_, i) => i);
    const before = thinOut(seconds(values), { fromMs: 7000, toMs: 47_000 }, 10_000);
    const after = thinOut(seconds(values), { fromMs: 9000, toMs: 49_000 }, 10_000);
    expect([...before.atMs]).toEqual([...after.atMs]);
    expect(before.columns.smPct?.max[1]).toBe(after.columns.smPct?.max[1]);
  });

  it('leaves buckets out where nothing was sampled', () => {
    const tier = seconds([1, 2]);
    const late = { ...tier, atMs: [0, 90_000] };
    expect([...thinOut(late, { fromMs: 0, toMs: 100_000 }, 10_000).atMs]).toEqual([0, 90_000]);
  });
});

describe('within', () => {
  it('takes both ends of the range, and only that', () => {
    const cut = within(seconds([1, 2, 3, 4, 5]), { fromMs: 1000, toMs: 3000 });
    expect(cut.atMs).toEqual([1000, 2000, 3000]);
    expect(cut.columns.smPct?.mean).toEqual([2, 3, 4]);
  });
});
