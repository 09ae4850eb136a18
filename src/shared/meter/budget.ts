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
      because: 'time in which nobody saw the box may have been billed',
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
