import { useEffect, useState } from 'react';
import {
  readingsFromWire,
  readingsStream,
  type ReadingsState,
} from '../../shared/streams/readings-stream.ts';
import { LOADING, type Feed, type StreamClient } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

/**
 * One box's recent samples, for as long as a panel shows them: 15 minutes of rings cross to the window only for the box
 * that is looked at. The rings inside change in place; each batch gives a new outer state (readings-stream.ts).
 */
export function useReadings(boxId: string): Feed<ReadingsState> {
  const client = useStreamClient();
  const [opened, setOpened] = useState<{ boxId: string; feed: Feed<ReadingsState> } | null>(null);
  useEffect(
    () => watchReadings(client, boxId, (feed) => setOpened({ boxId, feed })),
    [client, boxId],
  );
  // The first render after a change of box must not show the other box's lines.
  return opened?.boxId === boxId ? opened.feed : LOADING;
}

function watchReadings(
  client: StreamClient,
  boxId: string,
  onFeed: (feed: Feed<ReadingsState>) => void,
): () => void {
  const spec = {
    stream: 'readings',
    key: boxId,
    kind: readingsStream,
    fromWire: readingsFromWire,
  } as const;
  return client.open(spec, onFeed);
}
