import { describe, expect, it } from 'vitest';
import { slotRows, slotsFor, type SlottedRow } from './row-slots.ts';

const rowsOf = (slotted: readonly SlottedRow[]): readonly number[] =>
  slotted.map(({ at }) => at).sort((one, other) => one - other);
const slotsOf = (slotted: readonly SlottedRow[]): readonly number[] =>
  slotted.map(({ slot }) => slot);

describe('the elements that show rows', () => {
  it('are the same, in the same order, wherever the view is', () => {
    const slots = slotsFor(600, 30);
    const all = Array.from({ length: slots }, (_, slot) => slot);
    for (const first of [0, 1, 4, 33, 34, 35, 9000]) {
      const slotted = slotRows({ first, count: 10_000, slots, focused: null });
      expect(slotsOf(slotted)).toEqual(all);
      expect(rowsOf(slotted)).toEqual(all.map((at) => first + at));
    }
  });

  it('change only for the rows that come', () => {
    const before = slotRows({ first: 100, count: 1000, slots: 34, focused: null });
    const after = slotRows({ first: 104, count: 1000, slots: 34, focused: null });
    const changed = after.flatMap(({ at }, slot) => (before[slot]?.at === at ? [] : [at]));
    expect([...changed].sort()).toEqual([134, 135, 136, 137]);
  });

  it('keep the row with the focus, which has the same one in view and out of it', () => {
    const seen = slotRows({ first: 0, count: 1000, slots: 34, focused: 5 });
    const slotOf5 = seen.find(({ at }) => at === 5)?.slot;
    for (const first of [6, 39, 400]) {
      const away = slotRows({ first, count: 1000, slots: 34, focused: 5 });
      expect(away.find(({ at }) => at === 5)?.slot).toBe(slotOf5);
      expect(new Set(slotsOf(away)).size).toBe(35);
      expect(rowsOf(away)).toEqual([5, ...Array.from({ length: 34 }, (_, at) => first + at)]);
    }
  });

  it('are no more than there are rows', () => {
    expect(slotRows({ first: 0, count: 0, slots: 34, focused: null })).toEqual([]);
    expect(rowsOf(slotRows({ first: 0, count: 3, slots: 34, focused: 2 }))).toEqual([0, 1, 2]);
    expect(rowsOf(slotRows({ first: 30, count: 40, slots: 34, focused: null }))).toHaveLength(10);
  });
});
