import type { TimeSpan } from '../progress/left-time.ts';
import type { SweepCellState } from '../sweep/sweep-view.ts';
import type { CellState } from './queue-view.ts';

type TimedState = CellState | SweepCellState;

/** When the cells of one queue that lives will all have ended. */
export type QueueEnd =
  /** Nothing of it is left to do. */
  | { readonly kind: 'nothing-left' }
  /** No cell of it has ended yet, so that nobody can tell how long one takes. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'between'; readonly span: TimeSpan };

/** Nine of ten cells took as long as this says, or longer; and or shorter. Of a few it is the shortest and the longest. */
const SHORT = 0.1;
const LONG = 0.9;

/**
 * By how long those took that are done, and how many run at once; failed ones end early and say nothing of it. `slots`: so many at once.
 * `isStopping`: what waits does not begin any more.
 */
export function queueEnd(
  states: readonly TimedState[],
  { slots, isStopping }: { readonly slots: number; readonly isStopping: boolean },
  nowMs: number,
): QueueEnd {
  const begun: number[] = [];
  const took: number[] = [];
  let waiting = 0;
  for (const state of states) {
    if (state.kind === 'running' || state.kind === 'copying') begun.push(state.beganAtMs);
    else if (state.kind === 'done') took.push(state.atMs - state.beganAtMs);
    else if (state.kind === 'waiting' || state.kind === 'interrupted') waiting += 1;
  }
  const toBegin = isStopping ? 0 : waiting;
  if (begun.length + toBegin === 0) return { kind: 'nothing-left' };
  took.sort((one, other) => one - other);
  const [short, long] = [
    took[Math.floor((took.length - 1) * SHORT)],
    took[Math.ceil((took.length - 1) * LONG)],
  ];
  if (short === undefined || long === undefined) return { kind: 'unknown' };
  const ages = begun.map((beganAtMs) => Math.max(0, nowMs - beganAtMs));
  const fromMs = lastOf(
    ages.map((age) => Math.max(0, short - age)),
    toBegin,
    { slots, each: short },
  );
  // One that runs longer than those before it may take as long again.
  const toMs = lastOf(
    ages.map((age) => (age < long ? long - age : age)),
    toBegin,
    {
      ...{ slots, each: long },
    },
  );
  return {
    kind: 'between',
    span: { fromMs: nowMs + fromMs, toMs: nowMs + Math.max(fromMs, toMs) },
  };
}

/** When the last one ends: each that waits begins in the slot that is free first. */
function lastOf(
  running: readonly number[],
  waiting: number,
  { slots, each }: { readonly slots: number; readonly each: number },
): number {
  const free = Array.from({ length: Math.max(slots, running.length) }, (_, at) => running[at] ?? 0);
  for (let left = waiting; left > 0; left -= 1) {
    let first = 0;
    for (let at = 1; at < free.length; at += 1) {
      if ((free[at] ?? 0) < (free[first] ?? 0)) first = at;
    }
    free[first] = (free[first] ?? 0) + each;
  }
  return Math.max(...free);
}
