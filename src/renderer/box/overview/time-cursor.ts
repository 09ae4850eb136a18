import { create } from 'zustand';

/**
 * Where on the shared time axis the person points: 0 is its left end, 1 is now, null is nowhere. A place on the axis
 * and not a time, so that the cursor stays under the pointer while the lines move.
 */
export const useTimeCursor = create<{ readonly at: number | null }>(() => ({ at: null }));

export function cursorMoved(at: number): void {
  useTimeCursor.setState({ at: Math.min(Math.max(at, 0), 1) });
}

export function cursorLeft(): void {
  useTimeCursor.setState({ at: null });
}
