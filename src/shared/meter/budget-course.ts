import type { JudgedBudget } from './budget.ts';
import { daysBefore } from './calendar.ts';
import type { Ledger, Window } from './ledger.ts';
import type { Budget } from './price-entries.ts';
import { spendByDay } from './spend-days.ts';

const HOUR_MS = 3_600_000;

/** How a budget's day or month has gone so far: what was spent since its beginning, in the budget's currency. */
export interface BudgetCourse {
  /** Where it begins, where each hour or day of it ends, the last one now, and then its end. */
  readonly bounds: readonly number[];
  /** Millionths spent by each of those moments; null: it has not come. */
  readonly spentMicros: readonly (number | null)[];
}

export interface FollowedBudget extends JudgedBudget {
  /** Null: of what is counted in total there is none. */
  readonly course: BudgetCourse | null;
}

/** Null: what is counted in total has no beginning to draw from. */
export function budgetCourse(
  { per, limit: { currency } }: Pick<Budget, 'per' | 'limit'>,
  window: Window | null,
  ledgers: readonly Ledger[],
  nowMs: number,
): BudgetCourse | null {
  if (window === null) return null;
  const passed = per === 'day' ? hoursOf(window, nowMs) : daysOf(window, nowMs);
  const steps = passed.slice(1).map(() => 0);
  for (const ledger of ledgers) {
    for (const kind of Object.values(spendByDay(ledger, passed).byKind)) {
      for (const [i, micros] of (kind[currency] ?? []).entries())
        steps[i] = (steps[i] ?? 0) + micros;
    }
  }
  let sum = 0;
  const spent = steps.map((micros) => (sum += micros));
  return { bounds: [...passed, window.toMs], spentMicros: [0, ...spent, null] };
}

function hoursOf({ fromMs }: Window, nowMs: number): readonly number[] {
  const count = Math.floor((nowMs - fromMs) / HOUR_MS);
  const hours = Array.from({ length: count + 1 }, (_none, i) => fromMs + i * HOUR_MS);
  return endingNow(hours, nowMs);
}

function daysOf({ fromMs }: Window, nowMs: number): readonly number[] {
  const days: number[] = [];
  for (let back = 0; ; back += 1) {
    const atMs = daysBefore(nowMs, back);
    if (atMs < fromMs) return endingNow(days.reverse(), nowMs);
    days.push(atMs);
  }
}

const endingNow = (bounds: readonly number[], nowMs: number): readonly number[] =>
  bounds.at(-1) === nowMs ? bounds : [...bounds, nowMs];

/** What will have been spent by its end, at the mean of what has passed; null: nothing has. */
export function atThisPace({ bounds, spentMicros }: BudgetCourse): number | null {
  const [fromMs = 0, nowMs = 0, toMs = 0] = [bounds[0], bounds.at(-2), bounds.at(-1)];
  const spent = spentMicros.at(-2) ?? 0;
  return nowMs <= fromMs ? null : Math.round((spent * (toMs - fromMs)) / (nowMs - fromMs));
}
