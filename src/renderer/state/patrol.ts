import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import { patrolStream } from '../../shared/streams/patrol-stream.ts';
import { useBoxFeed } from './box-feed.ts';
import type { Feed } from './stream-client.ts';

const PATROL = {
  stream: 'patrol',
  kind: patrolStream,
  fromWire: (wire: PatrolState) => wire,
} as const;

/** What the patrols of one box saw, and when the next one comes. */
export function usePatrol(boxId: string): Feed<PatrolState> {
  return useBoxFeed(boxId, PATROL);
}
