import type { Estimate } from '../../shared/meter/estimate.ts';
import { burnWords, moneyWords } from '../../shared/meter/money-words.ts';
import type { WholeCost } from '../../shared/meter/whole-cost.ts';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';
import { UNKNOWN } from '../ui/format.ts';

/** What a box has cost in all. What nobody saw, or had no price, is on top of it. */
export function wholeCostWords(cost: WholeCost | null): string {
  if (cost === null || cost.known.length === 0) return UNKNOWN;
  const isPartly = cost.unpricedMs > 0 || cost.unresolvedMs > 0;
  return `${isPartly ? 'at least ' : ''}${moneyWords(cost.known)}`;
}

/** What a day costs of what stays of a box that is gone. No price is no proof that nothing is billed. */
export const afterEndWords = (perDay: Estimate | null): string =>
  perDay !== null && perDay.money.length === 0 ? 'no price set' : burnWords(perDay, ' a day');

/** Where its results were brought to on this computer; null: not known. */
export const foldersOf = ({ runs }: Pick<ArchivedBox, 'runs'>): readonly string[] | null =>
  runs === null ? null : [...new Set(runs.flatMap(({ to }) => to ?? []))];
