import type { Money } from '../money.ts';
import type { Estimate } from './estimate.ts';
import { toMoney } from './exact.ts';
import type { Phase, Source } from './interval.ts';
import type { Sums } from './ledger.ts';
import type { PriceEntries } from './price-entries.ts';

/** What a stretch of time cost, for the window. */
export interface Spent {
  readonly known: readonly Money[];
  /** On top, if the box was billed while nobody saw it. */
  readonly unresolved: readonly Money[];
  readonly unresolvedMs: number;
  readonly unpricedMs: number;
}

/** The meter of one box. */
export interface BoxMeter {
  /** Null: nobody has said or seen yet whether it runs. */
  readonly phase: Phase | null;
  readonly phaseSinceMs: number | null;
  readonly source: Source | null;
  readonly prices: PriceEntries;
  /** At this moment; null while the phase is not known. */
  readonly burnPerHour: Estimate | null;
  readonly perDay: Readonly<Record<Phase, Estimate>>;
  readonly today: Spent;
  readonly month: Spent;
  readonly total: Spent;
  /** Lines of the ledger that cannot be read: the sums lack them. */
  readonly unreadableLines: number;
  /** Since it began to do nothing; null: it works, or that is not known. */
  readonly idle: { readonly sinceMs: number; readonly wasted: readonly Money[] } | null;
}

export function spentOf({ known, unresolved, unresolvedMs, unpricedMs }: Sums): Spent {
  return { known: toMoney(known), unresolved: toMoney(unresolved), unresolvedMs, unpricedMs };
}
