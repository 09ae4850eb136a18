import type { Spent } from '../../shared/meter/box-meter.ts';
import type { Estimate } from '../../shared/meter/estimate.ts';
import type { Burn } from '../../shared/meter/live.ts';
import { formatMoney, type Money } from '../../shared/money.ts';
import { formatDuration, UNKNOWN } from '../ui/format.ts';

// How amounts are said, everywhere the same. What is not known is never written as nothing.

/** `$23.65 + CN¥2.08`: side by side, never one sum. */
export function moneyWords(money: readonly Money[], per = ''): string {
  return money.map((each) => `${formatMoney(each)}${per}`).join(' + ');
}

/** `$8.00/h`, `at least $8.00/h`, `price not set`, `nothing`. */
export function burnWords(burn: Estimate | null, per = '/h'): string {
  if (burn === null) return UNKNOWN;
  const { money, isPartly } = burn;
  if (money.length === 0) return isPartly ? 'price not set' : 'nothing';
  const words = moneyWords(money, per);
  return isPartly ? `at least ${words}` : words;
}

/** The same of several boxes. */
export function fleetBurnWords({ perHour, unknownBoxes }: Burn): string {
  return burnWords({ money: perHour, isPartly: unknownBoxes > 0 });
}

/** What is known to be spent; where nothing is, whether that is because nobody knows. */
export function spentWords({ known, unresolvedMs, unpricedMs, unpricedBytes }: Spent): string {
  if (known.length > 0) return moneyWords(known);
  const isUnknown = unresolvedMs > 0 || unpricedMs > 0 || unpricedBytes > 0;
  return isUnknown ? UNKNOWN : 'nothing';
}

/** What a sum lacks, as short sentences. None: it is whole. */
export function doubtsOf(spent: Spent): readonly string[] {
  const { unresolved, unresolvedMs, unpricedMs, unpricedBytes } = spent;
  const more = unresolved.length === 0 ? '' : `, at most ${moneyWords(unresolved)} more`;
  return [
    ...(unresolvedMs > 0 ? [`${formatDuration(unresolvedMs)} that nobody saw${more}`] : []),
    ...(unpricedMs > 0 ? [`${formatDuration(unpricedMs)} with something unpriced`] : []),
    ...(unpricedBytes > 0 ? ['transfers without a price'] : []),
  ];
}
