import type { BoxMeter } from '../meter/box-meter.ts';
import { estimateFor, wholeSum } from '../meter/estimate.ts';
import { HOUR_MS } from '../meter/rate.ts';
import type { Money } from '../money.ts';

/** A machine of an account, as its provider lists it. */
export interface ListedMachine {
  /** As the provider names it. Hostile. */
  readonly instance: string;
  /** As the person named it there; null: they did not. Hostile. */
  readonly name: string | null;
  /** How it is, in the words of the provider. Hostile. */
  readonly says: string;
}

/** What a provider charges for a machine each hour. Null: it does not tell. */
export interface ProviderPrice {
  readonly running: Money | null;
  readonly stopped: Money | null;
  /** Its disks are in these figures, as vast.ai has it; elsewhere they are billed beside them. */
  readonly isWithStorage: boolean;
}

/** What a provider answered, or why there is no answer. */
export type Told<T> =
  | { readonly kind: 'told'; readonly value: T }
  | { readonly kind: 'silent'; readonly says: string };

/** What a provider says of the account that a box is rented under. */
export interface ProviderAccount {
  readonly provider: string;
  /** The box itself, as the provider names it. */
  readonly instance: string;
  readonly atMs: number;
  /** `boxName`: of the box that it is in Leasehold; null: Leasehold does not know that machine. */
  readonly machines: Told<readonly (ListedMachine & { readonly boxName: string | null })[]>;
  readonly price: Told<ProviderPrice>;
}

/** More than anybody rents at once; the rest of a longer list is not told. */
export const MOST_MACHINES = 500;

/** How what a provider charges while a box runs stands to what its meter counts. */
export type PriceVerdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly said: Money; readonly counted: Money }
  /** One of the two is not known, or not whole. */
  | { readonly kind: 'unknown' };

export function judgePrice(
  { running, isWithStorage }: ProviderPrice,
  { prices, perDay }: Pick<BoxMeter, 'prices' | 'perDay'>,
): PriceVerdict {
  // By the day, as the meter sums its charges up: an hour of a monthly rate would be rounded.
  const said = running && { ...running, micros: running.micros * 24 };
  const counted = wholeSum(
    isWithStorage
      ? perDay.running
      : estimateFor([{ kind: 'compute', what: '', rate: prices.compute }], 24 * HOUR_MS),
  );
  if (said === null || counted === null) return { kind: 'unknown' };
  const isSame =
    said.currency === counted.currency && Math.abs(said.micros - counted.micros) <= ROUNDED_MICROS;
  return isSame ? { kind: 'same' } : { kind: 'differs', said, counted };
}

/** A provider that tells hundredths of an hour’s price has rounded by up to this in a day. */
const ROUNDED_MICROS = 24 * 5000;
