import { formatMoney, formatMoneyBriefly, type Money } from '../money.ts';
import type { Estimate } from './estimate.ts';
import { sumBurns, type Burn } from './live.ts';

// How amounts are said, everywhere the same. What is not known is never written as nothing.

/** `$23.65 + CN¥2.08`: side by side, never one sum. */
export function moneyWords(money: readonly Money[], per = ''): string {
  return money.map((each) => `${formatMoney(each)}${per}`).join(' + ');
}

/** The same of what little work costs, which may be less than anybody pays: `<$0.01`. */
export function briefMoneyWords(money: readonly Money[]): string {
  return money.map(formatMoneyBriefly).join(' + ');
}

/** `about $3.00`, but `<$0.01`, which is no figure that anything could be near. */
export const aboutWords = (cost: string): string => (cost.startsWith('<') ? cost : `about ${cost}`);

/** Where nothing that is billed was entered: a disk that nobody named has no price, and may cost something all the same. */
export const NOTHING_PRICED = 'no price set';

/** Of a box of which nobody saw whether it runs. */
const NOT_SEEN = 'connect to see whether it runs';

/** `$8.00/h`, `at least $8.00/h`, `no price set`. */
export function burnWords(burn: Estimate | null, per = '/h'): string {
  return wordsOf(burn, (money) => moneyWords(money, per));
}

/** The same of what a while costs. */
export function whileWords(cost: Estimate | null): string {
  return wordsOf(cost, briefMoneyWords);
}

function wordsOf(burn: Estimate | null, say: (money: readonly Money[]) => string): string {
  if (burn === null) return NOT_SEEN;
  const { money, isPartly } = burn;
  if (money.length === 0) return NOTHING_PRICED;
  return isPartly ? `at least ${say(money)}` : say(money);
}

/** The same of several boxes. */
export function fleetBurnWords({ perHour, unknownBoxes }: Burn): string {
  return burnWords({ money: perHour, isPartly: unknownBoxes > 0 });
}

/** `Spend $23.65/h`, for the tray. */
export function burnText(burns: readonly (Estimate | null)[]): string {
  if (burns.length === 0) return 'Nothing is billed';
  const words = fleetBurnWords(sumBurns(burns));
  return words === NOTHING_PRICED ? 'No price set' : `Spend ${words}`;
}
