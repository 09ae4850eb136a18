import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dealCells, splitCells, type SplitPlace } from './split-cells.ts';

const place = (name: string, more: Partial<SplitPlace> = {}): SplitPlace => ({
  name,
  pricePerHour: null,
  speed: null,
  gpus: null,
  ...more,
});
const usd = (amount: number) => ({ micros: amount * 1e6, currency: 'USD' });

describe('a split of cells', () => {
  it('gives the box that is cheaper for a cell more of them', () => {
    const cheap = place('a', { pricePerHour: usd(1) });
    const dear = place('b', { pricePerHour: usd(3) });
    expect(splitCells(12, [cheap, dear])).toEqual({
      counts: [9, 3],
      says: 'By cost per cell (a $1.00/h, b $3.00/h), as if all were equally fast, which is not known.',
    });
    const split = splitCells(12, [
      { ...cheap, speed: 2 },
      { ...dear, speed: 6 },
    ]);
    expect(split.counts).toEqual([6, 6]);
    expect(split.says).toContain('by how fast each was');
  });

  it('says so where it cannot go by cost', () => {
    const priced = place('a', { pricePerHour: usd(1), gpus: 8 });
    expect(splitCells(9, [priced, place('b', { gpus: 1 })])).toEqual({
      counts: [8, 1],
      says: 'The price of b is not known, so the split is by GPUs.',
    });
    expect(splitCells(9, [priced, place('b')])).toEqual({
      counts: [5, 4],
      says: 'The price of b is not known, so every box gets as many cells.',
    });
    expect(
      splitCells(2, [priced, place('c', { pricePerHour: { micros: 1, currency: 'CNY' } })]).says,
    ).toContain('different currencies');
  });

  it('gives every cell away once, whatever the weights', () => {
    const places = fc.array(
      fc.record({ price: fc.double({ min: 0.01, max: 90, noNaN: true }), cells: fc.nat(50) }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(places, fc.nat(300), (some, count) => {
        const { counts } = splitCells(
          count,
          some.map(({ price }, at) => place(String(at), { pricePerHour: usd(price) })),
        );
        expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count);
        const cells = Array.from({ length: count }, (_, at) => at);
        const dealt = dealCells(cells, counts);
        expect(dealt.map(({ length }) => length)).toEqual(counts);
        expect(dealt.flat().sort((one, other) => one - other)).toEqual(cells);
      }),
    );
  });

  it('mixes neighbours, which cost about the same', () => {
    expect(dealCells([0, 1, 2, 3, 4, 5, 6, 7], [6, 2])).toEqual([
      [0, 1, 3, 4, 5, 7],
      [2, 6],
    ]);
  });
});
