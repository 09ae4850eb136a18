import { isKnownCurrency } from '../money.ts';
import { err, ok, type Result } from '../result.ts';

export const HOUR_MS = 3_600_000;
/** Platforms quote "per month" without saying how long one is: 730 hours, a twelfth of a year. */
export const MONTH_MS = 730 * HOUR_MS;
/** Decimal, as transfers are priced. */
const GB_BYTES = 1_000_000_000;

/** What one unit of time or of transfer costs, in whole millionths. */
export interface Rate {
  readonly micros: number;
  readonly currency: string;
  readonly per: 'hour' | 'month' | 'GB';
}

/** Milliseconds or bytes in the unit of a rate. */
export const UNIT_SIZE = { hour: HOUR_MS, month: MONTH_MS, GB: GB_BYTES } as const;

/** No machine that one person rents costs this much an hour in any currency; a slipped point does. */
const ABSURD_UNITS = 100_000;

/** Why a rate is nothing to compute with, as a sentence. */
export function judgeRate(rate: Rate): Result<Rate, string> {
  const { micros, currency, per } = rate;
  if (!isKnownCurrency(currency)) {
    return err(`"${currency}" is not a currency code. Use one like USD, EUR or CNY.`);
  }
  if (!Number.isSafeInteger(micros)) {
    return err('A price has at most six digits after the point.');
  }
  if (micros < 0) return err('A price cannot be negative.');
  if (micros > ABSURD_UNITS * 1e6) {
    return err(
      `More than ${ABSURD_UNITS} ${currency} a ${per} cannot be right. Look for the point.`,
    );
  }
  return ok(rate);
}
