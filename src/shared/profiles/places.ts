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
  /** Entries of the catalog that are looked for on this platform only. */
  readonly traps: readonly string[];
  /** By such an entry, the hosts of the addresses under which its platforms show a box's ports: a run on any box may call one. */
  readonly webHosts: Readonly<Record<string, readonly string[]>>;
}

/** The fields of a profile that say it. */
export type WatchedFields = Pick<Profile, 'id' | 'watched' | 'looks' | 'accelerators' | 'traps'> & {
  readonly ports: {
    readonly urlPatterns: readonly string[];
    readonly tensorboard: Pick<Profile['ports']['tensorboard'], 'logdir'>;
  };
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
    traps: own.flatMap(({ traps }) => traps),
    webHosts: webHostsByTrap(profiles),
  };
}

function webHostsByTrap(profiles: readonly WatchedFields[]): Watched['webHosts'] {
  const hosts: Record<string, readonly string[]> = {};
  for (const { traps, ports } of profiles) {
    const own = ports.urlPatterns.flatMap((pattern) => fixedHost(pattern) ?? []);
    for (const trap of traps) hosts[trap] = [...(hosts[trap] ?? []), ...own];
  }
  return hosts;
}

/** "proxy.example.com" of "https://<POD_ID>-<PORT>.proxy.example.com". */
function fixedHost(pattern: string): string | null {
  return (
    /^https?:\/\/(?:[^/]*>[^/.>]*\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)(?=[:/]|$)/.exec(pattern)?.[1] ??
    null
  );
}

function placesIn({ watched, ports: { tensorboard } }: WatchedFields): Profile['watched'] {
  const { logdir } = tensorboard;
  return isWholePath(logdir) ? [...watched, { path: logdir, for: 'event-files' }] : watched;
}
