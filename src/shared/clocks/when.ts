const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * "3 d 04:12", "04:12", "04:12:33" in the last hour before; "–" before what is over. Time as it passes: a change to summer time
 * does not make a day shorter here, because no platform's timer knows it.
 */
export function formatCountdown(leftMs: number): string {
  const sign = leftMs < 0 ? '–' : '';
  const seconds = Math.floor(Math.abs(leftMs) / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  const minutes = Math.floor(seconds / 60) % 60;
  const day = days > 0 ? `${days} d ` : '';
  const second = days === 0 && hours === 0 ? `:${two(seconds % 60)}` : '';
  return `${sign}${day}${two(hours)}:${two(minutes)}${second}`;
}

/** In the zone of whoever reads, with its name: "Sun 29 Mar 2026, 03:30 GMT+2". */
export function formatWhen(atMs: number, timeZone?: string): string {
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
