import { describe, expect, it } from 'vitest';
import { revealRow, selectWindow, stackRows } from './row-window.ts';

const even = (count: number): readonly number[] =>
  stackRows(Array.from({ length: count }, () => 50));

describe('selectWindow', () => {
  it.each([
    ['at the top', 0, 0, 17],
    ['in the middle', 5000, 94, 117],
    ['at the end', 49_500, 984, 1000],
    ['beyond the end, as after a filter', 90_000, 993, 1000],
  ])('takes what is in view and a little more: %s', (_where, scrollPx, first, end) => {
    const shown = selectWindow(even(1000), scrollPx, 500);
    expect(shown).toMatchObject({ first, end });
    expect(shown.beforePx + (end - first) * 50 + shown.afterPx).toBe(50_000);
  });

  it('knows rows of different heights', () => {
    const tops = stackRows(Array.from({ length: 100 }, (_none, i) => (i % 10 === 0 ? 40 : 60)));
    const shown = selectWindow(tops, tops[50] ?? 0, 100);
    expect(shown).toMatchObject({ first: 44, end: 59 });
    expect(shown.beforePx).toBe(tops[44]);
  });

  it('is empty for no rows', () => {
    expect(selectWindow(stackRows([]), 0, 500)).toEqual({
      first: 0,
      end: 0,
      beforePx: 0,
      afterPx: 0,
    });
  });
});

describe('revealRow', () => {
  it.each([
    ['stays where the row is in view', 12, 500, 500],
    ['goes up to a row above', 4, 500, 200],
    ['goes down until a row below is whole', 30, 500, 1050],
  ])('%s', (_what, row, scrollPx, wanted) => {
    expect(revealRow(even(100), row, scrollPx, 500)).toBe(wanted);
  });
});
