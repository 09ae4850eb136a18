import type { Clock, Known } from '../../shared/clocks/clock.ts';
import { nearestClock, selectDueMs, unknownClocks } from '../../shared/clocks/select-clocks.ts';
import { formatCountdown } from '../../shared/clocks/when.ts';
import { unreachable } from '../../shared/result.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import { formatCount, formatDuration } from '../ui/format.ts';
import type { Tone } from '../ui/glyph.tsx';
import { tellLabel } from './tell-label.ts';

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
    case 'unconfirmed':
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

/** How long still, or why that cannot be said. Never a zero for what is not known: there the event stands alone, and what is missing below it. */
export function dueWords({ due }: Clock, nowMs: number): DueWords {
  switch (due.kind) {
    case 'at': {
      const leftMs = due.atMs - nowMs;
      const about = due.isEstimate ? 'about ' : '';
      return leftMs > 0
        ? {
            figure: formatCountdown(leftMs),
            after: due.isEstimate ? 'left (estimate)' : 'left',
          }
        : { figure: 'Time over', after: `for ${about}${formatDuration(-leftMs)}` };
    }
    case 'stopwatch':
      return {
        figure: due.sinceMs === null ? 'No end' : formatDuration(nowMs - due.sinceMs),
        after: due.sinceMs === null ? 'idle, unknown since when' : 'idle, and nothing ends it',
      };
    case 'unconfirmed':
      return {
        figure: formatDuration(nowMs - due.sinceMs),
        after:
          due.remindsAtMs === null
            ? 'since you approved it'
            : due.remindsAtMs <= nowMs
              ? 'since you approved it; reminder due'
              : `since you approved it; reminder in ${formatDuration(due.remindsAtMs - nowMs)}`,
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
      return { figure: '', after: '' };
    case 'dormant':
      return { figure: 'Not running', after: `until: ${due.until}` };
    case 'uncounted':
      return { figure: 'No timer', after: '' };
    default:
      return unreachable(due);
  }
}

/** For a spot machine: there is no clock to count down, only this. */
function graceWords(graceMs: number | null): string {
  if (graceMs === null) return 'with a warning of unknown length';
  return graceMs === 0 ? 'without a warning' : `with ${formatDuration(graceMs)} of warning`;
}

export function knownWords(known: Known): string {
  switch (known.kind) {
    case 'measured':
      return 'measured on the box';
    case 'told':
      return 'entered by you';
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
      return 'applies to any rented machine';
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

/** What stands for a box where there is room for a few words. */
export interface ClockSummary {
  readonly tone: Tone;
  /** What happens then; null: the words say all of it. */
  readonly event: string | null;
  readonly words: string;
  /** The whole of it, for hovering and for those who only hear it. */
  readonly title: string;
  /** When the nearest one runs out; null: none does that anybody knows. */
  readonly atMs: number | null;
}

/** Null: no clock runs, as far as all of them are known. */
export function summarizeClocks(box: BoxClocks | null, nowMs: number): ClockSummary | null {
  if (box === null) return null;
  const nearest = nearestClock(box.clocks, nowMs);
  const mayRun = unknownClocks(box.clocks);
  const unknown = mayRun.length;
  if (nearest === null) {
    if (unknown === 0) return null;
    return { tone: 'unknown', event: null, ...mayRunWords(mayRun), atMs: null };
  }
  const { figure, after } = dueWords(nearest, nowMs);
  const more = unknown === 0 ? '' : `\n${formatCount(unknown, 'more deadline')} may be running.`;
  return {
    tone: clockTone(nearest, nowMs),
    event: nearest.event,
    words: shortWords(nearest, nowMs),
    title: `${nearest.event}, ${figure} ${after}: ${nearest.consequence} (${knownWords(nearest.known)})${more}`,
    atMs: selectDueMs(box.clocks, nowMs),
  };
}

/** `Forced stop +1`, and what would tell of each whether it runs. One of several without the count would read as the only one. */
export function mayRunWords([first, ...others]: readonly Clock[]): Pick<
  ClockSummary,
  'words' | 'title'
> {
  const more = others.length === 0 ? '' : ` +${String(others.length)}`;
  const all = first === undefined ? [] : [first, ...others];
  const lines = all.map((clock) => `${clock.event} · ${missingWords(clock)}`);
  return { words: `${first?.event ?? ''}${more}`, title: ['May be running:', ...lines].join('\n') };
}

/** `enter balance`: as the button says it; why it is not known where no button would tell it. */
function missingWords(clock: Clock): string {
  const step = tellLabel(clock)?.replace('…', '');
  if (step !== undefined) return step.charAt(0).toLowerCase() + step.slice(1);
  return clock.due.kind === 'unknown' ? clock.due.because : '';
}

const HOUR_MS = 3_600_000;

/** What is only estimated has no minutes, until they are what is left. */
function roughDuration(ms: number): string {
  return formatDuration(ms < 3 * HOUR_MS ? ms : Math.floor(ms / HOUR_MS) * HOUR_MS);
}

/** "2 h 54 min left", "time over", "idle 41 min", "any time". Cut off: rather told too early than too late. */
export function shortWords({ due }: Clock, nowMs: number): string {
  switch (due.kind) {
    case 'at':
      if (due.atMs <= nowMs) return 'time over';
      return due.isEstimate
        ? `~${roughDuration(due.atMs - nowMs)} left`
        : `${formatDuration(due.atMs - nowMs)} left`;
    case 'stopwatch':
      return due.sinceMs === null ? 'idle' : `idle ${formatDuration(nowMs - due.sinceMs)}`;
    case 'unconfirmed':
      return `unconfirmed ${formatDuration(nowMs - due.sinceMs)}`;
    case 'any-time':
      return 'any time';
    default:
      return 'no end';
  }
}
