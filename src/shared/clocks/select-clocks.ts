import type { Profile } from '../profiles/profile.ts';
import type { Clock } from './clock.ts';
import { ownClocks } from './own-clocks.ts';
import { platformClocks, type ClockInput } from './platform-clocks.ts';

/** All clocks of a box, the nearest dangerous one first. Without a profile, those that the person set. */
export function selectClocks({
  profile,
  ...input
}: Omit<ClockInput, 'profile'> & { readonly profile: Profile | null }): readonly Clock[] {
  const platform = profile === null ? [] : platformClocks({ profile, ...input });
  const hasRentalEnd = platform.some(
    ({ entry }) => entry?.kind === 'time' && entry.what === 'rental-end',
  );
  return [...platform, ...ownClocks(input.entries, hasRentalEnd)].sort(compareClocks);
}

/** The one for the card; null: none is running that anybody knows of, which `unknownClocks` may put into doubt. */
export function nearestClock(clocks: readonly Clock[]): Clock | null {
  return [...clocks].sort(compareClocks).find((clock) => isRunning(clock)) ?? null;
}

/** When the nearest one runs out; null: none of them has a time. */
export function selectDueMs(clocks: readonly Clock[]): number | null {
  const due = nearestClock(clocks)?.due;
  return due?.kind === 'at' ? due.atMs : null;
}

/** Those that may be running, and nobody knows. A card that shows none of them would show "safe". */
export function unknownClocks(clocks: readonly Clock[]): readonly Clock[] {
  return clocks.filter(({ due, danger }) => due.kind === 'unknown' && danger !== 'none');
}

const DANGERS: readonly Clock['danger'][] = ['data', 'run', 'money', 'none'];
const KINDS: readonly Clock['due']['kind'][] = [
  'at',
  'stopwatch',
  'any-time',
  'costing',
  'unknown',
  'uncounted',
  'dormant',
];
const RUNNING = new Set<Clock['due']['kind']>(['at', 'stopwatch', 'any-time', 'costing']);

function isRunning({ due, danger }: Clock): boolean {
  return RUNNING.has(due.kind) && danger !== 'none';
}

/** Dangerous before harmless, a time before none, the earlier before the later, data before runs before money. */
function compareClocks(a: Clock, b: Clock): number {
  return (
    Number(a.danger === 'none') - Number(b.danger === 'none') ||
    KINDS.indexOf(a.due.kind) - KINDS.indexOf(b.due.kind) ||
    (a.due.kind === 'at' && b.due.kind === 'at' ? a.due.atMs - b.due.atMs : 0) ||
    DANGERS.indexOf(a.danger) - DANGERS.indexOf(b.danger) ||
    (a.id < b.id ? -1 : 1)
  );
}
