import type { Estimate } from '../../shared/meter/estimate.ts';
import { burnWords, moneyWords, NOTHING_PRICED } from '../../shared/meter/money-words.ts';
import type { WholeCost } from '../../shared/meter/whole-cost.ts';
import type { ArchivedBox } from '../../shared/teardown/archived-box.ts';

/** Leasehold was not running, or not connected, while the box was. */
const NOT_METERED = 'not metered';

/** Of what the box left, and where that was brought to. */
export const NO_APPROVAL = 'approval not readable';

/** What a box has cost in all, or why there is no sum. What nobody saw, or had no price, is on top of it. */
export function wholeCostWords(cost: WholeCost | null): string {
  if (cost === null) return NOT_METERED;
  const { known, unpricedMs, unresolvedMs } = cost;
  if (known.length === 0)
    return unresolvedMs > 0 && unpricedMs === 0 ? NOT_METERED : NOTHING_PRICED;
  return `${unpricedMs > 0 || unresolvedMs > 0 ? 'at least ' : ''}${moneyWords(known)}`;
}

/** What a day costs of what stays of a box that is gone. No price is no proof that nothing is billed. */
export const afterEndWords = (perDay: Estimate | null): string =>
  perDay === null
    ? 'price not read'
    : perDay.money.length === 0
      ? NOTHING_PRICED
      : burnWords(perDay, ' a day');

/** Where its results were brought to on this computer; null: not known. */
export const foldersOf = ({ runs }: Pick<ArchivedBox, 'runs'>): readonly string[] | null =>
  runs === null ? null : [...new Set(runs.flatMap(({ to }) => to ?? []))];
