import { create } from 'zustand';

export interface TimeCursor {
  /**
   * Where on the shared time axis the person points: 0 is its left end, 1 its right end, null is nowhere. A place on the
   * axis and not a time, so that the cursor stays under the pointer while the lines move.
   */
  readonly at: number | null;
  /** The place whose figures the tables show: `at`, or a moment behind it while the pointer moves. */
  readonly readAt: number | null;
  /** The chart that explains what happened at the cursor; null: none. */
  readonly chart: string | null;
  /** Where a click has left the cursor, for when nobody points. */
  readonly pinned: number | null;
}

export const useTimeCursor = create<TimeCursor>(() => ({
  at: null,
  readAt: null,
  chart: null,
  pinned: null,
}));

/**
 * A pointer moves in every frame. The line follows at once, and so does each chart's title; tables of eight cards come after
 * it this often, which is as fast as anybody reads.
 */
const READ_EVERY_MS = 80;

let reading: ReturnType<typeof setTimeout> | null = null;

/** By keyboard, or from a list: everything follows at once, so that it is heard. */
export function cursorMoved(at: number, chart: string | null = null): void {
  const place = within(at);
  read({ at: place, readAt: place, chart });
}

export function cursorPointed(at: number, chart: string): void {
  useTimeCursor.setState({ at: within(at), chart });
  reading ??= setTimeout(() => read({ readAt: useTimeCursor.getState().at }), READ_EVERY_MS);
}

export function cursorLeft(): void {
  const { pinned } = useTimeCursor.getState();
  read({ at: pinned, readAt: pinned, chart: null });
}

/** Near where it is pinned already, it is let go. */
export function cursorPinned(at: number): void {
  useTimeCursor.setState(({ pinned }) => ({
    pinned: pinned !== null && Math.abs(pinned - at) < SAME_PLACE ? null : at,
  }));
}

const SAME_PLACE = 0.02;

export function cursorDropped(): void {
  read({ at: null, readAt: null, chart: null, pinned: null });
}

function read(change: Partial<TimeCursor>): void {
  if (reading !== null) clearTimeout(reading);
  reading = null;
  useTimeCursor.setState(change);
}

function within(at: number): number {
  return Math.min(Math.max(at, 0), 1);
}
