import type { ClockEntries } from '../../clocks/clock.ts';
import type { ClockRule, Profile } from '../../profiles/profile.ts';
import type { BoxUp } from './box-ups.ts';

/** What tells whether the platform has ended a box, where a person entered no more than that it was stopped or destroyed. */
export interface EndClues {
  readonly timers: readonly PlatformTimer[];
  /** The platform may take it back at any time, as its person entered. */
  readonly isSpot: boolean;
  /** When a patrol last saw something run on it; null: nothing ran when it was last seen. */
  readonly ranAtMs: number | null;
  /** Until then Leasehold itself was at its end, or somebody called that off; null: never. */
  readonly endedHereMs: number | null;
}

/** A clock of the platform that ends whatever runs: at a moment, or so long after a start of the box. */
export type PlatformTimer = { readonly atMs: number } | { readonly forMs: number };

export const NO_END_CLUES: EndClues = {
  timers: [],
  isSpot: false,
  ranAtMs: null,
  endedHereMs: null,
};

/** A box is seen last some time before it ends: a look, or a patrol. */
const LATE_MS = 3_600_000;
/** Two clocks. */
const GRAIN_MS = 60_000;

/**
 * Whether the platform took the box away after this. Proven by no one thing: that a timer of it was due then, or that it may take the
 * box at any time and something ran there; and that Leasehold did not end it.
 */
export function isTakenAway(
  { startedMs, toMs }: Pick<BoxUp, 'startedMs' | 'toMs'>,
  { timers, isSpot, ranAtMs, endedHereMs }: EndClues,
): boolean {
  if (endedHereMs !== null && toMs <= endedHereMs + GRAIN_MS) return false;
  const isDue = timers.some((timer) => {
    const atMs = 'atMs' in timer ? timer.atMs : startedMs + timer.forMs;
    return atMs >= toMs - GRAIN_MS && atMs <= toMs + LATE_MS;
  });
  return isDue || (isSpot && ranAtMs !== null && Math.abs(toMs - ranAtMs) <= LATE_MS);
}

export function platformTimersOf(
  profile: Profile | null,
  entries: Pick<ClockEntries, 'starts' | 'times'>,
): readonly PlatformTimer[] {
  return (profile?.clocks ?? []).flatMap(({ rule, danger }) =>
    danger === 'data' || danger === 'run' ? timerOf(rule, entries) : [],
  );
}

function timerOf(
  rule: ClockRule,
  { starts, times }: Pick<ClockEntries, 'starts' | 'times'>,
): readonly PlatformTimer[] {
  if (rule.kind === 'after') {
    if (rule.from === 'started') return [{ forMs: rule.for }];
    const fromMs = rule.from.endsWith('notebook-started') ? starts[rule.from] : undefined;
    return fromMs === undefined ? [] : [{ atMs: fromMs + rule.for }];
  }
  // Two timers only do what a person asked of them.
  if (rule.kind !== 'set' || rule.what === 'stop-timer' || rule.what === 'idle-stop') return [];
  const atMs = times[rule.what];
  return atMs === undefined ? [] : [{ atMs }];
}
