export const MINUTE_MS = 60_000;

/** About one per pixel column of a chart; more would cost and not be seen. */
export const MAX_POINTS = 300;

/** The time that all six charts share. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The lengths of a time axis that have round ticks. */
const SPANS_MS = [1, 2, 3, 5, 10, 15].map((minutes) => minutes * MINUTE_MS);

/** A short history gets a short axis, instead of a sliver at the right end of a long one. */
export function axisSpanMs(historyMs: number, rangeMs: number): number {
  const span = SPANS_MS.find((each) => each >= historyMs) ?? rangeMs;
  return Math.min(span, rangeMs);
}

/** How often a chart is worth drawing anew: when its lines have moved by about a pixel. */
export function redrawEveryMs(spanMs: number): number {
  return spanMs / MAX_POINTS;
}

/** One tick a minute up to five; longer axes have fewer, shorter ones have one each 20 s. */
export function timeTicks({ fromMs, toMs }: TimeAxis): number[] {
  const minutes = Math.round((toMs - fromMs) / MINUTE_MS);
  const parts = minutes === 1 ? 3 : minutes <= 5 ? minutes : Math.round(minutes / 5);
  return Array.from({ length: parts + 1 }, (_, i) => fromMs + ((toMs - fromMs) * i) / parts);
}

const USUAL_STEP_MS = 1000;

/** The median of the last distances, because a single hiccup says nothing about the cadence. */
export function usualStepMs(atMs: ArrayLike<number>): number {
  const steps: number[] = [];
  for (let i = Math.max(1, atMs.length - 15); i < atMs.length; i += 1) {
    steps.push((atMs[i] ?? 0) - (atMs[i - 1] ?? 0));
  }
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? USUAL_STEP_MS;
}
