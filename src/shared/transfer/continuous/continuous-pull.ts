import type { Plan } from '../../plan/plan.ts';
import type { PullWait } from '../pull.ts';

/** A run whose new results come home by themselves, as long as the app is open. */
export interface ContinuousPull {
  readonly runId: string;
  readonly runName: string;
  /** On this computer. */
  readonly to: string;
  readonly everyMin: number;
  /** Megabytes a second, of 1,000,000 bytes each; null: as fast as it goes. */
  readonly limitMBps: number | null;
  readonly now: RoundState;
  /** The last round that came to its end; null: none has. */
  readonly last: RoundDone | null;
  /** The last of them that brought anything. */
  readonly brought: RoundDone | null;
  /** Why rounds fail since then; null: the last one did not. */
  readonly failure: RoundFailure | null;
  /** Earlier versions of files that were written anew on the box; null: not looked at yet. */
  readonly earlier: EarlierCopies | null;
}

export type RoundState =
  | { readonly kind: 'waiting'; readonly nextAtMs: number }
  /** Its time has come, and the box is not connected, or a person brings something home from it. */
  | { readonly kind: 'held'; readonly by: 'link' | 'person' | 'unlisted' }
  | { readonly kind: 'under-way' }
  /** The run is over, and all that a round brings is here. */
  | { readonly kind: 'finished' };

export interface RoundDone {
  readonly atMs: number;
  readonly files: number;
  readonly bytes: number;
}

export interface RoundFailure {
  readonly sinceMs: number;
  readonly atMs: number;
  readonly rounds: number;
  readonly says: string;
}

export interface EarlierCopies {
  readonly files: number;
  readonly bytes: number;
  /** There are more than were counted. */
  readonly isCut: boolean;
}

/** What switching it on would bring at first, by the rule of every round. */
export interface ContinuousPlan {
  readonly plan: Plan;
  readonly runName: string;
  /** On the box. */
  readonly from: string;
  readonly to: string;
  readonly files: number;
  readonly bytes: number;
  /** Of these, what does not lie here. */
  readonly missingBytes: number;
  /** What waits on the box, by the reason. */
  readonly waiting: readonly {
    readonly because: PullWait;
    readonly files: number;
    readonly bytes: number;
  }[];
  readonly freeBytes: number | null;
}

export const EVERY_MIN = [5, 15, 30, 60, 180] as const;
/** What a window offers. */
export const LIMITS_MBPS = [1, 2, 5, 10, 20, 50, 100, 200] as const;
export const limitWords = (limit: number | null): string =>
  limit === null ? 'no limit' : `${String(limit)} MB/s`;

export const LIMIT_MBPS = { min: 0.1, max: 10_000 } as const;

/** Of the disk here; a round that would leave less does not begin. */
export const ROOM_KEPT_BYTES = 2_000_000_000;

/** Whether bringing so much would leave the disk here nearly full; one that does not say how much is free is not held back. */
export const isTooFull = (freeBytes: number | null, missingBytes: number): boolean =>
  freeBytes !== null && missingBytes > 0 && freeBytes - missingBytes < ROOM_KEPT_BYTES;
