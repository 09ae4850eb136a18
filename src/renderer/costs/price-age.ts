import { stalePrices } from '../../shared/meter/stale-prices.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import { useMaxAge } from '../facts/use-max-age.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { useProfile } from '../state/profiles.ts';
import { useClock } from '../ui/clock.ts';
import { formatAge, formatDate } from '../ui/format.ts';

export interface PriceAge {
  readonly words: string;
  readonly title: string;
  readonly isOld: boolean;
}

/** How old the prices are that the sums rest on: the person's own, and the platform's rates of its disks. Null: none is set. */
export function usePriceAge(boxId: string, { prices, pricedAtMs }: BoxMeter): PriceAge | null {
  const entry = useFleet(selectEntry(boxId));
  const profile = useProfile(entry?.box.platform ?? '');
  const maxAgeMonths = useMaxAge();
  const old = useClock((nowMs) =>
    stalePrices({ prices, pricedAtMs, profile, maxAgeMonths }, nowMs).join('\n'),
  );
  const since = useClock((nowMs) => (pricedAtMs === null ? '' : formatAge(nowMs - pricedAtMs)));
  if (pricedAtMs === null) return null;
  const entered = `Prices entered ${formatDate(pricedAtMs)}`;
  return old === ''
    ? { words: `priced ${since}`, title: entered, isOld: false }
    : { words: 'old price', title: `${entered}\n${old}`, isOld: true };
}
