import type { Money } from '../money.ts';
import type { Estimate } from './estimate.ts';
import { monthOf, todayOf, weekOf } from './calendar.ts';
import { toMoney } from './exact.ts';
import { idleWaste, type IdleSpan } from './idle.ts';
import type { Charge, Phase, Source } from './interval.ts';
import { sumLedgers, type Ledger, type Window } from './ledger.ts';
import type { RunCosts } from './run-costs.ts';
import type { PriceEntries } from './price-entries.ts';
import type { Rate } from './rate.ts';

/** What a stretch of time cost, for the window. */
export interface Spent {
  readonly known: readonly Money[];
  /** On top, if the box was billed while nobody saw it. */
  readonly unresolved: readonly Money[];
  readonly unresolvedMs: number;
  readonly unpricedMs: number;
  readonly unpricedBytes: number;
  /** What came over Leasehold's own connections. */
  readonly receivedBytes: number;
  /** Of `known`: paid for computing while nothing computed. */
  readonly wasted: readonly Money[];
  readonly wastedMs: number;
}

/** The times that are summed up everywhere. */
export const periods = ['today', 'week', 'month', 'total'] as const;
export type Period = (typeof periods)[number];

/** The meter of one box. */
export interface BoxMeter extends Readonly<Record<Period, Spent>> {
  /** Of all figures; what has passed since then is billed as `charges` say. */
  readonly asOfMs: number;
  /** Null: nobody has said or seen yet whether it runs. */
  readonly phase: Phase | null;
  readonly phaseSinceMs: number | null;
  readonly source: Source | null;
  readonly prices: PriceEntries;
  /** When the prices were entered; null: never. */
  readonly pricedAtMs: number | null;
  /** Of bytes out of the datacenter; null: nobody says that they cost anything. */
  readonly egressRate: Rate | null;
  /** What is billed in the phase that it is in. */
  readonly charges: readonly Charge[];
  /** At this moment; null while the phase is not known. */
  readonly burnPerHour: Estimate | null;
  readonly perDay: Readonly<Record<Phase, Estimate>>;
  /** Lines of the ledger that cannot be read: the sums lack them. */
  readonly unreadableLines: number;
  /** Null: no patrol has seen the box yet. */
  readonly runs: RunCosts | null;
  /** Since it began to do nothing; null: it works, or that is not known. */
  readonly idle: { readonly sinceMs: number; readonly wasted: readonly Money[] } | null;
}

/** `ledger` holds only lines that count, `idle` is merged. */
export function spentIn(
  ledger: Ledger,
  idle: readonly IdleSpan[],
  window: Window | null = null,
): Spent {
  const { known, unresolved, ...unknown } = sumLedgers([ledger], window);
  const wasted = idleWaste(ledger.intervals, idle, window);
  return {
    known: toMoney(known),
    unresolved: toMoney(unresolved),
    unresolvedMs: unknown.unresolvedMs,
    unpricedMs: unknown.unpricedMs,
    unpricedBytes: unknown.unpricedBytes,
    receivedBytes: unknown.receivedBytes,
    wasted: toMoney(wasted.sums),
    wastedMs: wasted.ms,
  };
}

/** The same for each of the times that are summed up everywhere. */
export function spentByPeriod(
  ledger: Ledger,
  idle: readonly IdleSpan[],
  nowMs: number,
): Readonly<Record<Period, Spent>> {
  return {
    today: spentIn(ledger, idle, todayOf(nowMs)),
    week: spentIn(ledger, idle, weekOf(nowMs)),
    month: spentIn(ledger, idle, monthOf(nowMs)),
    total: spentIn(ledger, idle),
  };
}
