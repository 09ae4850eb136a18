import type { Money } from '../money.ts';
import { roundToMicros } from './exact.ts';
import type { Sums } from './ledger.ts';
import type { Budget } from './price-entries.ts';

export type BudgetAnswer =
  | { readonly kind: 'within'; readonly spent: Money; readonly share: number }
  /** From the share of the first warning on. */
  | { readonly kind: 'near'; readonly spent: Money; readonly share: number }
  | { readonly kind: 'over'; readonly spent: Money; readonly share: number }
  /** Within by what is known, but not with what may have been billed while nobody looked, or for what has no price. */
  | { readonly kind: 'unsure'; readonly spent: Money; readonly because: string };

export interface JudgedBudget {
  readonly budget: Budget;
  /** Of the one box that it is for, as it is or was last; null: it is for no single one, or nobody knows. */
  readonly boxName: string | null;
  readonly answer: BudgetAnswer;
}

const NEAR_FROM = 0.8;

/** Compared in the budget's own currency only; other currencies are named, never converted. */
export function judgeBudget(limit: Money, sums: Sums): BudgetAnswer {
  const { currency } = limit;
  const known = sums.known.get(currency) ?? 0n;
  const micros = roundToMicros(known);
  const atMost = roundToMicros(known + (sums.unresolved.get(currency) ?? 0n));
  const spent: Money = { micros, currency };
  const share = micros / limit.micros;
  if (micros >= limit.micros) return { kind: 'over', spent, share };
  if (share >= NEAR_FROM) return { kind: 'near', spent, share };
  if (atMost >= limit.micros * NEAR_FROM) {
    return {
      kind: 'unsure',
      spent,
      because: 'time that was not metered may have been billed',
    };
  }
  if (sums.unpricedMs > 0 || sums.unpricedBytes > 0) {
    return { kind: 'unsure', spent, because: 'something was billed whose price is not known' };
  }
  const others = [...sums.known.keys()].filter((each) => each !== currency);
  if (others.length > 0) {
    return { kind: 'unsure', spent, because: `${others.join(' and ')} was spent as well` };
  }
  return { kind: 'within', spent, share };
}

/** What was told about one budget. Kept, so that a restart neither repeats nor forgets it. */
export interface BudgetMark {
  /** Where the day or month began of which it was told; 0 for what is counted in total. */
  readonly fromMs: number;
  readonly limit: Money;
  readonly told: 'near' | 'over';
}

/** Whether somebody is to be told now: once that it is nearly used up and once that it is, in each of its days or months. */
export function judgeBudgetMark(
  before: BudgetMark | null,
  { budget: { limit }, answer }: Pick<JudgedBudget, 'budget' | 'answer'>,
  fromMs: number,
): { readonly mark: BudgetMark | null; readonly isDue: boolean } {
  // Another limit or another month is another budget.
  const isSame =
    before?.fromMs === fromMs &&
    before.limit.micros === limit.micros &&
    before.limit.currency === limit.currency;
  const told = isSame ? before.told : null;
  const { kind } = answer;
  if (kind === 'within' || kind === 'unsure') return { mark: isSame ? before : null, isDue: false };
  if (told === 'over' || told === kind) return { mark: before, isDue: false };
  return { mark: { fromMs, limit, told: kind }, isDue: true };
}
