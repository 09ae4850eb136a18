import { err, ok, type Result } from './result.ts';

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

const THIN = '\u202f';

/**
 * "$1 870.25", "CN¥2.08": rounded to hundredths, or below a hundredth to the digits that there are, so that little never looks
 * like nothing. By its digits, never through a float.
 */
export function formatMoney({ micros, currency }: Money): string {
  const isTiny = Math.abs(micros) < 10_000 && micros !== 0;
  const hundredths = Math.sign(micros) * Math.round(Math.abs(micros) / 10_000) * 10_000;
  const [whole = '', part = ''] = decimalOf(Math.abs(isTiny ? micros : hundredths)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return `${micros < 0 ? '−' : ''}${currencySign(currency)}${grouped}.${part}`;
}

/** `<$0.01`: where less than a hundredth has no room for its digits. Nothing at all is still `$0.00`. */
export function formatMoneyBriefly(amount: Money): string {
  const { micros, currency } = amount;
  if (micros <= 0 || micros >= 10_000) return formatMoney(amount);
  return `<${formatMoney({ micros: 10_000, currency })}`;
}

const signs = new Map<string, string>();

/** Of several countries’ dollars only one is "$": Canada’s is "CA$". What has no sign of its own is named by its code. */
export function currencySign(currency: string): string {
  let sign = signs.get(currency);
  if (sign === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    const [named] = format.formatToParts(0).filter(({ type }) => type === 'currency');
    sign = named === undefined || named.value === currency ? `${currency}\u00a0` : named.value;
    signs.set(currency, sign);
  }
  return sign;
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

/** What a person typed for an amount, or what is wrong with it as a sentence. */
export function readAmount(text: string): Result<number, string> {
  const typed = text.trim();
  const micros = microsOf(typed);
  if (micros !== null) return ok(micros);
  if (/^[-−]/.test(typed)) return err('An amount cannot be negative.');
  if (/^\d+,\d+$/.test(typed)) return err(`Write ${typed.replace(',', '.')} with a point.`);
  if (/^\d{1,9}\.\d{7,}$/.test(typed))
    return err('An amount has at most six digits after the point.');
  if (/^\d{10,}(\.\d*)?$/.test(typed))
    return err('This is more than a thousand million. Look for the point.');
  return err('Write an amount in digits, such as 1.25.');
}

/** The opposite of `microsOf`, with at least two digits after the point: 4500 → "0.0045", 2000000 → "2.00". */
export function decimalOf(micros: number): string {
  const digits = String(Math.abs(micros)).padStart(7, '0');
  const part = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${part}`;
}
