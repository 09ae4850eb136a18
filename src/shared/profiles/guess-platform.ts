import type { SshAddress } from '../boxes/address.ts';
import type { Profile } from './profile.ts';
import { UNSAID_PLATFORM } from './platform-names.ts';
import { fitsPattern, isPattern, pathsOf } from './tier-paths.ts';

/** Whose machine a box may be, and what makes it look so. Offered, never applied by itself. */
export interface PlatformGuess {
  readonly platform: string;
  /** "its address ends in .seetacloud.com" */
  readonly because: string;
}

/** From the box's address and, where they are known, its mount points. Null: nothing, or more than one platform, fits. */
export function guessPlatform(
  profiles: readonly Profile[],
  { host, user }: Pick<SshAddress, 'host' | 'user'>,
  mounts: readonly string[],
): PlatformGuess | null {
  const others = profiles.filter(({ id }) => id !== UNSAID_PLATFORM);
  const byHost = others.flatMap((profile) => byAddress(profile, host));
  if (byHost.length > 0) return onlyOne(byHost);
  const byName = others.flatMap((profile) => byUser(profile, user));
  if (byName.length > 0) return onlyOne(byName);
  return onlyOne(others.flatMap((profile) => byMount(profile, others, mounts)));
}

function onlyOne(guesses: readonly PlatformGuess[]): PlatformGuess | null {
  const [first] = guesses;
  return guesses.every(({ platform }) => platform === first?.platform) ? (first ?? null) : null;
}

/** `root@connect.<region>.seetacloud.com -p <PORT>`: a host that is a placeholder altogether says nothing. */
function byAddress({ id, ssh }: Profile, host: string): readonly PlatformGuess[] {
  return ssh.flavours.flatMap((flavour) => {
    const domain = domainAt(flavour, host);
    return domain === null ? [] : { platform: id, because: `its address ends in .${domain}` };
  });
}

/** `paperspace@<machine-ip>`: a user that is called as the platform is. "ubuntu" and "root" are anybody's. */
function byUser({ id, ssh }: Profile, user: string): readonly PlatformGuess[] {
  const isOwn = ssh.flavours.some(({ endpoint }) => endpoint?.startsWith(`${id}@`) === true);
  return isOwn && user === id ? [{ platform: id, because: `its user is called ${user}` }] : [];
}

/** The domain of a way in, where this host is one; null: it is another. */
export function domainAt(
  { endpoint }: Profile['ssh']['flavours'][number],
  host: string,
): string | null {
  const pattern = /@(\S+)/.exec(endpoint ?? '')?.[1] ?? '';
  const domain = /[a-z0-9-]+\.[a-z]+$/.exec(pattern)?.[0];
  return domain !== undefined && fitsPattern(pattern, host.toLowerCase()) ? domain : null;
}

/** The entry with the way out of a gateway that opens terminals and runs no commands; null: nobody says that this host is one. */
export function gatewayAt(profiles: Iterable<Pick<Profile, 'ssh'>>, host: string): string | null {
  for (const { ssh } of profiles) {
    for (const flavour of ssh.flavours) {
      if (flavour.terminalsOnly !== null && domainAt(flavour, host) !== null) {
        return flavour.terminalsOnly;
      }
    }
  }
  return null;
}

function byMount(
  profile: Profile,
  all: readonly Profile[],
  mounts: readonly string[],
): readonly PlatformGuess[] {
  const signs = profile.storage.flatMap(pathsOf).filter((path) => isTelling(path, profile, all));
  return signs.flatMap((sign) => {
    const found = mounts.find((path) =>
      isPattern(sign) ? fitsPattern(sign, path) : sign === path,
    );
    return found === undefined
      ? []
      : { platform: profile.id, because: `a disk is mounted at ${sign}` };
  });
}

/** Names such as /mnt or /storage are anybody's. */
function isTelling(path: string, own: Profile, all: readonly Profile[]): boolean {
  const isSpecial = /^\/[^/$~]+\/[^$~]+$/.test(path) || /^\/[a-z]+-[a-z]+$/.test(path);
  return (
    isSpecial &&
    !all.some((other) => other !== own && other.storage.flatMap(pathsOf).includes(path))
  );
}
