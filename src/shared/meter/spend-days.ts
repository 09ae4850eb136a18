import type { Period, Spent } from './box-meter.ts';
import { daysBefore, todayOf } from './calendar.ts';
import { addExact, costOf, roundToMicros, type Exact } from './exact.ts';
import type { ChargeKind } from './interval.ts';
import { countedPart, type Ledger } from './ledger.ts';
import type { Rate } from './rate.ts';

export const MAX_DAYS = 366;

/** Millionths of each currency, a number for each day. */
export type ByDay = Readonly<Record<string, readonly number[]>>;

/** What each day of one box cost. */
export interface BoxDays {
  readonly boxId: string;
  /** As it is or was last; null: nobody knows. */
  readonly name: string | null;
  readonly platform: string | null;
  readonly tags: readonly string[];
  /** Of a box that is not in the list any more; null: its meter tells it. */
  readonly spent: Readonly<Record<Period, Spent>> | null;
  readonly byKind: Readonly<Partial<Record<ChargeKind | 'egress', ByDay>>>;
  /** On top, if it was billed while nobody saw it. */
  readonly unresolved: ByDay;
}

export interface SpendDays {
  /** Where each day begins, by this machine's calendar, and where the last one ends. */
  readonly bounds: readonly number[];
  readonly boxes: readonly BoxDays[];
}

/** The beginnings of the last days, today included, and the end of today. */
export function boundsOf(nowMs: number, days: number): readonly number[] {
  const starts = Array.from({ length: days }, (_, i) => daysBefore(nowMs, days - 1 - i));
  return [...starts, todayOf(nowMs).toMs];
}

/** Each day is rounded by itself: sums are made elsewhere. */
export function spendByDay(
  ledger: Ledger,
  bounds: readonly number[],
): Pick<BoxDays, 'byKind' | 'unresolved'> {
  const { intervals, transfers } = countedPart(ledger);
  const kinds = new Map<ChargeKind | 'egress', DaySums>();
  const unresolved = new DaySums(bounds);
  const ofKind = (kind: ChargeKind | 'egress'): DaySums => {
    const sums = kinds.get(kind) ?? new DaySums(bounds);
    kinds.set(kind, sums);
    return sums;
  };
  for (const { fromMs, ms, source, charges } of intervals) {
    for (const { kind, rate } of charges) {
      if (rate === null) continue;
      const sums = source === 'unresolved' ? unresolved : ofKind(kind);
      sums.addTime(rate, fromMs, fromMs + ms);
    }
  }
  for (const { atMs, bytes, rate } of transfers) {
    if (rate !== null) ofKind('egress').addBytes(rate, atMs, bytes);
  }
  return {
    byKind: Object.fromEntries([...kinds].map(([kind, sums]) => [kind, sums.rounded()])),
    unresolved: unresolved.rounded(),
  };
}

class DaySums {
  readonly #bounds: readonly number[];
  readonly #days: Map<string, Exact>[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#days = Array.from({ length: bounds.length - 1 }, () => new Map<string, Exact>());
  }

  addTime(rate: Rate, fromMs: number, toMs: number): void {
    for (let day = this.#dayAt(fromMs); day < this.#days.length; day += 1) {
      const from = Math.max(fromMs, this.#bounds[day] ?? 0);
      const to = Math.min(toMs, this.#bounds[day + 1] ?? 0);
      if (from >= toMs) return;
      if (to > from) this.#add(day, rate, to - from);
    }
  }

  addBytes(rate: Rate, atMs: number, bytes: number): void {
    const [first = 0, end = 0] = [this.#bounds[0], this.#bounds.at(-1)];
    if (atMs >= first && atMs < end) this.#add(this.#dayAt(atMs), rate, bytes);
  }

  rounded(): ByDay {
    const currencies = new Set(this.#days.flatMap((day) => [...day.keys()]));
    return Object.fromEntries(
      [...currencies].map((currency) => [
        currency,
        this.#days.map((day) => roundToMicros(day.get(currency) ?? 0n)),
      ]),
    );
  }

  #add(day: number, rate: Rate, quantity: number): void {
    const sums = this.#days[day];
    if (sums !== undefined) addExact(sums, rate.currency, costOf(rate, quantity));
  }

  /** The last day that begins at or before this moment; the first one for what is earlier. */
  #dayAt(atMs: number): number {
    let [low, high] = [0, this.#days.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#bounds[middle] ?? 0) <= atMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
