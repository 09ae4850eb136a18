import type { BoxMounts, MeasuredMount } from '../mounts/mount.ts';
import { holderOf } from '../mounts/select-mounts.ts';
import type { Profile, StorageTier } from './profile.ts';
import { fitsPattern, isPattern, pathsOf } from './tier-paths.ts';

/** One path of a tier, as it is on this very box. */
export type Spot = { readonly path: string } & (
  | { readonly kind: 'mount'; readonly mount: MeasuredMount }
  /** No file system of its own: what is written there lies on this one, which may be another tier's. */
  | { readonly kind: 'folder'; readonly mount: MeasuredMount; readonly tierName: string | null }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly because: string }
);

export interface TierPlace {
  readonly tier: StorageTier;
  readonly spots: readonly Spot[];
  /** Other tiers that the platform puts at the same path: which one it is, the box alone does not tell. */
  readonly rivals: readonly string[];
}

export interface Whereabouts {
  readonly tiers: readonly TierPlace[];
  /** Mounts of which the profile says nothing: what they outlive is not known. */
  readonly strangers: readonly MeasuredMount[];
}

/** Which measured mount is which tier. A tier is never taken to be where its own path does not lead. */
export function placeTiers(profile: Profile, box: BoxMounts): Whereabouts {
  const spotsOf = new Map(profile.storage.map((tier) => [tier, findSpots(tier, box)] as const));
  const ownerOf = (mount: MeasuredMount): StorageTier | null =>
    profile.storage.find((tier) =>
      spotsOf.get(tier)?.some((spot) => spot.kind === 'mount' && spot.mount === mount),
    ) ?? null;
  const tiers = profile.storage.map((tier): TierPlace => {
    const paths = pathsOf(tier);
    return {
      tier,
      spots: (spotsOf.get(tier) ?? []).flatMap((spot): Spot | readonly never[] => {
        if (spot.kind !== 'folder') return spot;
        const owner = ownerOf(spot.mount);
        // "/ and ~": one place, told twice.
        return owner === tier ? [] : { ...spot, tierName: owner?.name ?? null };
      }),
      rivals: profile.storage
        .filter((other) => other !== tier && pathsOf(other).some((path) => paths.includes(path)))
        .map(({ name }) => name),
    };
  });
  return { tiers, strangers: box.mounts.filter((mount) => ownerOf(mount) === null) };
}

function findSpots(tier: StorageTier, box: BoxMounts): readonly Spot[] {
  return pathsOf(tier).flatMap((path): readonly Spot[] => {
    if (isPattern(path)) {
      const found = box.mounts.filter((mount) => fitsPattern(path, mount.path));
      if (found.length === 0) return [{ path, kind: 'absent' }];
      return found.map((mount) => ({ path: mount.path, kind: 'mount', mount }));
    }
    return [findSpot(path, box)];
  });
}

function findSpot(path: string, { mounts, places }: BoxMounts): Spot {
  const named = places.find(({ name }) => name === path);
  if (named === undefined) return { path, kind: 'unknown', because: 'the box did not say' };
  const exact = mounts.find((mount) => mount.path === named.path);
  if (exact !== undefined) return { path, kind: 'mount', mount: exact };
  const { place } = named;
  if (place.kind !== 'there') return { path, ...place };
  const mount = holderOf(mounts, place.path);
  if (mount === null) return { path, kind: 'unknown', because: 'its file system was not asked' };
  if (mount.path === place.path) return { path, kind: 'mount', mount };
  return { path, kind: 'folder', mount, tierName: null };
}
