import type { Charge } from '../../shared/meter/interval.ts';
import { NO_PRICES, priceBook } from '../../shared/meter/price-book.ts';
import { priceEntries } from '../../shared/meter/price-entries.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import type { EntriesTable } from '../storage/entries-table.ts';

/** What is billed of a box while it runs, by what the person entered; null: that cannot be read. */
export function runningCharges(
  entries: Pick<EntriesTable, 'read'>,
  boxId: string,
  profile: Profile | null,
): readonly Charge[] | null {
  const prices = entries.read(boxId, 'prices', priceEntries);
  return prices.ok ? priceBook(prices.value ?? NO_PRICES, profile).running : null;
}
