import type { LaunchProfile } from './known-box.ts';

/** Between the signal and the end of a box that its platform takes back, in seconds; null: the profile knows none. */
export function spotGraceS(profile: Pick<LaunchProfile, 'clocks'> | null): number | null {
  for (const { rule } of profile?.clocks ?? []) {
    if (rule.kind === 'spot' && rule.grace !== null) return Math.floor(rule.grace / 1000);
  }
  return null;
}
