import type { SentinelsState } from '../sentinels/sentinel.ts';
import type { StreamKind } from './stream.ts';

/** What is waited for on one box; a delta has what changed. */
export const sentinelsStream: StreamKind<SentinelsState, Partial<SentinelsState>> = {
  apply: (state, part) => ({ ...state, ...part }),
};
