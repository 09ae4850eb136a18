import type { FleetEntry } from '../streams/fleet-stream.ts';
import type { LatestFigures } from './latest-figures.ts';

/** Samples come once a second; a newest one older than this is the past, not the present. */
export const FRESH_MS = 5000;

/** The figures that still describe the present; null when there are none. */
export function readCurrent({ latest, link }: FleetEntry, nowMs: number): LatestFigures | null {
  return latest === null || link.kind !== 'up' || nowMs - latest.atMs > FRESH_MS ? null : latest;
}

/** Whether every card works now, or none does; null: some do, one does not tell, or nothing fresh is known. */
export function judgeWork(entry: FleetEntry, nowMs: number): boolean | null {
  const current = readCurrent(entry, nowMs);
  if (current === null || current.cards === 0 || current.unreported > 0) return null;
  return current.working === current.cards ? true : current.working === 0 ? false : null;
}
