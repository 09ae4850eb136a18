import { useEffect, useState } from 'react';
import type { StreamName } from '../../shared/ipc/streams.ts';
import { LOADING, type Feed, type StreamSpec } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

/** One box's stream, for as long as a panel shows it. `spec` must be a constant of its module. */
export function useBoxFeed<N extends StreamName, State>(
  boxId: string,
  spec: Omit<StreamSpec<N, State>, 'key'>,
): Feed<State> {
  const client = useStreamClient();
  const [opened, setOpened] = useState<{ boxId: string; feed: Feed<State> } | null>(null);
  useEffect(
    () => client.open({ ...spec, key: boxId }, (feed) => setOpened({ boxId, feed })),
    [client, boxId, spec],
  );
  // The first render after a change of box must not show what the other box told.
  return opened?.boxId === boxId ? opened.feed : LOADING;
}
