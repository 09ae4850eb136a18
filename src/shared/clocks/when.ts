import { durationWords } from '../duration-words.ts';
import { isoUtc, LAST_DATE_MS } from '../iso-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * "3 d 4 h", "2 h 54 min", "12 min 33 s" in the last hour; "–" before what is over. Time as it passes: a change to summer time
 * does not make a day shorter here, because no platform's timer knows it.
 */
export function formatCountdown(leftMs: number): string {
  const sign = leftMs < 0 ? '–' : '';
  const ms = Math.abs(leftMs);
  const isLastHour = ms >= MINUTE_MS && ms < 60 * MINUTE_MS;
  const seconds = Math.floor(ms / 1000) % 60;
  return `${sign}${durationWords(ms)}${isLastHour && seconds > 0 ? ` ${String(seconds)} s` : ''}`;
}

/** In the zone of whoever reads, with its name: "Sun 29 Mar 2026, 03:30 GMT+2". */
export function formatWhen(atMs: number, timeZone?: string): string {
  if (!(Math.abs(atMs) <= LAST_DATE_MS)) return isoUtc(atMs);
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).formatToParts(atMs);
  const get = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const date = `${get('weekday')} ${get('day')} ${get('month')} ${get('year')}`;
  return `${date}, ${get('hour')}:${get('minute')} ${get('timeZoneName')}`;
}

/** What dies when, for the fleet's timeline. */
export const TIMELINE_MS = 14 * DAY_MS;
