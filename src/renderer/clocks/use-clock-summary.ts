import { selectClocksOf, useClocks } from '../state/feeds.ts';
import { useClockParts } from '../ui/clock.ts';
import { summarizeClocks, type ClockSummary } from './clock-words.ts';

/** The nearest clock of a box, with the time that passes. */
export function useClockSummary(boxId: string): ClockSummary | null {
  const clocks = useClocks(selectClocksOf(boxId));
  return useClockParts((nowMs) => summarizeClocks(clocks, nowMs));
}
