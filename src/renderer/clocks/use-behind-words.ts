import { selectDueMs } from '../../shared/clocks/select-clocks.ts';
import { selectBehindOf, selectClocksOf, useBehind, useClocks } from '../state/feeds.ts';
import { useClock } from '../ui/clock.ts';
import { behindWords, type BehindWords } from './behind-words.ts';

const EVERY_MS = 10_000;

/** How far this computer is behind a box, against the time that is left there. */
export function useBehindWords(boxId: string): BehindWords {
  const behind = useBehind(selectBehindOf(boxId));
  const clocks = useClocks(selectClocksOf(boxId))?.clocks;
  // Its ages are told in minutes: a hundred rows need not be worked out each second.
  const nowMs = useClock((now) => Math.floor(now / EVERY_MS) * EVERY_MS);
  const dueMs = clocks === undefined ? null : selectDueMs(clocks, nowMs);
  return behindWords(behind, dueMs === null ? null : dueMs - nowMs, nowMs);
}
