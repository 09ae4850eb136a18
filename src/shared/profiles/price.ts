import { decimalOf, isKnownCurrency, microsOf } from '../money.ts';
import { err, ok, type Result } from '../result.ts';

/** As the platforms name them. A month is told by them without saying how long it is. */
export const priceUnits = [
  'hour',
  'GPU-hour',
  'month',
  'GB-hour',
  'GB-month',
  'GiB-month',
  'GB',
] as const;
export type PriceUnit = (typeof priceUnits)[number];

/** What a platform asks by default: for the form and for "about", never the person's bill. */
export interface Price {
  readonly micros: number;
  readonly currency: string;
  readonly per: PriceUnit;
}

/** What a tier of storage costs in one state of the box; null: the facts do not say. */
export type StorageRate = Price | 'free' | 'unpriced' | null;

/** "0.20 USD/GB-month". The error is the fix, as a sentence. */
export function parsePrice(text: string): Result<Price, string> {
  const [, amount = '', currency = '', unit = ''] = /^(\S+) ([^\s/]+)\/(\S+)$/.exec(text) ?? [];
  const micros = microsOf(amount);
  if (micros === null) {
    return err('Write a price as "0.20 USD/GB-month", with at most 6 digits after the point.');
  }
  if (!isKnownCurrency(currency))
    return err(`Name the currency by its ISO code, as in USD or CNY.`);
  const per = priceUnits.find((each) => each === unit);
  if (per === undefined) return err(`Choose the unit from: ${priceUnits.join(', ')}.`);
  return ok({ micros, currency, per });
}

export function formatPrice({ micros, currency, per }: Price): string {
  return `${decimalOf(micros)} ${currency}/${per}`;
}
