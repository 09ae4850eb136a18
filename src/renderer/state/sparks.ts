import { useEffect } from 'react';
import { create } from 'zustand';
import { sparksStream, type Spark, type SparksState } from '../../shared/streams/sparks-stream.ts';
import { LOADING, type Feed } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

/** The last hour of all boxes, kept up while a page shows it. */
export const useSparks = create<Feed<SparksState>>(() => LOADING);

export const selectSpark =
  (boxId: string) =>
  (feed: Feed<SparksState>): Spark | null =>
    feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;

export function useSparksWhileShown(): void {
  const client = useStreamClient();
  useEffect(() => {
    const spec = {
      stream: 'sparks',
      key: '',
      kind: sparksStream,
      fromWire: (wire: SparksState) => wire,
    } as const;
    return client.open(spec, (feed) => useSparks.setState(feed, true));
  }, [client]);
}
