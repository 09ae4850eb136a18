import { useEffect } from 'react';
import { create } from 'zustand';
import {
  figuresFromWire,
  figuresStream,
  type FiguresState,
} from '../../shared/streams/figures-stream.ts';
import type { LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { LOADING, type Feed } from './stream-client.ts';
import { useStreamClient } from './stream-context.ts';

/** The newest figures of all boxes, kept up while a page shows them. */
export const useFigures = create<Feed<FiguresState>>(() => LOADING);

export const selectFiguresOf =
  (boxId: string) =>
  (feed: Feed<FiguresState>): LatestFigures | undefined =>
    feed.kind === 'live' ? feed.state.boxes.get(boxId) : undefined;

const FIGURES = {
  stream: 'figures',
  key: '',
  kind: figuresStream,
  fromWire: figuresFromWire,
} as const;

/** Main sends a sample of each box each second for this: what was told before says nothing when the page is shown again. */
export function useFiguresWhileShown(): void {
  const client = useStreamClient();
  useEffect(() => {
    const close = client.open(FIGURES, (feed) => useFigures.setState(feed, true));
    return () => {
      close();
      useFigures.setState(LOADING, true);
    };
  }, [client]);
}
