import type { DmonCycle } from '../../shared/probes/dmon-cycles.ts';
import { textOf, type QueryRow } from '../../shared/probes/query.ts';

const DAY_MS = 24 * 3600 * 1000;
/** What a card of one look is printed after the one before it, at most: a few milliseconds each are usual. */
const SAME_LOOK_WITHIN_MS = 100;
/** Looks lie so much further apart than the cards of one; else which is which is a guess. */
const CLEARLY = 4;

/** When a row was printed, by its own clock; null: it does not say. The zone is not told, and only distances are used. */
export function printedAtMs(row: QueryRow): number | null {
  const text = textOf(row, 'timestamp') ?? '';
  const found = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?$/.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, ...rest] = found.slice(1).map((each) => Number(each ?? 0));
  return Date.UTC(year, month - 1, ...rest);
}

/** When a cycle of dmon was printed: with its date, or only by the time of day; null: it does not say. */
export function toldMsOf([first]: DmonCycle): number | null {
  const found = /^(?:(\d{4})(\d\d)(\d\d) )?(\d\d):(\d\d):(\d\d)$/.exec(first?.boxTime ?? '');
  if (found === null) return null;
  const [year, month, day, ...time] = found.slice(1).map((each) => Number(each ?? NaN));
  const [hours = 0, minutes = 0, seconds = 0] = time;
  const ofDayMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const dayMs = Date.UTC(year ?? NaN, (month ?? NaN) - 1, day);
  return Number.isNaN(dayMs) ? ofDayMs : dayMs + ofDayMs;
}

/** From one time to the next; null: the clock was set back, and how long it was is not known. */
export function passedMs(fromMs: number, toMs: number): number | null {
  const ms = toMs - fromMs;
  if (ms >= 0) return ms;
  // A time of day begins anew at midnight.
  return toMs < DAY_MS && ms < -DAY_MS / 2 ? ms + DAY_MS : null;
}

/**
 * The place of each row in its look, for rows that name no card: the cards of a look are printed close together, and looks lie
 * apart. Null: the rows do not say when they were printed, or it does not show which belong together.
 */
export function placesOf(rows: readonly QueryRow[]): readonly number[] | null {
  const times = rows.flatMap((row) => printedAtMs(row) ?? []);
  if (times.length < rows.length) return null;
  const places = [0];
  let withinMs = 0;
  let apartMs = Infinity;
  for (let i = 1; i < times.length; i += 1) {
    const gapMs = (times[i] ?? NaN) - (times[i - 1] ?? NaN);
    if (gapMs < 0) return null;
    const isSame = gapMs <= SAME_LOOK_WITHIN_MS;
    if (isSame) withinMs = Math.max(withinMs, gapMs);
    else apartMs = Math.min(apartMs, gapMs);
    places.push(isSame ? (places[i - 1] ?? 0) + 1 : 0);
  }
  const size = places.indexOf(0, 1);
  // One look alone: it may be one card in a fast loop as well.
  if (size === -1) return null;
  const isEven = places.length % size === 0 && places.every((place, i) => place === i % size);
  const isApart = apartMs >= CLEARLY * (size === 1 ? SAME_LOOK_WITHIN_MS : withinMs);
  return isEven && isApart ? places : null;
}
