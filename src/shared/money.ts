/** An amount in millionths of its currency's unit: never a float, never converted silently (DESIGN §4). */
export interface Money {
  readonly micros: number;
  /** ISO 4217: USD, EUR, CNY … */
  readonly currency: string;
}

/** A part of an amount, rounded to whole millionths. */
export function shareOf(amount: Money, share: number): Money {
  return { micros: Math.round(amount.micros * share), currency: amount.currency };
}

/** With the code, because several countries' money is called a dollar: "1.25 USD". */
export function formatMoney({ micros, currency }: Money): string {
  return `${(micros / 1e6).toFixed(2)} ${currency}`;
}

const KNOWN_CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** An ISO 4217 code that exists. "RMB" and "usd" do not: a guess would make two currencies of one. */
export function isKnownCurrency(code: string): boolean {
  return KNOWN_CURRENCIES.has(code);
}

const DECIMAL = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * "0.0045" → 4500, by its digits and never through a float. Null: not a plain amount, more than a thousand million, or finer
 * than a millionth, which would have to be rounded.
 */
export function microsOf(decimal: string): number | null {
  const [, whole, part = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 1_000_000 + Number(part.padEnd(6, '0'));
}

/** The opposite of `microsOf`, with at least two digits after the point: 4500 → "0.0045", 2000000 → "2.00". */
export function decimalOf(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  const part = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${part}`;
}
