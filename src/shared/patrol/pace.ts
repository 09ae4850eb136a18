import type { PatrolPace, PatrolSeen } from './patrol-state.ts';

/** How often a box is looked at, in minutes, until the person chooses. */
export const DEFAULT_PATROL_MIN = 5;
export const PATROL_MIN = { min: 1, max: 120 } as const;

/** While something is wrong, a person waits for what comes next. */
const WRONG_EVERY_MS = 30_000;
/** On a box on which nothing runs, nothing can be lost meanwhile. */
const IDLE_FACTOR = 3;
/** So many looks in a row must have seen nothing: a queue may be between two of its runs. */
export const IDLE_AFTER_LOOKS = 3;
/** A run that is gone is watched for what follows, and then it is history. */
const WRONG_FOR_MS = 15 * 60_000;
/** Of the group's limit: from here on the kernel is about to end something. */
export const FULL_SHARE = 0.9;

export interface Course {
  readonly seen: PatrolSeen | null;
  /** When a run was missed last that had not finished; null: none was. */
  readonly lostAtMs: number | null;
  /** How many looks in a row saw no run. */
  readonly emptyLooks: number;
  /** How many patrols in a row brought no look. */
  readonly failures: number;
}

export function judgePace({ seen, lostAtMs, emptyLooks, failures }: Course): PatrolPace {
  if (failures > 0) return 'failed';
  if (seen === null) return 'usual';
  const isFull = seen.memoryShare !== null && seen.memoryShare > FULL_SHARE;
  if (isFull || (lostAtMs !== null && seen.atMs - lostAtMs < WRONG_FOR_MS)) return 'wrong';
  return emptyLooks >= IDLE_AFTER_LOOKS ? 'idle' : 'usual';
}

/** `everyMs`: what was chosen. */
export function delayOf(pace: PatrolPace, everyMs: number, failures: number): number {
  switch (pace) {
    case 'usual':
      return everyMs;
    case 'idle':
      return everyMs * IDLE_FACTOR;
    case 'wrong':
      return Math.min(WRONG_EVERY_MS, everyMs);
    case 'failed':
      // Hammering trips limits of servers and gateways (GEN8).
      return Math.min(WRONG_EVERY_MS * 2 ** Math.min(failures - 1, 20), everyMs);
  }
}
