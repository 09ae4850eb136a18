import { useEffect, useState } from 'react';
import { tunnelsStream, type TunnelsState } from '../../../shared/streams/tunnels-stream.ts';
import { LOADING, type Feed } from '../../state/stream-client.ts';
import { useStreamClient } from '../../state/stream-context.ts';

/** One box's tunnels for as long as the tab shows them; main asks through them only meanwhile. */
export function useTunnels(boxId: string): Feed<TunnelsState> {
  const client = useStreamClient();
  const [opened, setOpened] = useState<{ boxId: string; feed: Feed<TunnelsState> } | null>(null);
  useEffect(() => {
    const spec = {
      stream: 'tunnels',
      key: boxId,
      kind: tunnelsStream,
      fromWire: (wire: TunnelsState) => wire,
    } as const;
    return client.open(spec, (feed) => setOpened({ boxId, feed }));
  }, [client, boxId]);
  // The first render after a change of box must not show the other box's tunnels.
  return opened?.boxId === boxId ? opened.feed : LOADING;
}
