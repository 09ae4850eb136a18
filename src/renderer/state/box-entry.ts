import { useShallow } from 'zustand/react/shallow';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { selectEntry, useFleet } from './feeds.ts';

/** A box without its newest readings: those come each second, and only what shows them should be drawn anew for them. */
export type BoxEntry = Omit<FleetEntry, 'latest'>;

/** Another object only when something other than the readings changed. */
export function useBoxEntry(boxId: string): BoxEntry | null {
  const select = selectEntry(boxId);
  return useFleet(
    useShallow((feed) => {
      const entry = select(feed);
      if (entry === undefined) return null;
      const { latest: _, ...rest } = entry;
      return rest;
    }),
  );
}
