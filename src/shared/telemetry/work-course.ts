import { FRESH_MS } from './current-figures.ts';
import type { LatestFigures } from './latest-figures.ts';

/** A loader, a save or a validation leaves cards without work for a second or two: only a longer rest is a drop. */
export const IDLE_FOR_MS = 3000;

/** Whether the cards of a box worked, sample by sample. */
export interface WorkCourse {
  /** The newest sample in which a card worked; null: none did, or there was a gap since. */
  readonly workedAtMs: number | null;
  readonly sampledAtMs: number | null;
  /** The last work before all of them fell idle; null: they have not since they worked. */
  readonly fellIdleAtMs: number | null;
}

export const NO_WORK: WorkCourse = { workedAtMs: null, sampledAtMs: null, fellIdleAtMs: null };

/** The next sample. What nobody saw, or a card does not report, is no rest: it begins anew with the next work. */
export function followWork(before: WorkCourse, figures: LatestFigures): WorkCourse {
  const { atMs, cards, working, unreported } = figures;
  if (working > 0) return { workedAtMs: atMs, sampledAtMs: atMs, fellIdleAtMs: null };
  const isKnown = cards > 0 && unreported === 0;
  const sinceMs = before.sampledAtMs === null ? 0 : atMs - before.sampledAtMs;
  if (!isKnown || sinceMs < 0 || sinceMs > FRESH_MS) {
    return { workedAtMs: null, sampledAtMs: atMs, fellIdleAtMs: before.fellIdleAtMs };
  }
  const { workedAtMs } = before;
  const hasFallen = workedAtMs !== null && atMs - workedAtMs >= IDLE_FOR_MS;
  return {
    workedAtMs,
    sampledAtMs: atMs,
    fellIdleAtMs: hasFallen ? workedAtMs : before.fellIdleAtMs,
  };
}
