import type { Profile } from '../profiles/profile.ts';
import type { Clock, Due } from './clock.ts';
import { ownClocks, unconfirmedClock, type UnconfirmedEnd } from './own-clocks.ts';
import { platformClocks, type ClockInput } from './platform-clocks.ts';

/** All clocks of a box, the nearest dangerous one first. Without a profile, those that the person set. */
export function selectClocks({
  profile,
  openEnd,
  ...input
}: Omit<ClockInput, 'profile'> & {
  readonly profile: Profile | null;
  /** Null: no end of it is under way. */
  readonly openEnd: UnconfirmedEnd | null;
}): readonly Clock[] {
  const platform = profile === null ? [] : platformClocks({ profile, ...input });
  const hasRentalEnd = platform.some(
    ({ entry }) => entry?.kind === 'time' && entry.what === 'rental-end',
  );
  const ends = openEnd === null ? [] : [unconfirmedClock(openEnd)];
  return inOrder([...ends, ...platform, ...ownClocks(input.entries, hasRentalEnd)]);
}

/**
 * The one for the card, of those of a box in their order; null: none is running that anybody knows of, which `unknownClocks` may put into
 * doubt. One whose time has passed has done what it does, or was not seen to: it hides none that can still hurt.
 */
export function nearestClock(clocks: readonly Clock[], nowMs: number): Clock | null {
  const running = clocks.filter((clock) => isRunning(clock));
  return running.find(({ due }) => canStillHurt(due, nowMs)) ?? running[0] ?? null;
}

function canStillHurt(due: Due, nowMs: number): boolean {
  return due.kind === 'at' ? due.atMs > nowMs : due.kind !== 'costing';
}

/** When the nearest one runs out; null: none of them has a time. */
export function selectDueMs(clocks: readonly Clock[], nowMs: number): number | null {
  const dues = clocks.flatMap((clock) =>
    clock.due.kind === 'at' && isRunning(clock) ? [clock.due.atMs] : [],
  );
  const ahead = dues.filter((atMs) => atMs > nowMs);
  return dues.length === 0 ? null : Math.min(...(ahead.length > 0 ? ahead : dues));
}

/** Those that may be running, and nobody knows. A card that shows none of them would show "safe". */
export function unknownClocks(clocks: readonly Clock[]): readonly Clock[] {
  return clocks.filter(({ due, danger }) => due.kind === 'unknown' && danger !== 'none');
}

const DANGERS: readonly Clock['danger'][] = ['data', 'run', 'money', 'none'];
const KINDS: readonly Clock['due']['kind'][] = [
  'unconfirmed',
  'at',
  'stopwatch',
  'any-time',
  'costing',
  'unknown',
  'uncounted',
  'dormant',
];
const RUNNING = new Set<Clock['due']['kind']>([
  'unconfirmed',
  'at',
  'stopwatch',
  'any-time',
  'costing',
]);

function isRunning({ due, danger }: Clock): boolean {
  return RUNNING.has(due.kind) && danger !== 'none';
}

/** From the next reminder of an end that is not confirmed: what runs out until then is looked at before it. */
const SOON_MS = 24 * 3600_000;

/**
 * What a person has approved waits for them alone, and comes before all else but what takes data or a run within a day: the one costs an hour more, the
 * other cannot be had again.
 */
function inOrder(clocks: readonly Clock[]): readonly Clock[] {
  const end = clocks.find(({ due }) => due.kind === 'unconfirmed')?.due;
  const soonMs =
    end?.kind === 'unconfirmed' ? (end.remindsAtMs ?? end.sinceMs) + SOON_MS : -Infinity;
  const isSoon = ({ due, danger }: Clock): boolean =>
    due.kind === 'at' && due.atMs <= soonMs && (danger === 'data' || danger === 'run');
  return [...clocks].sort(
    (one, other) => Number(isSoon(other)) - Number(isSoon(one)) || compareClocks(one, other),
  );
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
