import { describe, expect, it } from 'vitest';
import type { BoxDays, SpendDays } from '../../../shared/meter/spend-days.ts';
import { currenciesIn, kindChart, spendChart, sumOf } from './spend-chart.ts';

const box = (boxId: string, usd: readonly number[], part: Partial<BoxDays> = {}): BoxDays => ({
  boxId,
  name: boxId,
  platform: null,
  tags: [],
  spent: null,
  byKind: { compute: { USD: usd } },
  unresolved: {},
  ...part,
});
const days = (...boxes: readonly BoxDays[]): SpendDays => ({ bounds: [0, 10, 20, 30], boxes });
const byBox = ({ boxId }: BoxDays) => [{ id: boxId, label: boxId }];

describe('spendChart', () => {
  it('stacks the largest first, and lets what nobody saw stand on top', () => {
    const chart = spendChart(
      days(box('a', [1, 0, 2]), box('b', [5, 5, 5], { unresolved: { USD: [0, 7, 0] } })),
      { currency: 'USD', partsOf: byBox, daysABar: 1 },
    );
    expect(chart.parts.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(chart.bars.map(({ micros }) => micros)).toEqual([
      [5, 1],
      [5, 0],
      [5, 2],
    ]);
    expect(chart.bars.map(({ atMostMicros }) => atMostMicros)).toEqual([0, 7, 0]);
  });

  it('puts the small ones together and loses none of their money', () => {
    const boxes = Array.from({ length: 100 }, (_, i) => box(`box-${String(i)}`, [i, i, i]));
    const chart = spendChart(days(...boxes), { currency: 'USD', partsOf: byBox, daysABar: 1 });
    expect(chart.parts.at(-1)?.label).toBe('all others');
    expect(chart.parts).toHaveLength(6);
    expect(sumOf(chart.bars[0]?.micros ?? [])).toBe(4950);
  });

  it('makes bars of weeks from the last day backwards, so that the last one is whole', () => {
    const chart = spendChart(days(box('a', [1, 2, 4])), {
      currency: 'USD',
      partsOf: byBox,
      daysABar: 2,
    });
    expect(chart.bars).toMatchObject([
      { fromMs: 0, toMs: 10, micros: [1] },
      { fromMs: 10, toMs: 30, micros: [6] },
    ]);
  });

  it('shows one currency, and knows which there are', () => {
    const mixed = days(
      box('a', [1, 0, 0], { byKind: { compute: { USD: [1, 0, 0] }, storage: { CNY: [0, 3, 0] } } }),
    );
    expect(currenciesIn(mixed)).toEqual(['CNY', 'USD']);
    const chart = kindChart(mixed, { currency: 'CNY', daysABar: 1 });
    expect(chart.parts).toEqual([{ id: 'storage', label: 'storage' }]);
    expect(chart.bars.map(({ micros }) => micros)).toEqual([[0], [3], [0]]);
  });
});
