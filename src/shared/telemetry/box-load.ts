import type { LatestFigures } from './latest-figures.ts';

/**
 * What a list of boxes says of the cards of one. Main judges what is fresh: an old figure is not the present. Another kind is
 * told at once, the figure of one that stays is some seconds old.
 */
export type BoxLoad =
  | { readonly kind: 'working' | 'idle' | 'partly-reported'; readonly smPct: number }
  | { readonly kind: 'unreported' }
  | { readonly kind: 'stale'; readonly seenAtMs: number };

export function judgeLoad({ smPct, working, unreported }: LatestFigures): BoxLoad {
  if (smPct === null) return { kind: 'unreported' };
  if (working > 0) return { kind: 'working', smPct };
  // A GPU that does not report may be the one that works.
  return { kind: unreported === 0 ? 'idle' : 'partly-reported', smPct };
}
