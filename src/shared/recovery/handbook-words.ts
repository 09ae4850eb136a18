import { isoUtc } from '../iso-time.ts';
import type { Clock, Due, Known } from '../clocks/clock.ts';
import { formatCountdown } from '../clocks/when.ts';
import { unreachable } from '../result.ts';
import type { Inline } from './page.ts';

/** "2026-11-22 06:12 UTC": the file is read on other machines, in other zones. */
export function utc(atMs: number): string {
  return `${isoUtc(atMs).slice(0, 16).replace('T', ' ')} UTC`;
}

/** "00:04:12", "3 d 04:12". A file that is newer than this machine's clock has no age. */
export function ageWords(atMs: number, nowMs: number): string {
  return atMs > nowMs ? 'none: the two clocks differ' : formatCountdown(nowMs - atMs);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function sizeWords(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1024 ** power).toFixed(digits)} ${UNITS[power] ?? ''}`;
}

/** What happens, when, what is at risk, how it is known, what stops it. */
export function clockRow(clock: Clock, nowMs: number): readonly (readonly Inline[])[] {
  const { event, trigger, consequence, loses, due, known, stops, readAt } = clock;
  const lost = loses.map(({ name, path }) => (path === null ? name : `${name} (${path})`));
  return [
    [`${event} (${trigger})${consequence === event ? '' : `: ${consequence}`}`],
    [dueText(due, nowMs)],
    [lost.length > 0 ? lost.join(', ') : clock.danger === 'none' ? 'nothing' : clock.danger],
    [knownText(known)],
    [`${stops ?? 'not known'}. Read it at: ${readAt}`],
  ];
}

/** A moment, not a countdown: a file is read later than it is written. */
function dueText(due: Due, nowMs: number): string {
  switch (due.kind) {
    case 'at': {
      const about = due.isEstimate ? 'about ' : '';
      const when = `${about}${utc(due.atMs)}`;
      return due.atMs > nowMs ? when : `over since ${when}`;
    }
    case 'stopwatch':
      return due.sinceMs === null
        ? 'no end; since when is not known'
        : `no end; since ${utc(due.sinceMs)}`;
    case 'unconfirmed':
      return `not confirmed since ${utc(due.sinceMs)}`;
    case 'costing':
      return due.sinceMs === null ? 'costs money now' : `costs money since ${utc(due.sinceMs)}`;
    case 'any-time':
      return due.graceMs === null
        ? 'any time'
        : `any time, ${formatCountdown(due.graceMs)} after the warning`;
    case 'unknown':
      return `not known: ${due.because}`;
    case 'dormant':
      return `does not run until: ${due.until}`;
    case 'uncounted':
      return 'no time to count';
    default:
      return unreachable(due);
  }
}

function knownText(known: Known): string {
  switch (known.kind) {
    case 'measured':
      return 'measured on the box';
    case 'told':
      return 'you said so';
    case 'simulated':
      return 'simulated';
    case 'estimated':
      return `estimated: ${known.because}`;
    case 'platform':
      return known.verified === null
        ? 'applies to any machine'
        : `platform fact, checked ${known.verified}${known.freshness.kind === 'fresh' ? '' : ': look it up'}`;
    default:
      return unreachable(known);
  }
}
