import { useShallow } from 'zustand/react/shallow';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { selectEntry, useFleet } from './feeds.ts';

/** A box without how busy it is: that changes every few seconds, and only what shows it should be drawn anew for it. */
export type BoxEntry = Omit<FleetEntry, 'load'>;

/** Another object only when something other than the load changed. */
export function useBoxEntry(boxId: string): BoxEntry | null {
  const select = selectEntry(boxId);
  return useFleet(
    useShallow((feed) => {
      const entry = select(feed);
      if (entry === undefined) return null;
      const { load: _, ...rest } = entry;
      return rest;
    }),
  );
}
