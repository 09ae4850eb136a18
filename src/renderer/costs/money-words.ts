import type { Spent } from '../../shared/meter/box-meter.ts';
import type { RunCost } from '../../shared/meter/run-costs.ts';
import { moneyWords } from '../../shared/meter/money-words.ts';
import { formatMoneyBriefly } from '../../shared/money.ts';
import { formatDuration } from '../ui/format.ts';

/** Where something was or may have been billed, and nobody knows how much: never a zero. */
export const NO_AMOUNT = 'no amount known';

/**
 * What is known to be spent; where nothing is, whether that is because nobody knows. Less than a hundredth grows with each
 * second: its digits stand in the ledger.
 */
export function spentWords({ known, unresolvedMs, unpricedMs, unpricedBytes }: Spent): string {
  if (known.length > 0) return known.map(formatMoneyBriefly).join(' + ');
  const isUnknown = unresolvedMs > 0 || unpricedMs > 0 || unpricedBytes > 0;
  return isUnknown ? NO_AMOUNT : 'nothing';
}

/** What the box has cost since a run began; `at least` where it was metered only later. */
export function runSpentWords({ spent, isLater }: RunCost): string {
  if (spent === null) return NO_AMOUNT;
  const words = spentWords(spent);
  if (!isLater) return words;
  return spent.known.length === 0 ? NO_AMOUNT : `at least ${words}`;
}

/** What a sum lacks, as short sentences. None: it is whole. */
export function doubtsOf(spent: Spent): readonly string[] {
  const { unresolved, unresolvedMs, unpricedMs, unpricedBytes } = spent;
  const more = unresolved.length === 0 ? '' : `, at most ${moneyWords(unresolved)} more`;
  return [
    ...(unresolvedMs > 0 ? [`${timeWords(unresolvedMs)} not metered${more}`] : []),
    ...(unpricedMs > 0 ? [`${timeWords(unpricedMs)} unpriced`] : []),
    ...(unpricedBytes > 0 ? ['transfers without a price'] : []),
  ];
}

/** "0 s" would say that there is none. */
function timeWords(ms: number): string {
  return ms < 1000 ? 'a moment' : formatDuration(ms);
}
