import type { FleetEntry } from '../streams/fleet-stream.ts';
import { countStandings } from './standing.ts';

/** One line about the whole fleet, for the tray. */
export function describeFleet(entries: readonly FleetEntry[]): string {
  if (entries.length === 0) return 'Leasehold: no boxes';
  return `Leasehold: ${countStandings(entries)}`;
}
