import { addExact, costOf, type Exact, type Exacts } from './exact.ts';
import type { Charge, ChargeKind, Correction, Interval, Transfer } from './interval.ts';

/** One box's lines, all that were ever written. */
export interface Ledger {
  readonly intervals: readonly Interval[];
  readonly transfers: readonly Transfer[];
  readonly corrections: readonly Correction[];
}

export const EMPTY_LEDGER: Ledger = { intervals: [], transfers: [], corrections: [] };

/** From, and up to but without. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a stretch of time cost, as far as it is known, and what is not. */
export interface Sums {
  /** Observed, inferred and typed. */
  readonly known: Exacts;
  /** What the unresolved time would cost if the box was billed all the while. On top of `known`. */
  readonly unresolved: Exacts;
  readonly byKind: ReadonlyMap<ChargeKind | 'egress', Exacts>;
  readonly unresolvedMs: number;
  /** Time in which something was billed whose price is not known. Not zero: not known. */
  readonly unpricedMs: number;
  readonly unpricedBytes: number;
  /** Measured, with a price or without. */
  readonly receivedBytes: number;
}

/** The lines that count. */
export function effectiveIntervals({ intervals, corrections }: Ledger): readonly Interval[] {
  if (corrections.length === 0) return intervals;
  const voided = new Set(corrections.map(({ voids }) => voids));
  return intervals.filter(({ no }) => !voided.has(no));
}

/** The same ledger without what was taken out of it. */
export function countedPart(ledger: Ledger): Ledger {
  if (ledger.corrections.length === 0) return ledger;
  return { intervals: effectiveIntervals(ledger), transfers: voidless(ledger), corrections: [] };
}

export function sumLedgers(ledgers: readonly Ledger[], window: Window | null = null): Sums {
  const known = new Map<string, Exact>();
  const unresolved = new Map<string, Exact>();
  const byKind = new Map<ChargeKind | 'egress', Map<string, Exact>>();
  let [unresolvedMs, unpricedMs, unpricedBytes, receivedBytes] = [0, 0, 0, 0];
  const addTo = (kind: ChargeKind | 'egress', currency: string, amount: Exact): void => {
    const sums = byKind.get(kind) ?? new Map<string, Exact>();
    byKind.set(kind, sums);
    addExact(sums, currency, amount);
    addExact(known, currency, amount);
  };
  for (const ledger of ledgers) {
    for (const interval of effectiveIntervals(ledger)) {
      const ms = msWithin(interval, window);
      if (ms === 0) continue;
      const isUnresolved = interval.source === 'unresolved';
      if (isUnresolved) unresolvedMs += ms;
      if (interval.charges.some(({ rate }) => rate === null)) unpricedMs += ms;
      for (const { kind, rate } of interval.charges) {
        if (rate === null) continue;
        const amount = costOf(rate, ms);
        if (isUnresolved) addExact(unresolved, rate.currency, amount);
        else addTo(kind, rate.currency, amount);
      }
    }
    for (const { atMs, bytes, rate, source } of voidless(ledger)) {
      if (window !== null && (atMs < window.fromMs || atMs >= window.toMs)) continue;
      if (source === 'measured') receivedBytes += bytes;
      if (rate !== null) addTo('egress', rate.currency, costOf(rate, bytes));
      // Who enters a transfer says that it is billed; what is measured is counted where it costs nothing, too.
      else if (source === 'manual') unpricedBytes += bytes;
    }
  }
  return { known, unresolved, byKind, unresolvedMs, unpricedMs, unpricedBytes, receivedBytes };
}

function voidless({ transfers, corrections }: Ledger): readonly Transfer[] {
  const voided = new Set(corrections.map(({ voids }) => voids));
  return transfers.filter(({ no }) => !voided.has(no));
}

function msWithin({ fromMs, ms }: Interval, window: Window | null): number {
  if (window === null) return ms;
  const from = Math.max(fromMs, window.fromMs);
  const to = Math.min(fromMs + ms, window.toMs);
  return Math.max(0, to - from);
}

/** What is billed per hour right now; a month's part of an hour is exact as well. */
export function burnOf(
  charges: readonly Charge[],
  hourMs: number,
): {
  readonly perHour: Exacts;
  /** Something of it has no price: the burn is at least this. */
  readonly isPartly: boolean;
} {
  const perHour = new Map<string, Exact>();
  for (const { rate } of charges) {
    if (rate !== null) addExact(perHour, rate.currency, costOf(rate, hourMs));
  }
  return { perHour, isPartly: charges.some(({ rate }) => rate === null) };
}
