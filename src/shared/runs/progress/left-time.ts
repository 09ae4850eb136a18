import type { RunProgress } from './run-progress.ts';

/** A time between two, in ms. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a log counted, and when it was written. */
export interface ProgressMark {
  readonly atMs: number;
  readonly progress: RunProgress;
}

/** As fast as between these two lines, in time that is left; null: they tell no pace. */
export function leftByPace(from: ProgressMark, { atMs, progress }: ProgressMark): TimeSpan | null {
  const done = progress.atLeast - from.progress.atLeast;
  const took = atMs - from.atMs;
  if (done <= 0 || took <= 0) return null;
  return {
    fromMs: ((progress.total - progress.atMost) * took) / done,
    toMs: ((progress.total - progress.atLeast) * took) / done,
  };
}

/** As the bar says, and as fast as it went on average. */
export function leftByBar({ atLeast, total, bar }: RunProgress): readonly TimeSpan[] {
  if (bar === null) return [];
  const { elapsedMs, leftMs, toCome } = bar;
  if (toCome !== null) {
    if (leftMs === null) return [];
    const epochMs = elapsedMs + leftMs;
    return [{ fromMs: leftMs + toCome.atLeast * epochMs, toMs: leftMs + toCome.atMost * epochMs }];
  }
  const average = atLeast > 0 ? [((total - atLeast) * elapsedMs) / atLeast] : [];
  const said = leftMs === null ? average : [...average, leftMs];
  return said.map((ms) => ({ fromMs: ms, toMs: ms }));
}
