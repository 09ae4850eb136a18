import type { Money } from '../money.ts';
import { MONTH_MS, UNIT_SIZE, type Rate } from './rate.ts';

/**
 * An amount that was never rounded, in `PARTS` of a millionth. However time is cut into pieces, the sum of the pieces is the
 * whole.
 */
export type Exact = bigint;

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

const MONTH = BigInt(MONTH_MS);
const GB = BigInt(UNIT_SIZE.GB);
/** The least that milliseconds of an hour and of a month (730 of them) and bytes of a GB all divide. */
const PARTS = (MONTH / greatestCommonDivisor(MONTH, GB)) * GB;

const PARTS_PER = {
  hour: PARTS / BigInt(UNIT_SIZE.hour),
  month: PARTS / MONTH,
  GB: PARTS / GB,
} as const;

/** `quantity`: whole milliseconds, or bytes for what is priced by the GB. */
export function costOf({ micros, per }: Rate, quantity: number): Exact {
  return BigInt(micros) * BigInt(quantity) * PARTS_PER[per];
}

/**
 * The one place where money is rounded: what is shown is the exact sum to the nearest millionth, halves away from zero. Sums are
 * made before, never of rounded amounts.
 */
export function roundToMicros(exact: Exact): number {
  const isNegative = exact < 0n;
  const rounded = ((isNegative ? -exact : exact) * 2n + PARTS) / (PARTS * 2n);
  return Number(isNegative ? -rounded : rounded);
}

/** Amounts by currency. Nothing adds one currency to another. */
export type Exacts = ReadonlyMap<string, Exact>;

export const NOTHING: Exacts = new Map();

export function addExact(sums: Map<string, Exact>, currency: string, amount: Exact): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + amount);
}

/** In the order of the codes, so that the same sums always look the same. */
export function toMoney(sums: Exacts): readonly Money[] {
  return [...sums]
    .map(([currency, exact]) => ({ micros: roundToMicros(exact), currency }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
