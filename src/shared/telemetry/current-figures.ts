import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { BoxLoad } from './box-load.ts';
import type { LatestFigures } from './latest-figures.ts';

/** Samples come once a second; a newest one older than this is the past, not the present. */
export const FRESH_MS = 5000;

/** The newest figures of a box where they still describe the present; null when there are none that do. */
export function readCurrent(
  { load, link }: Pick<FleetEntry, 'load' | 'link'>,
  latest: LatestFigures | undefined,
): LatestFigures | null {
  const isFresh = link.kind === 'up' && load !== null && load.kind !== 'stale';
  return isFresh ? (latest ?? null) : null;
}

/** When the newest sample of a box with this load came; null: a moment ago, and its figures have not been told yet. */
export function readSeenMs(load: BoxLoad, latest: LatestFigures | undefined): number | null {
  return load.kind === 'stale' ? load.seenAtMs : (latest?.atMs ?? null);
}

/** Whether every card works now, or none does; null: some do, one does not tell, or nothing fresh is known. */
export function judgeWork(current: LatestFigures | null): boolean | null {
  if (current === null || current.cards === 0 || current.unreported > 0) return null;
  return current.working === current.cards ? true : current.working === 0 ? false : null;
}
