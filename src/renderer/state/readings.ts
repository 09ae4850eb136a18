import {
  readingsFromWire,
  readingsStream,
  type ReadingsState,
} from '../../shared/streams/readings-stream.ts';
import { useBoxFeed } from './box-feed.ts';
import type { Feed } from './stream-client.ts';

const READINGS = {
  stream: 'readings',
  kind: readingsStream,
  fromWire: readingsFromWire,
} as const;

/**
 * One box's recent samples: 15 minutes of rings cross to the window only for the box that is looked at. The rings inside
 * change in place; each batch gives a new outer state (readings-stream.ts).
 */
export function useReadings(boxId: string): Feed<ReadingsState> {
  return useBoxFeed(boxId, READINGS);
}
