import { fromLocalInput } from '../../clocks/local-moment.ts';
import { formOf, readForm, type PricePer } from '../../costs/price/price-form.ts';
import { NO_PRICES } from '../../../shared/meter/price-book.ts';
import type { PriceEntries } from '../../../shared/meter/price-entries.ts';
import { decimalOf, type Money } from '../../../shared/money.ts';
import { isUnsaid } from '../../../shared/profiles/platform-names.ts';
import { DEMO_PLATFORM } from '../../../shared/demo/demo-platform.ts';
import type { BoxMeter } from '../../../shared/meter/box-meter.ts';
import type { FleetEntry } from '../../../shared/streams/fleet-stream.ts';

/** What a person says of a rental while they add its box. Empty: not known, which is neither free nor for ever. */
export interface RentalValues {
  readonly price: string;
  readonly currency: string;
  /** Whether the price is for the whole box or for one of its GPUs. */
  readonly per: PricePer;
  readonly gpus: string;
  readonly endsAt: string;
}

export const NO_RENTAL: RentalValues = {
  price: '',
  currency: 'USD',
  per: 'box',
  gpus: '',
  endsAt: '',
};

export type RentalErrors = Readonly<Partial<Record<keyof RentalValues, string>>>;

export interface Rental {
  /** Null: no price was entered. */
  readonly prices: PriceEntries | null;
  readonly endsAtMs: number | null;
}

/** What was chosen for the box of this platform that was added last. */
export interface LastRental {
  readonly of: string;
  readonly values: RentalValues;
  readonly identityFiles: readonly string[];
}

/** Null: there is none yet, or the platform says nothing of one rental by another. */
export function lastRental(
  entries: readonly FleetEntry[],
  meters: Readonly<Record<string, BoxMeter>>,
  platform: string,
): LastRental | null {
  if (isUnsaid(platform) || platform === DEMO_PLATFORM) return null;
  const last = entries
    .filter(({ box }) => box.platform === platform)
    .reduce<FleetEntry | null>(
      (newest, entry) =>
        newest === null || entry.box.addedAtMs >= newest.box.addedAtMs ? entry : newest,
      null,
    );
  if (last === null) return null;
  const { compute } = meters[last.box.id]?.prices ?? NO_PRICES;
  return {
    of: last.box.name,
    identityFiles: last.box.login.identityFiles,
    values: {
      ...NO_RENTAL,
      ...(compute !== null && { price: decimalOf(compute.micros), currency: compute.currency }),
      gpus: last.gpus === null || last.gpus.length === 0 ? '' : String(last.gpus.length),
    },
  };
}

/** What the whole box costs an hour by a price for each GPU; null: nothing that could be read says so. */
export function priceOfBox(values: RentalValues): Money | null {
  if (values.per === 'box') return null;
  const answer = readRental({ ...values, endsAt: '' }, 0);
  return 'read' in answer ? (answer.read.prices?.compute ?? null) : null;
}

/** Everything that is wrong with it, or what it says. */
export function readRental(
  values: RentalValues,
  nowMs: number,
): { readonly errors: RentalErrors } | { readonly read: Rental } {
  const errors: Partial<Record<keyof RentalValues, string>> = {};
  const endsAtMs = values.endsAt === '' ? null : fromLocalInput(values.endsAt);
  if (values.endsAt !== '' && endsAtMs === null) errors.endsAt = 'Choose a day and a time.';
  if (endsAtMs !== null && endsAtMs <= nowMs) errors.endsAt = 'This time is over.';
  const { price: compute, per, gpus, currency } = values;
  const answer = readForm(
    { ...formOf(NO_PRICES, true, null), compute, per, gpus, currency },
    nowMs,
  );
  if ('errors' in answer) {
    const { compute: price, currency: code, gpus: count } = answer.errors;
    if (price !== undefined) errors.price = price;
    if (code !== undefined) errors.currency = code;
    if (count !== undefined) errors.gpus = count;
  }
  if (Object.keys(errors).length > 0 || 'errors' in answer) return { errors };
  const { prices } = answer.read;
  return { read: { prices: prices.compute === null ? null : prices, endsAtMs } };
}
