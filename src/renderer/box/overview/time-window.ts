import type { TimeAxis } from './time-axis.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From the live minutes to all that the history keeps. */
export const ranges: readonly { readonly value: number; readonly label: string }[] = [
  { value: 5 * MINUTE_MS, label: '5 min' },
  { value: 15 * MINUTE_MS, label: '15 min' },
  { value: HOUR_MS, label: '1 h' },
  { value: 6 * HOUR_MS, label: '6 h' },
  { value: DAY_MS, label: '24 h' },
  { value: 30 * DAY_MS, label: '30 d' },
];

/** Ten samples; closer up there is nothing more to see. */
export const LEAST_SPAN_MS = 10 * SECOND_MS;
/** The history goes no further back. */
export const LONGEST_SPAN_MS = 30 * DAY_MS;

/** A part of the past that stays while time goes on. */
export interface HeldWindow extends TimeAxis {
  /** `paused`: the person stopped the charts; `moved`: they looked at another time. */
  readonly why: 'paused' | 'moved';
  readonly sinceMs: number;
}

/** What the time axis shows: the last `rangeMs`, or what is held. */
export interface TimeWindow {
  readonly rangeMs: number;
  /** By a person, who then gets that range, however little of it there is. */
  readonly isChosen: boolean;
  readonly held: HeldWindow | null;
}

export const FIRST_WINDOW: TimeWindow = { rangeMs: 15 * MINUTE_MS, isChosen: false, held: null };

/** Until a person chooses, a short history gets a shorter range, instead of a sliver at the right end of a longer one. */
export function shownRangeMs(
  { rangeMs, isChosen }: Pick<TimeWindow, 'rangeMs' | 'isChosen'>,
  historyMs: number,
): number {
  if (isChosen) return rangeMs;
  const fitting = ranges.find(({ value }) => value >= historyMs)?.value ?? rangeMs;
  return Math.min(fitting, rangeMs);
}

/** A smaller factor than 1 shows less time. What lies at `aroundMs` stays under the pointer. */
export function zoomed(axis: TimeAxis, aroundMs: number, factor: number, nowMs: number): TimeAxis {
  const spanMs = axis.toMs - axis.fromMs;
  const nextMs = spanWithin(spanMs * factor);
  const share = (aroundMs - axis.fromMs) / spanMs;
  const fromMs = aroundMs - share * nextMs;
  return within({ fromMs, toMs: fromMs + nextMs }, nowMs);
}

export function panned(axis: TimeAxis, byMs: number, nowMs: number): TimeAxis {
  return within({ fromMs: axis.fromMs + byMs, toMs: axis.toMs + byMs }, nowMs);
}

/** What was drawn over with the pointer, in either direction; widened where it is less than can be shown. */
export function selected(oneMs: number, otherMs: number, nowMs: number): TimeAxis {
  const fromMs = Math.min(oneMs, otherMs);
  const spanMs = spanWithin(Math.abs(oneMs - otherMs));
  return within({ fromMs, toMs: fromMs + spanMs }, nowMs);
}

function spanWithin(spanMs: number): number {
  return Math.min(Math.max(spanMs, LEAST_SPAN_MS), LONGEST_SPAN_MS);
}

/** Neither into the future nor further back than the history keeps; whole milliseconds, as the history is asked. */
function within({ fromMs, toMs }: TimeAxis, nowMs: number): TimeAxis {
  const spanMs = Math.round(toMs - fromMs);
  const endMs = Math.min(Math.max(toMs, nowMs - LONGEST_SPAN_MS + spanMs), nowMs);
  const roundMs = Math.round(endMs);
  return { fromMs: roundMs - spanMs, toMs: roundMs };
}
