import {
  sweepsStream,
  sweepStream,
  type SweepLine,
  type SweepView,
} from '../../shared/runs/sweep/sweep-view.ts';
import { useBoxFeed } from './box-feed.ts';
import type { Feed } from './stream-client.ts';

const SWEEPS = {
  stream: 'sweeps',
  kind: sweepsStream,
  fromWire: (wire: readonly SweepLine[]) => wire,
} as const;

const SWEEP = {
  stream: 'sweep',
  kind: sweepStream,
  fromWire: (wire: SweepView) => wire,
} as const;

/** The sweeps that this app knows, the newest first. */
export function useSweeps(): Feed<readonly SweepLine[]> {
  return useBoxFeed('', SWEEPS);
}

/** One sweep over its boxes, looked at again and again while it is shown. */
export function useSweep(sweepId: string): Feed<SweepView> {
  return useBoxFeed(sweepId, SWEEP);
}
