import type { PatrolState } from '../patrol/patrol-state.ts';
import type { StreamKind } from './stream.ts';

/** What one box's patrols know; a delta has what changed. */
export const patrolStream: StreamKind<PatrolState, Partial<PatrolState>> = {
  apply: (state, part) => ({ ...state, ...part }),
};
