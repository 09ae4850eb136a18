import { useEffect, useState } from 'react';
import { gpuFactsStream } from '../../shared/streams/gpu-facts-stream.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import { LOADING, type Feed } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

const SPEC = {
  stream: 'gpu-facts',
  kind: gpuFactsStream,
  fromWire: (wire: GpuFactsState) => wire,
} as const;

/** What the slow probe last found on one box, for as long as a panel shows it. */
export function useGpuFacts(boxId: string): Feed<GpuFactsState> {
  const client = useStreamClient();
  const [opened, setOpened] = useState<{ boxId: string; feed: Feed<GpuFactsState> } | null>(null);
  useEffect(
    () => client.open({ ...SPEC, key: boxId }, (feed) => setOpened({ boxId, feed })),
    [client, boxId],
  );
  // The first render after a change of box must not show the other box's processes.
  return opened?.boxId === boxId ? opened.feed : LOADING;
}
