import { useMemo } from 'react';
import { joinPath } from '../../../../shared/files/box-path.ts';
import { useProfile } from '../../../state/profiles.ts';
import { selectEntry, useFleet } from '../../../state/feeds.ts';
import { Glyph, type Tone } from '../../../ui/glyph.tsx';
import { useMounts } from '../../facts/use-mounts.ts';
import { fateWords } from '../../files/places-menu.tsx';
import { tierOf, tiersAt, type TierAt } from '../../../../shared/profiles/tier-at.ts';
import { FATE_WORDS, fateOf, type Fate } from '../../../../shared/transfer/fate.ts';
import type { ResultColumn } from '../launch/result-table.tsx';

/** On which of the platform's tiers a box keeps something, and so what becomes of it there. */
export interface Fates {
  /** Null: not known, or not yet. */
  readonly of: (path: string) => TierAt | null;
  readonly isLooking: boolean;
}

export function useFates(boxId: string): Fates {
  const platform = useFleet(selectEntry(boxId))?.box.platform ?? '';
  const profile = useProfile(platform);
  const { found, isLooking } = useMounts(boxId, true, platform);
  return useMemo(() => {
    const tiers = tiersAt(profile, found);
    // Of ten thousands of files few lie in folders of their own.
    const known = new Map<string, TierAt | null>();
    const of = (path: string): TierAt | null => {
      const folder = path.slice(0, Math.max(1, path.lastIndexOf('/')));
      const tier = known.has(folder) ? known.get(folder) : tierOf(folder, tiers, found);
      known.set(folder, tier ?? null);
      return tier ?? null;
    };
    return { of, isLooking };
  }, [profile, found, isLooking]);
}

/** What becomes of each file on the box; none where that is known of no file. `isSafe`: it need not worry anybody. */
export function fateColumn<T extends { readonly path: string }>(
  folder: string,
  files: readonly T[],
  fates: Fates,
  isSafe: (file: T) => boolean = () => false,
): readonly ResultColumn<T>[] {
  const tierAt = ({ path }: T): TierAt | null => fates.of(joinPath(folder, path));
  if (files.every((file) => tierAt(file) === null)) return [];
  return [
    {
      name: 'On the box',
      look: 'fate',
      titleOf: (file) => {
        const tier = tierAt(file);
        return tier === null ? NOT_KNOWN : `${tier.label}: ${fateWords(tier)}`;
      },
      cell: (file) => {
        const tier = tierAt(file);
        const fate = tier === null ? 'unknown' : fateOf(tier.tier);
        return (
          <>
            <Glyph tone={isSafe(file) ? 'off' : TONES[fate]} /> {FATE_WORDS[fate]}
          </>
        );
      },
    },
  ];
}

const NOT_KNOWN = 'It may be deleted when the box is stopped or destroyed.';

const TONES: Readonly<Record<Fate, Tone>> = {
  stays: 'ok',
  'lost-on-stop': 'danger',
  'lost-on-destroy': 'warn',
  depends: 'warn',
  unknown: 'unknown',
};
