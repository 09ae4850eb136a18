import { describe, expect, it } from 'vitest';
import { atThisPace, budgetCourse } from './budget-course.ts';
import { monthOf, todayOf } from './calendar.ts';
import type { Interval } from './interval.ts';
import type { Ledger } from './ledger.ts';

const NOON = new Date(2026, 2, 3, 12).getTime();
const H = 3_600_000;
const limit = { micros: 100_000_000, currency: 'USD' };

/** So many dollars an hour, from then on for so long. */
function spending(perHour: number, fromMs: number, hours: number, currency = 'USD'): Ledger {
  const rate = { micros: perHour * 1_000_000, currency, per: 'hour' } as const;
  const interval: Interval = {
    no: 1,
    fromMs,
    ms: hours * H,
    phase: 'running',
    source: 'observed',
    charges: [{ kind: 'compute', what: 'GPU time', rate }],
    life: null,
  };
  return { intervals: [interval], transfers: [], corrections: [] };
}

describe('budgetCourse', () => {
  it('sums up the month day by day over all boxes, in the budget’s currency only', () => {
    const first = monthOf(NOON).fromMs;
    const course = budgetCourse(
      { per: 'month', limit },
      monthOf(NOON),
      [spending(1, first, 60), spending(2, NOON - H, 1), spending(9, first, 60, 'CNY')],
      NOON,
    );
    expect(course?.bounds.slice(-2)).toEqual([NOON, monthOf(NOON).toMs]);
    expect(course?.spentMicros).toEqual([0, 24e6, 48e6, 62e6, null]);
  });

  it('sums up the day hour by hour, and knows where it leads at this pace', () => {
    const midnight = todayOf(NOON).fromMs;
    const course = budgetCourse(
      { per: 'day', limit },
      todayOf(NOON),
      [spending(2, midnight, 12)],
      NOON,
    );
    expect(course?.spentMicros).toHaveLength(14);
    expect(course?.spentMicros.at(-2)).toBe(24e6);
    expect(course && atThisPace(course)).toBe(48e6);
  });

  it('leads nowhere in the first moment of a month', () => {
    const { fromMs } = monthOf(NOON);
    const course = budgetCourse({ per: 'month', limit }, monthOf(fromMs), [], fromMs);
    expect(course?.spentMicros).toEqual([0, null]);
    expect(course && atThisPace(course)).toBeNull();
  });

  it('has no picture of what is counted in total', () => {
    expect(budgetCourse({ per: 'ever', limit }, null, [], NOON)).toBeNull();
  });
});
