import { durationWords } from '../../shared/duration-words.ts';

/** Numbers as the window writes them: narrow spaces between thousands, and no line break before the unit. */

const THIN = '\u202f';
const NO_BREAK = '\u00a0';

/** The word for every figure that nobody reported. */
export const UNKNOWN = 'not reported';

const SECOND_MS = 1000;

/** `11400` → `11 400`. `decimals` are always shown, so that a changing figure keeps its width. */
export function formatNumber(value: number, decimals = 0): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  const isNegative = value < 0 && /[1-9]/.test(whole + (fraction ?? ''));
  return `${isNegative ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `97`, `%` → `97 %`. Null stays unknown, never 0. */
export function formatQuantity(value: number | null, unit: string, decimals = 0): string {
  return value === null ? UNKNOWN : `${formatNumber(value, decimals)}${NO_BREAK}${unit}`;
}

/** `452`, `700`, `W` → `452 of 700 W`; an unknown limit is left out. */
export function formatShare(
  value: number | null,
  limit: number | null,
  unit: string,
  decimals = 0,
): string {
  if (value === null || limit === null) return formatQuantity(value, unit, decimals);
  return `${formatNumber(value, decimals)} of ${formatQuantity(limit, unit, decimals)}`;
}

/** The lowest and highest of several: `387–452 W`, or one number where they agree as written. */
export function formatRange(values: readonly number[], unit: string, decimals = 0): string {
  if (values.length === 0) return UNKNOWN;
  const low = formatNumber(Math.min(...values), decimals);
  const high = formatNumber(Math.max(...values), decimals);
  return low === high ? `${low}${NO_BREAK}${unit}` : `${low}–${high}${NO_BREAK}${unit}`;
}

/** How long ago or how long still, at most two units: `8 s`, `41 min`, `4 h 50 min`, `11 d`. */
export function formatDuration(ms: number): string {
  return durationWords(ms).replace(/(\d) /g, `$1${NO_BREAK}`);
}

/** `40 s ago`, at least a second: what comes once a second would otherwise flicker between 0 and 1. */
export function formatAge(ageMs: number): string {
  return `${formatDuration(Math.max(ageMs, SECOND_MS))} ago`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `512 B`, `1.4 MB`: decimal units, as networks count. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return formatQuantity(value, BYTE_UNITS[unit] ?? '', unit === 0 || value >= 99.95 ? 0 : 1);
}

export function formatGiB(mib: number | null): string {
  return mib === null ? UNKNOWN : formatNumber(mib / 1024, 1);
}

/** The time of day on this machine, to the second. */
export function formatClockTime(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-GB');
}

interface Dates {
  readonly sinceMs: number;
  readonly format: Intl.DateTimeFormat;
}

/** Making a format takes longer than drawing a table’s row, but it keeps the time zone it was made in, and a person may travel. */
const SAME_ZONE_MS = 1000;
let dates: Dates | null = null;

export function formatDate(atMs: number): string {
  const nowMs = performance.now();
  if (dates === null || nowMs - dates.sinceMs > SAME_ZONE_MS) {
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
    dates = { sinceMs: nowMs, format };
  }
  return dates.format.format(atMs);
}

/** Words that a person wrote or a fact holds, at the beginning of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 box`, `7 boxes`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
