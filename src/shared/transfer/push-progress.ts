import type { PullRetry } from './pull.ts';

/** How far a push has come. */
export interface PushProgress {
  readonly stage: 'looking' | 'sending' | 'placing' | 'checking' | 'waiting';
  /** Of what is sent, as it leaves this computer. */
  readonly doneFiles: number;
  readonly doneBytes: number;
  readonly files: number;
  readonly bytes: number;
  /** The connection was lost on the way, and the push goes on over a new one. */
  readonly isResumed: boolean;
  /** While it is `waiting`. */
  readonly retry?: PullRetry;
}
