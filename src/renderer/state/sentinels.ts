import type { SentinelsState } from '../../shared/sentinels/sentinel.ts';
import { sentinelsStream } from '../../shared/streams/sentinels-stream.ts';
import { useBoxFeed } from './box-feed.ts';
import type { Feed } from './stream-client.ts';

const SENTINELS = {
  stream: 'sentinels',
  kind: sentinelsStream,
  fromWire: (wire: SentinelsState) => wire,
} as const;

/** What is waited for on one box, and what came of it. */
export function useSentinels(boxId: string): Feed<SentinelsState> {
  return useBoxFeed(boxId, SENTINELS);
}
