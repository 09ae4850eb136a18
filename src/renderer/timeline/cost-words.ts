import type { Estimate } from '../../shared/meter/estimate.ts';
import { formatMoney, type Money } from '../../shared/money.ts';
import { UNKNOWN } from '../ui/format.ts';

/** Side by side, never one sum; what has no price is not nothing. */
export function costWords(cost: Estimate | null): string {
  if (cost === null) return UNKNOWN;
  const { money, isPartly } = cost;
  if (money.length === 0) return isPartly ? 'price not set' : 'nothing';
  return isPartly ? `at least ${sumWords(money)}` : sumWords(money);
}

export function sumWords(money: readonly Money[]): string {
  return money.map(formatMoney).join(' + ');
}
