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
