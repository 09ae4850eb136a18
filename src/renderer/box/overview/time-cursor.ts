import { create } from 'zustand';

interface TimeCursor {
  /**
   * Where on the shared time axis the person points: 0 is its left end, 1 its right end, null is nowhere. A place on the
   * axis and not a time, so that the cursor stays under the pointer while the lines move.
   */
  readonly at: number | null;
  /** The chart that explains what happened at the cursor; null: none. */
  readonly chart: string | null;
  /** Where a click has left the cursor, for when nobody points. */
  readonly pinned: number | null;
}

export const useTimeCursor = create<TimeCursor>(() => ({ at: null, chart: null, pinned: null }));

export function cursorMoved(at: number, chart: string | null = null): void {
  useTimeCursor.setState({ at: Math.min(Math.max(at, 0), 1), chart });
}

export function cursorLeft(): void {
  useTimeCursor.setState(({ pinned }) => ({ at: pinned, chart: null }));
}

/** Near where it is pinned already, it is let go. */
export function cursorPinned(at: number): void {
  useTimeCursor.setState(({ pinned }) => ({
    pinned: pinned !== null && Math.abs(pinned - at) < SAME_PLACE ? null : at,
  }));
}

const SAME_PLACE = 0.02;

export function cursorDropped(): void {
  useTimeCursor.setState({ at: null, chart: null, pinned: null });
}
