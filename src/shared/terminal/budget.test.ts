import { describe, expect, it } from 'vitest';
import { Budget } from './budget.ts';

describe('Budget', () => {
  it('lets a burst through, then a steady few', () => {
    const budget = new Budget(3, 2, 0);
    expect([1, 2, 3, 4].map(() => budget.take(0))).toEqual([true, true, true, false]);
    expect(budget.take(400)).toBe(false);
    expect(budget.take(500)).toBe(true);
    expect(budget.take(500)).toBe(false);
  });

  it('survives a clock that was set back', () => {
    const budget = new Budget(1, 1, 10_000);
    expect(budget.take(10_000)).toBe(true);
    expect(budget.take(0)).toBe(false);
    expect(budget.take(1000)).toBe(true);
  });
});
