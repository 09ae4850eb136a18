/**
 * Young's first-order approximation of the time between saves that costs least, saving and lost work together (facts:
 * principles.md §6). Null: it holds only where a save takes far less time than passes between two interruptions.
 */
export function cheapestInterval(saveMs: number, meanMs: number): number | null {
  return saveMs > 0 && saveMs < meanMs / 2 ? Math.sqrt(2 * meanMs * saveMs) : null;
}

/** Whole steps in so much time, rounded down to two digits; null: less than one. */
export function wholeSteps(intervalMs: number, stepMs: number): number | null {
  const steps = Math.floor(intervalMs / stepMs);
  if (steps < 1) return null;
  const grain = 10 ** Math.max(0, String(steps).length - 2);
  return Math.floor(steps / grain) * grain;
}

/** Between these, saves and lost work together cost at most a tenth more than at the best. */
const NEAR = [0.64, 1.56] as const;

export function compareInterval(everyMs: number, bestMs: number): 'often' | 'near' | 'seldom' {
  const ratio = everyMs / bestMs;
  return ratio < NEAR[0] ? 'often' : ratio > NEAR[1] ? 'seldom' : 'near';
}
