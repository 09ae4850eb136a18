import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many cells of a sweep or queue are a few milliseconds of main, each looked through for secrets. */
const AT_ONCE = 400;

/** As `map` does, and whoever waits for main is answered in between. */
export async function mapInTurns<T, R>(all: readonly T[], of: (each: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const each of all) {
    done.push(of(each));
    if (done.length % AT_ONCE === 0) await nextTurn();
  }
  return done;
}
