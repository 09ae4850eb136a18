import type { Money } from '../money.ts';
import type { PriceBook } from './box-recorder.ts';
import { addExact, costOf, toMoney, type Exact } from './exact.ts';
import type { Charge, Phase } from './interval.ts';
import { HOUR_MS, type Rate } from './rate.ts';

/** An amount of money in each currency that occurs, and whether something is missing in it. */
export interface Estimate {
  readonly money: readonly Money[];
  /** Something of it has no price: it is at least this. */
  readonly isPartly: boolean;
}

/** All of it in one currency; null: something is missing, or there are two. */
export function wholeSum(estimate: Estimate | null): Money | null {
  const [only, second] = estimate?.money ?? [];
  if (estimate === null || estimate.isPartly || second !== undefined) return null;
  return only ?? null;
}

/** What these charges come to over a time: the burn of an hour, a day, the time until a clock or the end of a run. */
export function estimateFor(charges: readonly Charge[], ms: number): Estimate {
  const sums = new Map<string, Exact>();
  const lastingMs = Math.max(0, Math.round(ms));
  for (const { rate } of charges) {
    if (rate !== null) addExact(sums, rate.currency, costOf(rate, lastingMs));
  }
  return { money: toMoney(sums), isPartly: charges.some(({ rate }) => rate === null) };
}

/** What a day costs if the box is kept as it runs, is stopped, or is destroyed. */
export function costPerDay(book: PriceBook): Readonly<Record<Phase, Estimate>> {
  const day = (phase: Phase): Estimate => estimateFor(book[phase], 24 * HOUR_MS);
  return { running: day('running'), stopped: day('stopped'), destroyed: day('destroyed') };
}

/** A sum in one currency, by rates that the person typed: how many of it one unit of each other one is, in millionths. */
export function sumInOne(
  money: readonly Money[],
  currency: string,
  typedMicros: Readonly<Record<string, number>>,
):
  | { readonly sum: Money; readonly isConverted: boolean }
  | { readonly missing: readonly string[] } {
  const others = money.filter((each) => each.currency !== currency);
  const missing = others.filter((each) => !Object.hasOwn(typedMicros, each.currency));
  if (missing.length > 0) return { missing: missing.map((each) => each.currency) };
  const micros = money.reduce((sum, each) => {
    const perUnit = each.currency === currency ? 1_000_000 : (typedMicros[each.currency] ?? 0);
    return sum + (BigInt(each.micros) * BigInt(perUnit)) / 1_000_000n;
  }, 0n);
  return { sum: { micros: Number(micros), currency }, isConverted: others.length > 0 };
}

/** What a run would cost on a box: so long at what is billed while it runs, and so much to bring home. Null rate: not known. */
export function estimateRun(
  running: readonly Charge[],
  hours: number,
  egress: { readonly bytes: number; readonly rate: Rate | null },
): Estimate {
  const time = estimateFor(running, hours * HOUR_MS);
  if (egress.bytes === 0) return time;
  if (egress.rate === null) return { ...time, isPartly: true };
  const { currency } = egress.rate;
  const out = new Map([[currency, costOf(egress.rate, egress.bytes)]]);
  return { ...time, money: addMoney(time.money, toMoney(out)) };
}

/** Currency by currency. */
export function addMoney(...parts: readonly (readonly Money[])[]): readonly Money[] {
  const sums = new Map<string, number>();
  for (const { currency, micros } of parts.flat()) {
    sums.set(currency, (sums.get(currency) ?? 0) + micros);
  }
  return [...sums]
    .map(([currency, micros]) => ({ micros, currency }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
