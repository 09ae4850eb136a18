import { isWithin } from '../files/box-path.ts';
import type { BoxMounts } from '../mounts/mount.ts';
import type { Profile, StorageTier } from './profile.ts';
import { placeTiers } from './whereabouts.ts';

/** A folder that is often gone to. */
export interface FilePlace {
  readonly label: string;
  readonly path: string;
}

/** A tier of the box's platform, at the path where it is on this very box. */
export interface TierAt extends FilePlace {
  readonly tier: StorageTier;
}

/** Where the platform's storage is on this box. A path that carries several tiers tells of none for certain and is left out. */
export function tiersAt(profile: Profile | null, mounts: BoxMounts | null): readonly TierAt[] {
  if (profile === null || mounts === null) return [];
  const found = placeTiers(profile, mounts).tiers.flatMap(({ tier, spots, rivals }) => {
    if (rivals.length > 0) return [];
    return spots.flatMap((spot): readonly TierAt[] => {
      if (spot.kind !== 'mount' && spot.kind !== 'folder') return [];
      const named = mounts.places.find(({ name }) => name === spot.path);
      const path = named?.place.kind === 'there' ? named.place.path : (named?.path ?? spot.path);
      return path.startsWith('/') ? [{ label: tier.name, path, tier }] : [];
    });
  });
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
}

/** The tier that holds a folder; null: it is another mount's, or that is not known. */
export function tierOf(
  folder: string,
  tiers: readonly TierAt[],
  mounts: BoxMounts | null,
): TierAt | null {
  const deepest = <T extends { readonly path: string }>(all: readonly T[]): T | null =>
    all
      .filter(({ path }) => isWithin(folder, path))
      .reduce<T | null>(
        (best, each) => (best !== null && best.path.length >= each.path.length ? best : each),
        null,
      );
  const tier = deepest(tiers);
  const mount = deepest(mounts?.mounts ?? []);
  return tier !== null && (mount === null || mount.path.length <= tier.path.length) ? tier : null;
}
