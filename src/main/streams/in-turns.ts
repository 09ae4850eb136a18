import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../shared/steps.ts';

/** So many cells of a sweep or queue are a few milliseconds of main, each looked through for secrets. */
const AT_ONCE = 400;

let last: Promise<void> = Promise.resolve();

/** Lets whoever waits for main be answered. Of several who wait here, as many as a sweep has boxes, each has a turn of its own: with `setImmediate` alone, one turn is for all. */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}

/** Does what is written in steps; whoever waits for main is answered after each. */
export async function doInTurns<R>(steps: Steps<R>): Promise<R> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** As `map` does, and whoever waits for main is answered in between. */
export async function mapInTurns<T, R>(
  all: readonly T[],
  of: (each: T, at: number) => R,
): Promise<R[]> {
  const done: R[] = [];
  for (const [at, each] of all.entries()) {
    done.push(of(each, at));
    if (done.length % AT_ONCE === 0) await nextTurn();
  }
  return done;
}
