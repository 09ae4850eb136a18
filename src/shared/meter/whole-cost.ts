import type { Money } from '../money.ts';
import { toMoney } from './exact.ts';
import { effectiveIntervals, sumLedgers, type Ledger } from './ledger.ts';

/** What a box cost from the first second that anybody knows of to the last. */
export interface WholeCost {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly known: readonly Money[];
  /** On top, if it was billed while nobody saw it. */
  readonly unresolved: readonly Money[];
  readonly unresolvedMs: number;
  /** In which something was billed whose price is not known. */
  readonly unpricedMs: number;
}

/** Null: nothing was ever metered. */
export function wholeCost(ledger: Ledger): WholeCost | null {
  const lines = effectiveIntervals(ledger);
  if (lines.length === 0) return null;
  const { known, unresolved, unresolvedMs, unpricedMs } = sumLedgers([ledger]);
  return {
    fromMs: lines.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity),
    untilMs: lines.reduce((last, { fromMs, ms }) => Math.max(last, fromMs + ms), -Infinity),
    ...{ known: toMoney(known), unresolved: toMoney(unresolved) },
    ...{ unresolvedMs, unpricedMs },
  };
}
