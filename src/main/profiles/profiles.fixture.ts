import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { watchedOn, type Watched } from '../../shared/profiles/places.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { SHIPPED_PLATFORMS, type ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import { checkProfile, readProfileText } from './check-profile.ts';

export const SHIPPED = fileURLToPath(new URL('../../../profiles/', import.meta.url));

export const SHIPPED_IDS = Object.keys(SHIPPED_PLATFORMS) as readonly ShippedPlatform[];

const read = new Map<ShippedPlatform, Profile>();

/** A profile exactly as it ships. */
export function shippedProfile(id: ShippedPlatform): Profile {
  const known = read.get(id) ?? readShipped(id);
  read.set(id, known);
  return known;
}

/** What is looked at on a box of this platform, as the profiles ship. */
export const shippedWatched = (platform: string | null): Watched =>
  watchedOn(platform, SHIPPED_IDS.map(shippedProfile));

function readShipped(id: ShippedPlatform): Profile {
  const file = `${SHIPPED}${id}.yaml`;
  const text = readProfileText(file, readFileSync(file, 'utf8'));
  const checked = text.ok ? checkProfile(text.value) : text;
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}
