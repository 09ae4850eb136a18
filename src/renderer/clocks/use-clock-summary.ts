import { selectClocksOf, useClocks } from '../state/feeds.ts';
import { useNow } from '../ui/clock.ts';
import { summarizeClocks, type ClockSummary } from './clock-words.ts';

/** The nearest clock of a box, with the time that passes. */
export function useClockSummary(boxId: string): ClockSummary | null {
  return summarizeClocks(useClocks(selectClocksOf(boxId)), useNow());
}
