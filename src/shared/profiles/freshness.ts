import type { Profile } from './profile.ts';
import { stampsOf, type Stamped } from './stamps.ts';

export type Freshness =
  /** True of any rented machine: there is nothing to look up again. */
  | { readonly kind: 'general' }
  | { readonly kind: 'fresh'; readonly months: number }
  | { readonly kind: 'stale'; readonly months: number }
  /** Dated later than now: a slip of the pen, or this machine's clock is wrong. Not to be relied on. */
  | { readonly kind: 'future' };

/**
 * A stamp names a month and no day, so its age counts from the first of that month: rather asked again too early than too
 * late. Calendar months in UTC, which a change of zone or clock does not move.
 */
export function judgeFreshness(
  verified: string | null,
  nowMs: number,
  maxAgeMonths: number,
): Freshness {
  if (verified === null) return { kind: 'general' };
  const [year = Number.NaN, month = Number.NaN] = verified.split('-').map(Number);
  const now = new Date(nowMs);
  const months = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - month;
  // Also where something is not a number.
  if (!(months >= 0)) return { kind: 'future' };
  return { kind: months < maxAgeMonths ? 'fresh' : 'stale', months };
}

/** One fact that can rot, as the Facts page and `profiles check` list it. */
export interface FactAge extends Stamped {
  /** "clock autodl.release-15d", "storage volume disk" … */
  readonly label: string;
  readonly freshness: Freshness;
}

export function factAges(
  profile: Profile,
  nowMs: number,
  maxAgeMonths: number,
): readonly FactAge[] {
  return stampsOf(profile).map((stamped) => ({
    ...stamped,
    label: labelOf(profile, stamped.path),
    freshness: judgeFreshness(stamped.verified, nowMs, maxAgeMonths),
  }));
}

/** Not to be relied on before somebody looked again. */
export function needsALook({ freshness }: FactAge): boolean {
  return freshness.kind === 'stale' || freshness.kind === 'future';
}

function labelOf(profile: Profile, [part = '', index]: Stamped['path']): string {
  if (typeof index !== 'number') return String(part);
  switch (part) {
    case 'clocks':
      return `clock ${profile.clocks[index]?.id ?? ''}`;
    case 'storage':
      return `storage ${profile.storage[index]?.name ?? ''}`;
    case 'actions':
      return `action ${profile.actions[index]?.verb ?? ''}`;
    case 'prices':
      return `price ${profile.prices[index]?.what ?? ''}`;
    default:
      return `${part} ${index}`;
  }
}
