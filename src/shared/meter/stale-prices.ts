import { isoUtc } from '../iso-time.ts';
import { judgeFreshness } from '../profiles/freshness.ts';
import type { Profile } from '../profiles/profile.ts';
import type { PriceEntries } from './price-entries.ts';

export interface PricesSaid {
  readonly prices: PriceEntries;
  readonly pricedAtMs: number | null;
  readonly profile: Profile | null;
  readonly maxAgeMonths: number;
}

/** Which prices are too old to be trusted, each as a sentence. */
export function stalePrices(
  { prices, pricedAtMs, profile, maxAgeMonths }: PricesSaid,
  nowMs: number,
): readonly string[] {
  const entered = pricedAtMs === null ? null : monthOfMs(pricedAtMs);
  const isOld = (verified: string | null): boolean =>
    judgeFreshness(verified, nowMs, maxAgeMonths).kind === 'stale';
  const byProfile = prices.disks.flatMap(({ tier, perGB }) => {
    const found = perGB === null ? profile?.storage.find(({ name }) => name === tier) : undefined;
    return found !== undefined && isOld(found.verified)
      ? [`${tier}: the platform’s rate was checked in ${found.verified ?? ''}.`]
      : [];
  });
  return entered !== null && isOld(entered)
    ? [`The prices were entered in ${entered}.`, ...byProfile]
    : byProfile;
}

function monthOfMs(atMs: number): string {
  return isoUtc(atMs).slice(0, 7);
}
