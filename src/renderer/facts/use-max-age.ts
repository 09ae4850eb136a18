import { MAX_AGE_MONTHS } from '../../shared/profiles/max-age.ts';
import { useSettings } from '../state/feeds.ts';

/** After how many months the person wants a fact to be called old. */
export function useMaxAge(): number {
  return useSettings((feed) =>
    feed.kind === 'live' ? feed.state.facts.maxAgeMonths : MAX_AGE_MONTHS,
  );
}
