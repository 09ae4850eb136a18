import type { LinkState } from '../../shared/boxes/box.ts';
import type { Clock, Known } from '../../shared/clocks/clock.ts';
import { nearestClock, selectDueMs, unknownClocks } from '../../shared/clocks/select-clocks.ts';
import type { Skew } from '../../shared/clocks/skew.ts';
import { formatCountdown } from '../../shared/clocks/when.ts';
import { unreachable } from '../../shared/result.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import { formatCount, formatDuration, UNKNOWN } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';

// As the first two marks, until the person chooses others: what rings there should not look calm here.
const SOON_MS = 24 * 3_600_000;
const URGENT_MS = 6 * 3_600_000;

export function clockTone({ due, danger }: Clock, nowMs: number): Tone {
  switch (due.kind) {
    case 'at': {
      const leftMs = due.atMs - nowMs;
      if (danger === 'none' || leftMs > SOON_MS) return 'info';
      return leftMs <= URGENT_MS && danger !== 'money' ? 'danger' : 'warn';
    }
    case 'stopwatch':
    case 'any-time':
      return danger === 'none' ? 'info' : 'warn';
    case 'costing':
      return 'info';
    case 'unknown':
      return 'unknown';
    case 'dormant':
    case 'uncounted':
      return 'off';
    default:
      return unreachable(due);
  }
}

export interface DueWords {
  readonly figure: string;
  /** Completes the figure: "left", "since it began to do nothing". Empty: the figure says it all. */
  readonly after: string;
}

/** How long still, or why that cannot be said. Never an empty place, and never a zero for what is not known. */
export function dueWords({ due }: Clock, nowMs: number): DueWords {
  switch (due.kind) {
    case 'at': {
      const leftMs = due.atMs - nowMs;
      const about = due.isEstimate ? 'about ' : '';
      return leftMs > 0
        ? { figure: `${about}${formatCountdown(leftMs)}`, after: 'left' }
        : { figure: 'Over', after: `since ${about}${formatDuration(-leftMs)}` };
    }
    case 'stopwatch':
      return {
        figure: due.sinceMs === null ? 'No end' : formatDuration(nowMs - due.sinceMs),
        after: due.sinceMs === null ? 'idle, not known since when' : 'idle, and nothing ends it',
      };
    case 'costing':
      return {
        figure: 'No end',
        after:
          due.sinceMs === null ? 'billed' : `billed for ${formatDuration(nowMs - due.sinceMs)}`,
      };
    case 'any-time':
      return { figure: 'Any time', after: graceWords(due.graceMs) };
    case 'unknown':
      return { figure: 'Unknown', after: '' };
    case 'dormant':
      return { figure: 'Does not run', after: `until: ${due.until}` };
    case 'uncounted':
      return { figure: 'No time', after: 'to count down to' };
    default:
      return unreachable(due);
  }
}

/** For a spot machine: there is no clock to count down, only this. */
function graceWords(graceMs: number | null): string {
  if (graceMs === null) return 'how long the warning is, is not known';
  return graceMs === 0 ? 'without a warning' : `with ${formatDuration(graceMs)} of warning`;
}

export function knownWords(known: Known): string {
  switch (known.kind) {
    case 'measured':
      return 'measured on the box';
    case 'told':
      return 'you told us';
    case 'simulated':
      return 'simulated';
    case 'estimated':
      return `estimated: ${known.because}`;
    case 'platform':
      return platformWords(known);
    default:
      return unreachable(known);
  }
}

function platformWords({ verified, freshness }: Known & { readonly kind: 'platform' }): string {
  switch (freshness.kind) {
    case 'general':
      return 'true of any rented machine';
    case 'fresh':
      return `platform fact, checked ${verified}${monthsWords(freshness.months)}`;
    case 'stale':
      return `old platform fact, checked ${verified}${monthsWords(freshness.months)}: look it up`;
    case 'future':
      return `platform fact with a date to come, ${verified}: look it up`;
    default:
      return unreachable(freshness);
  }
}

function monthsWords(months: number): string {
  return months === 0 ? '' : `, ${formatCount(months, 'month')} ago`;
}

/** What a clock that has run out means, by what the box says now. Only the platform knows for sure. */
export function afterEndWords(link: LinkState): string {
  switch (link.kind) {
    case 'up':
      return 'The box still answers: it has not happened yet, or the time is not right.';
    case 'host-key-changed':
    case 'host-key-revoked':
      return 'Another key answers at its address: it may have happened, and this may be another machine.';
    case 'waiting':
    case 'down':
      return 'The box does not answer: it may have happened while nobody looked. The platform’s page knows.';
    case 'idle':
    case 'connecting':
    case 'host-key-unknown':
      return 'The box is not connected: whether it has happened is not known. The platform’s page knows.';
    default:
      return unreachable(link);
  }
}

/** Null: nothing to say. */
export function skewWords(skew: Skew): string | null {
  switch (skew.kind) {
    case 'unknown':
    case 'fine':
      return null;
    case 'off': {
      const way = skew.byMs > 0 ? 'ahead of' : 'behind';
      return `The box’s clock is ${formatDuration(Math.abs(skew.byMs))} ${way} this machine’s. Which of them is right is not known; times here are this machine’s.`;
    }
    case 'absurd':
      return `The box’s clock is ${formatDuration(Math.abs(skew.byMs))} off this machine’s: nothing is computed from its dates.`;
    default:
      return unreachable(skew);
  }
}

/** What stands for a box where there is room for a few words. */
export interface ClockSummary {
  readonly tone: Tone;
  readonly words: string;
  /** The whole of it, for hovering and for those who only hear it. */
  readonly title: string;
  /** When the nearest one runs out; null: none does that anybody knows. */
  readonly atMs: number | null;
}

/** Null: no clock runs, as far as all of them are known. */
export function summarizeClocks(box: BoxClocks | null, nowMs: number): ClockSummary | null {
  if (box === null) return null;
  const nearest = nearestClock(box.clocks);
  const unknown = unknownClocks(box.clocks).length;
  if (nearest === null) {
    if (unknown === 0) return null;
    const title = `${formatCount(unknown, 'clock')} may be running: unknown`;
    return { tone: 'unknown', words: UNKNOWN, title, atMs: null };
  }
  const { figure, after } = dueWords(nearest, nowMs);
  const more = unknown === 0 ? '' : `\n${formatCount(unknown, 'more clock')} may be running.`;
  return {
    tone: clockTone(nearest, nowMs),
    words: shortWords(nearest, nowMs),
    title: `${figure} ${after}: ${nearest.consequence} (${knownWords(nearest.known)})${more}`,
    atMs: selectDueMs(box.clocks),
  };
}

/** "8 h left", "time over", "idle 41 min", "any time". One unit, cut off: rather told too early than too late. */
function shortWords({ due }: Clock, nowMs: number): string {
  switch (due.kind) {
    case 'at':
      if (due.atMs <= nowMs) return 'time over';
      return `${due.isEstimate ? '~' : ''}${inOneUnit(due.atMs - nowMs)} left`;
    case 'stopwatch':
      return due.sinceMs === null ? 'idle' : `idle ${inOneUnit(nowMs - due.sinceMs)}`;
    case 'any-time':
      return 'any time';
    default:
      return 'no end';
  }
}

function inOneUnit(ms: number): string {
  const unitMs = [86_400_000, 3_600_000, 60_000].find((each) => ms >= each) ?? 1000;
  return formatDuration(Math.floor(ms / unitMs) * unitMs);
}
