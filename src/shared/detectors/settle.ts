import type { Found, Judgement } from './finding.ts';

/** How long a judgement must hold before it is believed. Time is that of the data, never the number of samples. */
export interface SettleTimes {
  readonly foundAfterMs: number;
  readonly clearAfterMs: number;
  /** Longer than this without any judgement: what was believed is not known any more. */
  readonly maxGapMs: number;
}

/** What is believed. */
export type Belief =
  | { readonly kind: 'clear'; readonly sinceMs: number }
  | {
      readonly kind: 'unknown';
      readonly because: string;
      /** It was found when it was last seen, and nobody has seen it clear since. */
      readonly before: FoundBelief | null;
    }
  | FoundBelief;

interface FoundBelief {
  readonly kind: 'found';
  readonly sinceMs: number;
  readonly lastSeenMs: number;
  readonly found: Found;
}

/** A rule's belief about one subject over time. */
export interface Settled {
  readonly belief: Belief;
  /** The time of the last judgement; null before the first. */
  readonly atMs: number | null;
  /** What the judgements ask for, and since when. */
  readonly asked: { readonly to: 'found' | 'clear'; readonly sinceMs: number } | null;
  readonly blindSinceMs: number | null;
}

/** No judgement has held for long enough. */
export const NOT_SETTLED = 'waiting for enough readings';

export const UNSETTLED: Settled = {
  belief: { kind: 'unknown', because: NOT_SETTLED, before: null },
  atMs: null,
  asked: null,
  blindSinceMs: null,
};

/** dmon's cells turn to "-" for a sample now and then; a belief outlives that. */
const BLIND_FOR_MS = 5000;
/** A sample that is older than the last one by less than this came late; by more, the clock was set back. */
const LATE_MS = 2000;

/**
 * The one place that keeps findings from flapping. Found and clear each need their judgement for a minimum time without
 * the opposite one in between; `between` asks for nothing and interrupts nothing. Blindness, gaps and clock jumps lead to
 * unknown, and never to clear.
 */
export function settle(
  before: Settled,
  times: SettleTimes,
  judgement: Judgement,
  atMs: number,
  /** When the box said something last: a box that fell silent is judged on, and not seen anew by that. */
  dataAtMs = atMs,
): Settled {
  const moment = { atMs, seenMs: Math.min(atMs, dataAtMs) };
  if (!Number.isFinite(atMs)) return before;
  const elapsedMs = before.atMs === null ? 0 : atMs - before.atMs;
  if (before.atMs !== null && elapsedMs <= 0 && elapsedMs > -LATE_MS) return before;
  if (elapsedMs < 0) return follow(forget('the clock was set back'), times, judgement, moment);
  if (elapsedMs > times.maxGapMs) {
    const gap = `nothing was read for ${Math.round(elapsedMs / 1000)} s`;
    const lostInGap = { ...before, belief: lost(before.belief, gap), asked: null };
    return follow(lostInGap, times, judgement, moment);
  }
  return follow(before, times, judgement, moment);
}

interface Moment {
  readonly atMs: number;
  readonly seenMs: number;
}

function follow(
  before: Settled,
  times: SettleTimes,
  judgement: Judgement,
  moment: Moment,
): Settled {
  const { atMs } = moment;
  switch (judgement.kind) {
    // Written out, not spread: each rule comes by here for each card with each sample, and copying took a third of judging.
    case 'between':
      return { belief: before.belief, atMs, asked: before.asked, blindSinceMs: null };
    case 'unknown': {
      const { belief, asked } = before;
      const blindSinceMs = before.blindSinceMs ?? atMs;
      const isBlind = belief.kind === 'unknown' || atMs - blindSinceMs >= BLIND_FOR_MS;
      return isBlind
        ? { belief: lost(belief, judgement.because), atMs, asked: null, blindSinceMs }
        : { belief, atMs, asked, blindSinceMs };
    }
    case 'found':
      return find(before, times, judgement, moment);
    case 'clear':
      return relieve(before, times, atMs);
  }
}

function find(before: Settled, times: SettleTimes, found: Found, moment: Moment): Settled {
  const { belief } = before;
  const { atMs, seenMs } = moment;
  if (belief.kind === 'found') {
    return seen({ ...belief, lastSeenMs: seenMs, found }, atMs);
  }
  const asked =
    before.asked?.to === 'found' ? before.asked : ({ to: 'found', sinceMs: atMs } as const);
  if (atMs - asked.sinceMs < times.foundAfterMs) {
    return { belief, atMs, asked, blindSinceMs: null };
  }
  // What was found before a gap and is found after it was never seen clear: it is the same finding.
  const sinceMs = (belief.kind === 'unknown' ? belief.before?.sinceMs : null) ?? asked.sinceMs;
  return seen({ kind: 'found', sinceMs, lastSeenMs: seenMs, found }, atMs);
}

function relieve(before: Settled, times: SettleTimes, atMs: number): Settled {
  const { belief } = before;
  if (belief.kind === 'clear') return seen(belief, atMs);
  const asked =
    before.asked?.to === 'clear' ? before.asked : ({ to: 'clear', sinceMs: atMs } as const);
  if (atMs - asked.sinceMs < times.clearAfterMs) {
    return { belief, atMs, asked, blindSinceMs: null };
  }
  return seen({ kind: 'clear', sinceMs: asked.sinceMs }, atMs);
}

function seen(belief: Belief, atMs: number): Settled {
  return { belief, atMs, asked: null, blindSinceMs: null };
}

/** The same object while nothing changes: whoever publishes compares by it. */
function lost(belief: Belief, because: string): Belief {
  if (belief.kind === 'unknown' && belief.because === because) return belief;
  const before =
    belief.kind === 'found' ? belief : belief.kind === 'unknown' ? belief.before : null;
  return { kind: 'unknown', because, before };
}

function forget(because: string): Settled {
  return { ...UNSETTLED, belief: { kind: 'unknown', because, before: null } };
}
