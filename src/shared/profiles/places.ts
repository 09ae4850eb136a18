import { isUnsaid } from './platform-names.ts';
import { isWholePath, placeUses, type ExtraLook, type PlaceUse, type Profile } from './profile.ts';

/** Paths by what they are looked at for. */
export type Places = Readonly<Record<PlaceUse, readonly string[]>>;

/** What is looked at on a box because of whose it is. */
export interface Watched {
  /** The box's platform, as its profile is called; null: not known. */
  readonly platform: string | null;
  readonly places: Places;
  readonly looks: readonly ExtraLook[];
  /** Hosts of proxies that are there for single downloads. */
  readonly accelerators: readonly string[];
}

/** The fields of a profile that say it. */
export type WatchedFields = Pick<Profile, 'id' | 'watched' | 'looks' | 'accelerators'> & {
  readonly ports: { readonly tensorboard: { readonly logdir: string | null } };
};

/** Where nobody has said which platform it is, it may be any: the places and proxies of all count, if nothing that costs a look. */
export function watchedOn(platform: string | null, profiles: readonly WatchedFields[]): Watched {
  const own = profiles.filter(({ id }) => id === platform);
  const possible = isUnsaid(platform) ? profiles : own;
  const told = possible.flatMap(placesIn);
  const pathsFor = (use: PlaceUse): readonly string[] => [
    ...new Set(told.flatMap((place) => (place.for === use ? place.path : []))),
  ];
  return {
    platform,
    places: Object.fromEntries(placeUses.map((use) => [use, pathsFor(use)])) as Record<
      PlaceUse,
      readonly string[]
    >,
    looks: own.flatMap(({ looks }) => looks),
    accelerators: [...new Set(possible.flatMap(({ accelerators }) => accelerators))],
  };
}

function placesIn({ watched, ports: { tensorboard } }: WatchedFields): Profile['watched'] {
  const { logdir } = tensorboard;
  return isWholePath(logdir) ? [...watched, { path: logdir, for: 'event-files' }] : watched;
}
